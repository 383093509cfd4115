import { expect, test } from "vitest";
import type { Document, Edit } from "../../src/core/messages";
import { UnansweredEdits } from "../../src/core/unanswered_edits";

const DOCUMENT = {
  items: [
    { id: "c1", visible: true, marks: null },
    { id: "c2", visible: true, marks: null },
  ],
  characters: [{ id: "k1", joint_map: {} }],
  figure: "sticks",
} as unknown as Document;

const hide = (item: string): Edit => ({ type: "show", item, visible: false });

test("a document has every edit that is not answered, in order", () => {
  const edits = new UnansweredEdits();
  edits.add(hide("c1"));
  edits.add({ type: "map_joints", character: "k1", joint_map: { a: "b" }, item: null });
  edits.add({ type: "choose_figure", figure: "k1" });
  edits.add({ type: "choose_figure", figure: "mannequin" });
  const { items, characters, figure } = edits.apply(DOCUMENT);
  expect(items.map(({ visible }) => visible)).toEqual([false, true]);
  expect(items[1]).toBe(DOCUMENT.items[1]);
  expect(characters[0]!.joint_map).toEqual({ a: "b" });
  expect(figure).toBe("mannequin");
});

test("the list of clips is left to the server", () => {
  const edits = new UnansweredEdits();
  edits.add({ type: "remove", item: "c1" });
  edits.add({ type: "rename", item: "c1", name: "new" });
  expect(edits.apply(DOCUMENT)).toEqual(DOCUMENT);
});

test("answered edits are left to the server", () => {
  const edits = new UnansweredEdits();
  const serial = edits.add(hide("c1"));
  expect(edits.answer(serial)).toBe(true);
  expect(edits.answer(serial)).toBe(false);
  expect(edits.apply(DOCUMENT)).toBe(DOCUMENT);
});

test("a question waits for the edits before it, not for those after it", async () => {
  const edits = new UnansweredEdits();
  const said: string[] = [];
  await edits.answered();
  const first = edits.add(hide("c1"));
  const second = edits.add(hide("c2"));
  const asked = edits.answered().then(() => said.push("ready"));
  const third = edits.add(hide("c1"));
  edits.answer(first);
  await Promise.resolve();
  expect(said).toEqual([]);
  edits.answer(second);
  await asked;
  expect(said).toEqual(["ready"]);
  edits.answer(third);
});

test("nobody waits for a lost connection", async () => {
  const edits = new UnansweredEdits();
  edits.add(hide("c1"));
  const asked = edits.answered();
  edits.clear();
  await asked;
  expect(edits.apply(DOCUMENT)).toBe(DOCUMENT);
});
