import { expect, test, vi } from "vitest";
import { clipsPanel } from "../../../src/panels/clips/panel";
import { clip, connectStudio } from "../connected_studio";

test("renaming a folder during a search moves all its clips, also those that were not found", () => {
  const { studio, edits, show } = connectStudio();
  vi.spyOn(studio.server, "formats").mockResolvedValue({ accepted: [], exports: [] });
  const box = clipsPanel(studio).element;
  document.body.append(box);
  show(clip("walk", { folder: "Takes" }), clip("jog", { folder: "Takes" }), clip("kick"));
  const search = box.querySelector<HTMLInputElement>("input[type=search]")!;
  search.value = "jog";
  search.dispatchEvent(new Event("input"));
  expect(box.querySelectorAll(".clip")).toHaveLength(1);
  box.querySelector(".clip-folder button")!.dispatchEvent(new MouseEvent("dblclick"));
  const input = box.querySelector<HTMLInputElement>(".clip-folder input")!;
  input.value = "Good takes";
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  expect(edits).toEqual([{ type: "move", items: ["walk", "jog"], folder: "Good takes" }]);
});
