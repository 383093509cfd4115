import * as THREE from "three";
import { expect, test } from "vitest";
import { simplifyMesh } from "../../src/viewport/simplified_mesh";

/** A skin of two bones: vertices right of x = 0 follow the second. Vertices at a seam are at the very same point. */
function skinned(geometry: THREE.BufferGeometry): { geometry: THREE.BufferGeometry; inverses: THREE.Matrix4[] } {
  const { position } = geometry.attributes;
  for (let n = 0; n < position!.array.length; n++) position!.array[n] = Math.round(1e4 * position!.array[n]!) / 1e4 + 0;
  const bones = Array.from({ length: position!.count }, (_, n) => [position!.getX(n) > 0 ? 1 : 0, 0, 0, 0]).flat();
  const weights = Array.from({ length: position!.count }, () => [1, 0, 0, 0]).flat();
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(bones, 4));
  geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
  geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(geometry.index!.array), 1));
  if (geometry.groups.length === 0) geometry.addGroup(0, geometry.index!.count, 0);
  const inverses = [-0.5, 0.5].map((x) => new THREE.Matrix4().makeTranslation(-x, 0, 0));
  return { geometry, inverses };
}

/** The point that a vertex is at, whichever of the vertices that are split there. */
function pointsOf({ attributes: { position } }: THREE.BufferGeometry): (vertex: number) => string {
  return (vertex) => [position!.getX(vertex), position!.getY(vertex), position!.getZ(vertex)].join();
}

/** Edges that belong to one triangle only, between points. */
function openEdges(geometry: THREE.BufferGeometry): string[] {
  const point = pointsOf(geometry);
  const edges = new Map<string, number>();
  const index = geometry.index!.array;
  for (let n = 0; n < index.length; n += 3) {
    const corners = [0, 1, 2].map((k) => point(index[n + k]!));
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % 3]!;
      if (from === to) return; // an edge without length, at a pole of a sphere
      const key = [from, to].sort().join(" to ");
      edges.set(key, (edges.get(key) ?? 0) + 1);
    });
  }
  return [...edges].filter(([, count]) => count === 1).map(([edge]) => edge);
}

test("a closed surface with seams stays closed, and keeps its vertices in their buffers", async () => {
  const { geometry, inverses } = skinned(new THREE.SphereGeometry(1, 48, 32));
  expect(openEdges(geometry)).toEqual([]);
  const simple = await simplifyMesh(geometry, inverses, 700);
  expect(simple.index!.count / 3).toBeLessThan(1500);
  expect(simple.index!.count / 3).toBeGreaterThan(100);
  expect(openEdges(simple)).toEqual([]);
  for (const name of ["position", "normal", "uv", "skinIndex", "skinWeight"]) {
    expect(simple.attributes[name]).toBe(geometry.attributes[name]);
  }
});

test("parts of different materials stay parts, and meet where they met", async () => {
  const sphere = new THREE.SphereGeometry(1, 48, 32);
  const half = 3 * Math.floor(sphere.index!.count / 6);
  sphere.addGroup(0, half, 0);
  sphere.addGroup(half, sphere.index!.count - half, 4);
  const { geometry, inverses } = skinned(sphere);
  const simple = await simplifyMesh(geometry, inverses, 700);
  expect(simple.groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 4]);
  expect(simple.groups.reduce((sum, { count }) => sum + count, 0)).toBe(simple.index!.count);
  expect(openEdges(simple)).toEqual([]);
});

test("what would change the look too much is kept: a cube stays a cube", async () => {
  const { geometry, inverses } = skinned(new THREE.BoxGeometry(1, 1, 1));
  geometry.clearGroups();
  geometry.addGroup(0, geometry.index!.count, 0);
  const simple = await simplifyMesh(geometry, inverses, 2);
  expect(simple.index!.count).toBe(geometry.index!.count);
});

test("vertices that follow different bones do not merge across a joint", async () => {
  const tube = new THREE.CylinderGeometry(0.2, 0.2, 2, 16, 40, true).rotateZ(Math.PI / 2);
  const { geometry, inverses } = skinned(tube);
  const simple = await simplifyMesh(geometry, inverses, 60);
  expect(simple.index!.count).toBeLessThan(geometry.index!.count / 3);
  const { position, skinIndex } = geometry.attributes;
  const used = new Set(simple.index!.array);
  // On either side of the joint, a ring of vertices is left for the surface to bend between.
  for (const bone of [0, 1]) {
    const nearest = [...used].filter((n) => skinIndex!.getX(n) === bone).map((n) => Math.abs(position!.getX(n)));
    expect(Math.min(...nearest)).toBeLessThan(0.06);
  }
});
