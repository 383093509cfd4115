import { expect, test } from "vitest";
import { applyToItem, isSame } from "../../src/core/edits";
import type { ClipEdit, Item, Marks } from "../../src/core/messages";

const EDIT = { mirror: true } as ClipEdit;
const [OLD, NEW] = [
  { plants: [], edit: null },
  { plants: [{ foot: "left" }], edit: null },
] as unknown as Marks[];
const ITEM = { id: "c1", edit: { mirror: false }, marks: OLD } as unknown as Item;

test("an edit keeps the marks of the clip unless it brings its own", () => {
  const smooth = { mirror: false, smooth: 5 } as ClipEdit;
  const kept = applyToItem(ITEM, { type: "set_edit", item: "c1", edit: smooth, marks: null });
  expect(kept).toEqual({ ...ITEM, edit: smooth });
  const both = applyToItem(ITEM, { type: "set_edit", item: "c1", edit: EDIT, marks: NEW! });
  expect(both).toEqual({ ...ITEM, edit: EDIT, marks: NEW });
});

test("marks remember the edit whose frames they count until the clip has it again", () => {
  const mirrored = applyToItem(ITEM, { type: "set_edit", item: "c1", edit: EDIT, marks: null });
  expect(mirrored.marks).toEqual({ ...OLD, edit: ITEM.edit });
  const faster = applyToItem(mirrored, { type: "set_edit", item: "c1", edit: { ...EDIT, speed: 2 }, marks: null });
  expect(faster.marks).toEqual({ ...OLD, edit: ITEM.edit });
  expect(applyToItem(faster, { type: "set_edit", item: "c1", edit: ITEM.edit, marks: null })).toEqual(ITEM);
});

test("marks are replaced, also by none", () => {
  expect(applyToItem(ITEM, { type: "set_marks", item: "c1", marks: NEW! }).marks).toBe(NEW);
  expect(applyToItem(ITEM, { type: "set_marks", item: "c1", marks: null }).marks).toBeNull();
});

test("edits of other clips leave a clip as it is", () => {
  expect(applyToItem(ITEM, { type: "set_marks", item: "c2", marks: null })).toBe(ITEM);
});

test("values are the same in whatever order fields were written", () => {
  expect(isSame({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toBe(true);
  expect(isSame({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame({}, [])).toBe(false);
  expect(isSame({ a: null }, { a: {} })).toBe(false);
});
