import { beforeEach, expect, test, vi } from "vitest";
import type { ExportOption } from "../../src/core/messages";
import { exportPanel } from "../../src/panels/export/panel";
import { buttonOf, clip, type ConnectedStudio, connectStudio, inputOf, settle, type } from "./connected_studio";

const FORMATS = ["bvh", "glb"].map((name) => ({ name, title: name, description: "", options: [] })) as ExportOption[];

let page: ConnectedStudio;
let box: HTMLElement;

beforeEach(async () => {
  page = connectStudio();
  vi.spyOn(page.studio.server, "formats").mockResolvedValue({ accepted: [], exports: FORMATS });
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:");
  box = exportPanel(page.studio).element;
  document.body.append(box);
  page.show(clip("c1"), clip("c2"));
  await page.finish("c1", 100);
  await page.finish("c2", 400);
  page.studio.select("c1");
  await settle();
});

function choose(format: string): void {
  // Until an attribute changes of what a selector found, happy-dom finds it again.
  box.querySelectorAll("input[type=radio]").forEach((input) => input.removeAttribute("checked"));
  box.querySelector<HTMLInputElement>(`input[value=${format}]`)!.click();
}

test("all clips of an export have the format that was chosen when it began", async () => {
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  vi.spyOn(page.studio.server, "exportClip").mockImplementation((item, format) => {
    asked.push(`${item} ${format}`);
    return new Promise((done) => (answer = () => done({ file: new File([""], `${item}.${format}`), notes: [] })));
  });
  page.studio.checked.replace(["c1", "c2"]);
  const which = box.querySelector("select")!;
  which.value = "all";
  which.dispatchEvent(new Event("change"));
  buttonOf(box, "Export 2 clips as BVH").click();
  choose("glb");
  answer();
  await settle();
  answer();
  await settle();
  expect(asked).toEqual(["c1 bvh", "c2 bvh"]);
});

test("the frames of one clip are not those of the next", async () => {
  const asked: object[] = [];
  vi.spyOn(page.studio.server, "exportClip").mockImplementation((item, _format, _figure, settings) => {
    asked.push({ item, ...settings });
    return Promise.resolve({ file: new File([""], `${item}.bvh`), notes: [] });
  });
  type(inputOf(box, "First frame"), "10");
  type(inputOf(box, "Last frame"), "40");
  buttonOf(box, "Export as BVH").click();
  await settle();
  page.studio.select("c2");
  expect([inputOf(box, "First frame").value, inputOf(box, "Last frame").value]).toEqual(["", ""]);
  buttonOf(box, "Export as BVH").click();
  await settle();
  expect(asked).toEqual([{ item: "c1", first: "10", last: "40" }, { item: "c2" }]);
});

test.each([
  ["clip", () => page.studio.select("c2")],
  ["format", () => choose("glb")],
])("a script that arrives after another %s was chosen is not shown", async (_, change) => {
  let answer: (text: string) => void = () => undefined;
  vi.spyOn(page.studio.server, "script").mockImplementation(() => new Promise((done) => (answer = done)));
  buttonOf(box, "Copy as Python").click();
  change();
  answer("save(c1)");
  await settle();
  expect(box.querySelector<HTMLElement>(".script")!.hidden).toBe(true);
  buttonOf(box, "Copy as Python").click();
  answer("save(c2)");
  await settle();
  expect(box.querySelector<HTMLElement>(".script")!.hidden).toBe(false);
});
