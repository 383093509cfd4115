import { expect, test } from "vitest";
import type { ClipEdit, Document, Item } from "../../src/core/messages";
import type { Motion } from "../../src/core/motion";
import { newBlend } from "../../src/core/recipes";
import { Signal } from "../../src/core/signal";
import type { Studio } from "../../src/core/studio";
import { TimelineEditor } from "../../src/timeline/editor";

const PLAIN = { trim: null, speed: null, reverse: false, mirror: false } as ClipEdit;
const FASTER = { ...PLAIN, speed: 2 };

test("a motion belongs to the edit that it was made with, also if the clip has another by now", () => {
  const item = { id: "c1", edit: FASTER, marks: null, recipe: newBlend([]) } as unknown as Item;
  const motion = { key: "old", header: { fps: 30, whole_frames: 101, edit: PLAIN } } as unknown as Motion;
  const editor = new TimelineEditor({
    documentChanged: new Signal<Document>(),
    itemChanged: new Signal<string>(),
    item: () => item,
    motion: () => motion,
  } as unknown as Studio);
  const { computed, requested } = editor.view("c1")!;
  expect([computed.step, requested.step]).toEqual([1, 2]);
});
