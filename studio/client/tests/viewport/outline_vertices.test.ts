import * as THREE from "three";
import { expect, test } from "vitest";
import { findOutline } from "../../src/viewport/outline_vertices";

test("the outermost vertices of each bone are found, and none inside", () => {
  // Two tetrahedra of two bones, each around a vertex in its middle.
  const corners = [0, 0, 2, 2, 0, 0, 0, 2, 0, -2, -2, -2];
  const positions = [...corners, 0, 0, 0, ...corners.map((at) => at + 10), 10, 10, 10];
  const bones = Array.from({ length: 10 }, (_, n) => [0, n < 5 ? 0 : 1, 0, 0]).flat();
  const weights = Array.from({ length: 10 }, () => [0.2, 0.8, 0, 0]).flat();
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(bones, 4));
  geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
  expect(findOutline(geometry).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
});
