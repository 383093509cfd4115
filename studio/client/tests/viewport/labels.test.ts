import { expect, test } from "vitest";
import { place } from "../../src/viewport/labels";

const at = (x: number, y: number) => ({ x, y, width: 40, height: 10 });

test("a label moves up until it is free", () => {
  expect(place(at(0, 50), [])).toEqual(at(0, 50));
  expect(place(at(10, 50), [at(0, 50)])).toEqual(at(10, 38));
  expect(place(at(10, 50), [at(0, 50), at(20, 40)])).toEqual(at(10, 28));
  expect(place(at(60, 50), [at(0, 50)])).toEqual(at(60, 50));
});

test("where there is no room above, it moves down", () => {
  expect(place(at(0, 5), [], 20)).toEqual(at(0, 20));
  expect(place(at(0, 22), [at(0, 22)], 20)).toEqual(at(0, 34));
});
