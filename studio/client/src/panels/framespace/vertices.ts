/** Digits to which vertices are kept: a hundredth of a percent. */
const DIGITS = 1e4;

function inside(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 1) * DIGITS) / DIGITS;
}

/** The vertices with one elsewhere: inside the space, and between its neighbours in time. In a loop both ends go. */
export function placed(vertices: number[][], vertex: number, to: number[], loop: boolean): number[][] {
  const low = vertices[vertex - 1]?.[0] ?? 0;
  const high = vertices[vertex + 1]?.[0] ?? 1;
  const [x = 0, ...values] = to.map(inside);
  const moved = [Math.min(Math.max(x, low), high), ...values];
  const last = vertices.length - 1;
  const tied = loop && (vertex === 0 || vertex === last) ? last - vertex : -1;
  return vertices.map((row, n) => (n === vertex ? moved : n === tied ? [row[0]!, ...values] : row));
}

/** The vertices with one more, in the order of time, and its number. */
export function inserted(vertices: number[][], to: number[]): { vertices: number[][]; at: number } {
  const row = to.map(inside);
  const after = vertices.findIndex(([x]) => x! > row[0]!);
  const at = after < 0 ? vertices.length : after;
  return { vertices: [...vertices.slice(0, at), row, ...vertices.slice(at)], at };
}

/** The vertices with the last where the first is, as a loop needs them. */
export function closed(vertices: number[][]): number[][] {
  const [first, last] = [vertices[0], vertices.at(-1)];
  if (!first || !last) return vertices;
  return [...vertices.slice(0, -1), [last[0]!, ...first.slice(1)]];
}
