import { beforeEach, expect, test, vi } from "vitest";
import type { Item, Quality } from "../../src/core/messages";
import { newBlend } from "../../src/core/recipes";
import { RequestError } from "../../src/core/server";
import { qualityPanel } from "../../src/panels/quality/panel";
import { buttonOf, clip, type ConnectedStudio, connectStudio, inputOf, settle, type } from "./connected_studio";

const measures = (changes: Partial<Quality> = {}): Quality => ({
  rows: [{ name: "speed", group: "root", unit: "m/s", before: null, after: 1 }],
  curves: {},
  curves_before: {},
  units: {},
  notes: [],
  unmeasured: [],
  faults: [],
  ...changes,
});
const blend = (id: string): Item => clip(id, { recipe: newBlend(["a", "b"]) });

let page: ConnectedStudio;
let box: HTMLElement;
/** Answer the oldest request that has none yet. */
let answers: { item: string; answer: (quality: Quality) => void; refuse: (error: Error) => void }[];

beforeEach(() => {
  page = connectStudio();
  answers = [];
  vi.spyOn(page.studio.server, "quality").mockImplementation(
    (item) => new Promise((answer, refuse) => answers.push({ item, answer, refuse })),
  );
  box = qualityPanel(page.studio).element;
  document.body.append(box);
});

/** Show measures of the first of two blends. */
async function measureFirst(quality = measures()): Promise<void> {
  page.show(blend("c1"), blend("c2"));
  await page.finish("c1");
  page.studio.select("c1");
  answers.shift()!.answer(quality);
  await settle();
  expect(box.textContent).toContain("Turn planting off");
}

test("measures and buttons of a clip are gone once another is selected", async () => {
  await measureFirst();
  await page.finish("c2");
  page.studio.select("c2");
  expect(box.querySelectorAll("button, table")).toHaveLength(0);
  expect(box.textContent).toBe("Measuring the clip…");
  expect(box.getAttribute("aria-busy")).toBe("true");
  answers.shift()!.answer(measures());
  await settle();
  buttonOf(box, "Turn planting off").click();
  expect(page.edits).toMatchObject([{ type: "set_recipe", item: "c2" }]);
  expect(box.hasAttribute("aria-busy")).toBe(false);
});

test("measures come back after another clip was selected while the panel was out of view", async () => {
  await measureFirst();
  const inView = vi.fn(() => null as Element | null);
  Object.defineProperty(box, "offsetParent", { get: inView });
  page.studio.select("c2");
  page.studio.select("c1");
  expect(answers).toHaveLength(0);
  inView.mockReturnValue(document.body);
  page.studio.itemChanged.emit("c1");
  answers.shift()!.answer(measures());
  await settle();
  expect(box.querySelectorAll("table")).toHaveLength(1);
});

test("a clip that is being computed or has failed says so", async () => {
  await measureFirst();
  page.studio.select("c2");
  expect(box.textContent).toBe("Computing the clip…");
  expect(box.getAttribute("aria-busy")).toBe("true");
  page.hear({ type: "failed", item: "c2", error: "the clips hardly correspond" });
  expect(box.textContent).toBe("The clips hardly correspond");
  expect(box.querySelector(".status")!.classList.contains("bad")).toBe(true);
  expect(box.hasAttribute("aria-busy")).toBe(false);
});

test("a clip that cannot be measured shows why, and nothing of the clip before", async () => {
  await measureFirst();
  await page.finish("c2");
  page.studio.select("c2");
  answers.shift()!.refuse(new RequestError("it has no feet"));
  await settle();
  expect(box.textContent).toBe("It has no feet");
  page.studio.select(null);
  expect(box.textContent).toBe("Select a clip to measure it.");
});

test("a field keeps the focus when its clip is measured again", async () => {
  await measureFirst();
  const field = inputOf(box, "Smoothing");
  field.focus();
  type(field, "8");
  await page.finish("c1");
  answers.shift()!.answer(measures({ notes: ["smoothed"] }));
  await settle();
  expect(box.textContent).toContain("Smoothed.");
  expect(document.activeElement).toBe(field);
});

test("a button of an artifact keeps the focus, or passes it on when the artifact is repaired", async () => {
  const faults = [12, 40].map((frame) => ({ frame, text: `flips in frame ${frame}`, mendable: true }));
  await measureFirst(measures({ faults }));
  const measureAgain = async (quality: Quality): Promise<void> => {
    await page.finish("c1");
    answers.shift()!.answer(quality);
    await settle();
  };
  const row = buttonOf(box, "flips in frame 40");
  row.focus();
  await measureAgain(measures({ faults }));
  expect(document.activeElement).toBe(row);
  await measureAgain(measures({ faults: faults.slice(0, 1) }));
  expect(document.activeElement!.textContent).toBe("flips in frame 12");
  await measureAgain(measures({ faults: [{ ...faults[0]!, mendable: false }] }));
  expect(document.activeElement!.textContent).toBe("flips in frame 12 (not repaired)");
});

test("what feet and hips do comes first, and what an edit changed is said above the table", async () => {
  const names = ["path", "changes", "posture", "stances", "feet", "plants"];
  const rows = names.map((group) => ({ name: `figure of ${group}`, group, unit: "cm", before: null, after: 1 }));
  await measureFirst(measures({ rows, notes: ["against the clip before: hips 1.2 cm lower on average"] }));
  const groups = [...box.querySelectorAll("th[scope=rowgroup]")].map((cell) => cell.textContent);
  expect(groups).toEqual(["plants", "feet", "stances", "posture", "changes", "path"]);
  expect(box.querySelector(".quality-results .hint")!.textContent).toBe(
    "Against the clip before: hips 1.2 cm lower on average.",
  );
});
