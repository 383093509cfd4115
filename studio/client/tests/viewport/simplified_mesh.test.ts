import * as THREE from "three";
import { expect, test } from "vitest";
import { simplifyMesh } from "../../src/viewport/simplified_mesh";

/** A flat strip of squares along X, each of two triangles; vertices follow bone 0 or 1. */
function strip(nSquares: number, boneOf: (x: number) => number): THREE.BufferGeometry {
  const positions: number[] = [];
  const bones: number[] = [];
  const index: number[] = [];
  for (let x = 0; x <= nSquares; x++) {
    positions.push(x, 0, 0, x, 4, 0);
    bones.push(boneOf(x), 0, 0, 0, boneOf(x), 0, 0, 0);
    const n = 2 * x;
    if (x < nSquares) index.push(n, n + 2, n + 1, n + 1, n + 2, n + 3);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(bones, 4));
  geometry.setAttribute(
    "skinWeight",
    new THREE.Float32BufferAttribute(
      positions.flatMap((_, n) => (n < bones.length / 4 ? [1, 0, 0, 0] : [])),
      4,
    ),
  );
  geometry.setIndex(index);
  geometry.addGroup(0, index.length, 0);
  return geometry;
}

test("large cells leave fewer triangles, and small ones leave all", () => {
  const full = strip(16, () => 0);
  expect(simplifyMesh(full, 1000).index!.count).toBe(full.index!.count);
  const simple = simplifyMesh(full, 8);
  expect(simple.index!.count).toBeLessThan(full.index!.count);
  expect(simple.index!.count).toBeGreaterThan(0);
  expect(simple.attributes["position"]).toBe(full.attributes["position"]);
});

test("vertices of different bones stay apart", () => {
  const one = simplifyMesh(
    strip(8, () => 0),
    1,
  );
  const two = simplifyMesh(
    strip(8, (x) => (x < 4 ? 0 : 1)),
    1,
  );
  expect(one.index!.count).toBe(0);
  expect(two.groups).toHaveLength(1);
});
