import { expect, test } from "vitest";
import { findPlace, overlaps } from "../../src/viewport/label_places";

const at = (x: number, y: number, width = 40, height = 10) => ({ x, y, width, height });
const view = at(0, 20, 400, 300);

test("a label stays where it is wanted if that is free", () => {
  expect(findPlace(at(100, 50), [], view)).toEqual(at(100, 50));
  expect(findPlace(at(100, 50), [at(140, 50)], view)).toEqual(at(100, 50));
});

test("it moves to the nearest free place: over another label, or beside a body", () => {
  expect(findPlace(at(110, 50), [at(100, 50)], view)).toEqual(at(110, 38));
  expect(findPlace(at(110, 120), [at(80, 60, 80, 200)], view)).toEqual(at(162, 120));
  expect(findPlace(at(90, 120), [at(80, 60, 80, 200)], view)).toEqual(at(38, 120));
});

test("places beside one box that another one covers are not taken", () => {
  const others = [at(80, 60, 80, 200), at(150, 95)];
  const place = findPlace(at(110, 100), others, view)!;
  expect(others.some((other) => overlaps(place, other))).toBe(false);
});

test("labels stay inside the view, below the buttons", () => {
  expect(findPlace(at(380, 50), [], view)).toEqual(at(360, 50));
  expect(findPlace(at(-10, 5), [], view)).toEqual(at(0, 20));
  expect(findPlace(at(0, 5), [at(0, 20)], view)).toEqual(at(0, 32));
});

test("without room near by there is no place", () => {
  expect(findPlace(at(100, 100), [at(-300, -300, 1000, 1000)], view)).toBeNull();
  expect(findPlace(at(0, 30), [at(0, 20, 390, 300)], view)).toBeNull();
});

test("a label that was shifted stays so while that is free, and comes back when it can", () => {
  const body = at(80, 60, 80, 200);
  expect(findPlace(at(110, 120), [body], view, { x: -72, y: 0 })).toEqual(at(38, 120));
  expect(findPlace(at(100, 30), [body], view, { x: -80, y: 0 })).toEqual(at(100, 30));
  expect(findPlace(at(150, 100), [body], view, { x: -112, y: 0 })).toEqual(at(162, 100));
});
