import { describe, expect, test } from "vitest";
import {
  normalize,
  padWeights,
  ringPoints,
  spreadPoints,
  triangleWeights,
  weightedPoint,
} from "../../src/core/weights";

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

/** The smallest distance between two of the points. */
function minDistance(points: { x: number; y: number }[]): number {
  return Math.min(...points.flatMap((a, n) => points.slice(n + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))));
}

const isInside = ({ x, y }: { x: number; y: number }): boolean => x >= 0 && x <= 1 && y >= 0 && y <= 1;

test.each([21, 50])("%i coinciding points all find a place of their own", (count) => {
  const points = spreadPoints(Array.from({ length: count }, () => ({ x: 0, y: 0 })));
  expect(minDistance(points)).toBeGreaterThan(0.04);
  expect(points.every(isInside)).toBe(true);
});

test("so do points in two heaps at opposite corners", () => {
  const points = spreadPoints(Array.from({ length: 50 }, (_, n) => ({ x: n % 2, y: n % 2 })));
  expect(minDistance(points)).toBeGreaterThan(0.04);
  expect(points.every(isInside)).toBe(true);
});

test("more points than there is room for stay where they are", () => {
  expect(spreadPoints(Array.from({ length: 200 }, () => ({ x: 0, y: 0 })))).toHaveLength(200);
});

test("points on a ring are apart and start at the top", () => {
  const points = ringPoints(50);
  expect(points[0]).toEqual({ x: 0.5, y: expect.closeTo(0.12) as number });
  expect(minDistance(points)).toBeGreaterThan(0.04);
});
