import { expect, test } from "vitest";
import { keepDriven } from "../../src/viewport/shape";

test("the pole below the hips and fingers at rest are left out, joints between driven ones stay", () => {
  // root on the floor, hips, spine at rest, head, and a helper at the hips.
  const parents = [-1, 0, 1, 2, 1];
  const ones = () => new Float32Array(5).fill(1);
  const { bones, joints } = keepDriven({ bones: ones(), joints: ones() }, parents, [null, "Hips", null, "Head", null]);
  expect([...bones]).toEqual([0, 0, 1, 1, 0]);
  expect([...joints]).toEqual([0, 1, 1, 1, 0]);
});
