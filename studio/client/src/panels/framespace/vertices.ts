import { clamp, replaceAt, roundTo } from "../../core/numbers";

/** Decimals to which coordinates of vertices are rounded. */
export const DECIMALS = 4;

function clampCoordinate(value: number): number {
  return roundTo(clamp(value, 0, 1), DECIMALS);
}

/** Move a vertex within the space and between its neighbours in time. In a loop, both ends move together. */
export function moveVertex(vertices: number[][], vertex: number, to: number[], loop: boolean): number[][] {
  const [x = 0, ...values] = to.map(clampCoordinate);
  const min = vertices[vertex - 1]?.[0] ?? 0;
  const max = vertices[vertex + 1]?.[0] ?? 1;
  const moved = replaceAt(vertices, vertex, [clamp(x, min, max), ...values]);
  const last = vertices.length - 1;
  if (!loop || (vertex !== 0 && vertex !== last)) return moved;
  const opposite = last - vertex;
  return replaceAt(moved, opposite, [vertices[opposite]![0]!, ...values]);
}

/** Insert a vertex in order of time; also returns its index. */
export function insertVertex(vertices: number[][], at: number[]): { vertices: number[][]; index: number } {
  const row = at.map(clampCoordinate);
  const after = vertices.findIndex(([x]) => x! > row[0]!);
  const index = after < 0 ? vertices.length : after;
  return { vertices: [...vertices.slice(0, index), row, ...vertices.slice(index)], index };
}

/** Give the last vertex the values of the first, as a loop needs. */
export function closeCurve(vertices: number[][]): number[][] {
  const [first, last] = [vertices[0], vertices.at(-1)];
  if (!first || !last) return vertices;
  return [...vertices.slice(0, -1), [last[0]!, ...first.slice(1)]];
}
