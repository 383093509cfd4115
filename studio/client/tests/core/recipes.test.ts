import { expect, test } from "vitest";
import {
  newBlend,
  newEnforce,
  newFramespace,
  newLoop,
  newTransition,
  newWarp,
  sourcesOf,
} from "../../src/core/recipes";

test("sources come in the order of the recipe", () => {
  expect(sourcesOf(newBlend(["a", "b"]))).toEqual(["a", "b"]);
  expect(sourcesOf(newTransition("a", "b"))).toEqual(["a", "b"]);
  expect(sourcesOf(newWarp("a"))).toEqual(["a"]);
  expect(sourcesOf(newEnforce("a"))).toEqual(["a"]);
  expect(sourcesOf(newLoop("a", 40))).toEqual(["a"]);
  expect(sourcesOf({ type: "file", path: "a.bvh" })).toEqual([]);
});
test("a new blend has equal weights", () =>
  expect(newBlend(["a", "b", "c", "d"]).weights).toEqual([0.25, 0.25, 0.25, 0.25]));
test("a new framespace has one coordinate beside time for two and three clips, two for four", () => {
  expect(newFramespace(["a", "b"]).curve[1]).toEqual([0.25, 0.25]);
  expect(newFramespace(["a", "b", "c"]).curve[1]).toEqual([0.25, 0.25]);
  expect(newFramespace(["a", "b", "c", "d"]).curve[1]).toEqual([0.25, 0.25, 0.5]);
});
test("a new transition is automatic", () => expect(newTransition("a", "b").at).toBeNull());
