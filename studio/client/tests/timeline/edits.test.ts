import { expect, test } from "vitest";
import type { ClipEdit, ClipHeader, Item, Marks } from "../../src/core/messages";
import type { Motion } from "../../src/core/motion";
import { markFrame, markSeconds, type ClipView } from "../../src/timeline/clip_view";
import { EditedTime } from "../../src/timeline/edited_time";
import { marksOf, setTrim } from "../../src/timeline/edits";

const PLAIN = { trim: null, speed: null, reverse: false, mirror: false } as ClipEdit;
const [FPS, LAST] = [30, 100];

function marksAt(joint: string, start: number, end: number, edit: ClipEdit | null = null): Marks {
  const plant = { joint, kind: "heel", start, end, point: [0, 0, 0] as [number, number, number], target: null };
  return { plants: [plant], events: [{ frame: start, label: "strike", joint }], edit };
}

/** A clip with an edit whose motion was computed with another and shows marks of its own. */
function viewOf(requested: ClipEdit, computed: ClipEdit, shown: Marks, marks: Marks | null): ClipView {
  const header = { ...shown, edit: computed } as unknown as ClipHeader;
  return {
    item: { id: "c1", edit: requested, marks } as Item,
    motion: { header } as Motion,
    computed: new EditedTime(computed, FPS, LAST),
    requested: new EditedTime(requested, FPS, LAST),
    last: LAST,
    sources: [],
  };
}

test("edited marks follow speed, direction and trim", () => {
  const marks = marksAt("LeftFoot", 20, 30, PLAIN);
  const edit = { ...PLAIN, trim: [10, 90], speed: 2, reverse: true } as ClipEdit;
  const view = viewOf(edit, PLAIN, marksAt("LeftFoot", 20, 30), marks);
  expect(marksOf(view)).toEqual({
    ...marksAt("LeftFoot", 30, 35),
    events: [{ frame: 35, label: "strike", joint: "LeftFoot" }],
  });
  // Until the motion is computed, they stay where it shows them.
  expect(markSeconds(view, 35)).toBeCloseTo(20 / FPS);
  expect(markFrame(view, 20 / FPS)).toBeCloseTo(35);
});

test("detected marks count frames of the edit that the motion was computed with", () => {
  const view = viewOf({ ...PLAIN, speed: 2 }, PLAIN, marksAt("LeftFoot", 20, 30), null);
  expect(marksOf(view)).toEqual(marksAt("LeftFoot", 10, 15));
  expect(markSeconds(view, 10)).toBeCloseTo(20 / FPS);
});

test("marks that nothing moves are passed on as they are", () => {
  const marks = marksAt("LeftFoot", 20.25, 30.1);
  expect(marksOf(viewOf({ ...PLAIN, smooth: 5 }, PLAIN, marks, marks)).plants).toBe(marks.plants);
});

test("mirrored marks are those of the mirrored motion, and until then say their side", () => {
  const [mirrored, marks] = [{ ...PLAIN, mirror: true }, marksAt("LeftFoot", 20, 30, PLAIN)];
  const before = viewOf(mirrored, PLAIN, marksAt("LeftFoot", 20, 25), marks);
  expect(marksOf(before)).toEqual({ ...marks, edit: { ...mirrored, mirror: false } });
  const after = viewOf(mirrored, mirrored, marksAt("RightFoot", 20, 30), marks);
  expect(marksOf(after)).toEqual(marksAt("RightFoot", 20, 30));
});

test("a trim leaves moving the marks to the server, however many there are", () => {
  const view = viewOf(PLAIN, PLAIN, marksAt("LeftFoot", 20, 30), marksAt("LeftFoot", 20, 30));
  expect(setTrim(view, [10, 90])).toEqual([
    { type: "set_edit", item: "c1", edit: { ...PLAIN, trim: [10, 90] }, marks: null },
  ]);
});
