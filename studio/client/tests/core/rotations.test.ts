import { expect, test } from "vitest";
import { exp, inverse, log, multiply } from "../../src/core/rotations";

const close = (values: number[]): unknown[] => values.map((value): unknown => expect.closeTo(value, 9));

test("a quarter turn about x", () => {
  expect(exp([Math.PI / 2, 0, 0])).toEqual(close([Math.SQRT1_2, Math.SQRT1_2, 0, 0]));
});
test("no rotation", () => {
  expect(exp([0, 0, 0])).toEqual(close([1, 0, 0, 0]));
  expect(log([1, 0, 0, 0])).toEqual(close([0, 0, 0]));
});
test("log inverts exp", () => expect(log(exp([0.1, -0.2, 0.3]))).toEqual(close([0.1, -0.2, 0.3])));
test("log takes the short way", () => expect(log(exp([1.5 * Math.PI, 0, 0]))).toEqual(close([-0.5 * Math.PI, 0, 0])));
test("angles about one axis add up", () => {
  expect(log(multiply(exp([0, 0.2, 0]), exp([0, 0.3, 0])))).toEqual(close([0, 0.5, 0]));
});
test("the inverse undoes a rotation", () => {
  const q = exp([0.4, 0.5, 0.6]);
  expect(multiply(q, inverse(q))).toEqual(close([1, 0, 0, 0]));
});
