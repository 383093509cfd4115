import { describe, expect, test } from "vitest";
import { normalize, padWeights, spreadPoints, triangleWeights, weightedPoint } from "../../src/core/weights";

const CORNERS: [{ x: number; y: number }, { x: number; y: number }, { x: number; y: number }] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
];

describe("normalize", () => {
  test("scales to a sum of 1", () => expect(normalize([1, 3])).toEqual([0.25, 0.75]));
  test("gives equal weights for a zero sum", () => expect(normalize([0, 0])).toEqual([0.5, 0.5]));
  test("keeps negative weights", () => expect(normalize([3, -1])).toEqual([1.5, -0.5]));
});

test("the weighted point is the mean of the corners", () => {
  expect(weightedPoint([1, 1, 2], CORNERS)).toEqual({ x: 0.25, y: 0.5 });
});

describe("triangleWeights", () => {
  test("are barycentric", () => expect(triangleWeights({ x: 0.25, y: 0.5 }, CORNERS)).toEqual([0.25, 0.25, 0.5]));
  test("are clamped to the triangle", () => expect(triangleWeights({ x: -1, y: 0 }, CORNERS)).toEqual([1, 0, 0]));
});

describe("padWeights", () => {
  test("a corner gets all the weight", () => expect(padWeights({ x: 1, y: 0 }, CORNERS)).toEqual([0, 1, 0]));
  test("equal distances get equal weights", () => {
    expect(padWeights({ x: 0.5, y: 0.5 }, CORNERS)).toEqual(
      [1 / 3, 1 / 3, 1 / 3].map((w): unknown => expect.closeTo(w)),
    );
  });
});

test("coinciding points are moved apart", () => {
  const [a, b] = spreadPoints([
    { x: 1, y: 1 },
    { x: 1, y: 1 },
  ]);
  expect(a).toEqual({ x: 0.5, y: 0.5 });
  expect(b!.x).toBeCloseTo(0.6);
});
