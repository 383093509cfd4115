/** A point in the plane; weight fields are drawn in the unit square. */
export interface Point {
  x: number;
  y: number;
}

/** Distances and sums below this count as zero. */
const EPSILON = 1e-6;

/** Scale weights to a sum of 1; equal weights if the sum is zero. */
export function normalize(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum) < EPSILON) return weights.map(() => 1 / weights.length);
  return weights.map((weight) => weight / sum);
}

/** The mean of the corners, weighted. */
export function weightedPoint(weights: number[], corners: Point[]): Point {
  const fractions = normalize(weights);
  return {
    x: corners.reduce((sum, corner, n) => sum + corner.x * (fractions[n] ?? 0), 0),
    y: corners.reduce((sum, corner, n) => sum + corner.y * (fractions[n] ?? 0), 0),
  };
}

/** Weights of three corners at a point: its barycentric coordinates, clamped to the triangle. */
export function triangleWeights(point: Point, [a, b, c]: [Point, Point, Point]): number[] {
  const area = (b.y - c.y) * (a.x - c.x) + (c.x - b.x) * (a.y - c.y);
  const first = ((b.y - c.y) * (point.x - c.x) + (c.x - b.x) * (point.y - c.y)) / area;
  const second = ((c.y - a.y) * (point.x - c.x) + (a.x - c.x) * (point.y - c.y)) / area;
  return normalize([first, second, 1 - first - second].map((weight) => Math.max(0, weight)));
}

/** Weights of any number of corners at a point, by inverse cubed distance; a corner itself gets all the weight. */
export function padWeights(point: Point, corners: Point[]): number[] {
  const distances = corners.map(({ x, y }) => Math.hypot(point.x - x, point.y - y));
  const nearest = distances.findIndex((distance) => distance < EPSILON);
  if (nearest >= 0) return corners.map((_, n) => (n === nearest ? 1 : 0));
  return normalize(distances.map((distance) => distance ** -3));
}

/** Distance of points from the edge of the unit square, which leaves room for labels. */
const MARGIN = 0.12;

/** Scale points to fill the unit square, within a margin, and move coinciding points apart. */
export function spreadPoints(points: Point[]): Point[] {
  const scaled = (values: number[]): number[] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((value) =>
      high - low < EPSILON ? 0.5 : MARGIN + ((1 - 2 * MARGIN) * (value - low)) / (high - low),
    );
  };
  const xs = scaled(points.map(({ x }) => x));
  const ys = scaled(points.map(({ y }) => y));
  return separate(xs.map((x, n) => ({ x, y: ys[n]! })));
}

/** Points at equal distances on a ring in the unit square, clockwise from the top. */
export function ringPoints(count: number): Point[] {
  const radius = 0.5 - MARGIN;
  return Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count;
    return { x: 0.5 + radius * Math.sin(angle), y: 0.5 - radius * Math.cos(angle) };
  });
}

/** Spacing of the positions that are tried for a point whose own is taken, and how far they stay from the edge. */
const STEP = 0.1;
const EDGE = 0.05;
/** Steps to the positions around a point, nearest first, and to the right before others. */
const REACH = [-9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const STEPS = REACH.flatMap((i) => REACH.map((j): [number, number] => [i, j])).sort(
  ([a, b], [c, d]) => a * a + b * b - (c * c + d * d) || c - a,
);

/** Move points that lie on top of each other to the nearest free positions. Each point takes at most one of the 81 or
 * more positions around another, so 50 points find room; further ones stay where they are. */
function separate(points: Point[]): Point[] {
  const placed: Point[] = [];
  const isInside = (value: number): boolean => value >= EDGE && value <= 1 - EDGE;
  const isFree = (point: Point): boolean =>
    placed.every(({ x, y }) => Math.hypot(x - point.x, y - point.y) >= STEP / 2);
  for (const point of points) {
    const around = STEPS.map(([i, j]) => ({ x: point.x + i * STEP, y: point.y + j * STEP }));
    placed.push(around.find((one) => isInside(one.x) && isInside(one.y) && isFree(one)) ?? point);
  }
  return placed;
}

/** A label in a field of 100 × 100: where its text starts, ends or has its middle, by its anchor. */
export interface LabelPosition {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  text: string;
}

/** Width of a letter, height of a line and distance from a corner, in a field of 100 × 100. */
const LETTER = 2.7;
const LINE = 5.6;
const LABEL_GAP = 5.5;
const MAX_LETTERS = 18;

/** Place the labels of corners above or below them, within the field and clear of each other; long ones are shortened. */
export function labelPositions(corners: { label: string; at: Point }[]): LabelPosition[] {
  const placed: { left: number; right: number; y: number }[] = [];
  return corners.map(({ label, at }) => {
    const text = label.length > MAX_LETTERS ? `${label.slice(0, MAX_LETTERS - 1).trimEnd()}…` : label;
    const width = LETTER * text.length;
    const left = Math.min(Math.max(100 * at.x - width / 2, 1), 99 - width);
    const [above, below] = [100 * at.y - LABEL_GAP, 100 * at.y + LABEL_GAP + LINE / 2];
    const near = at.y < 0.5 ? [above, below] : [below, above];
    // Farther rows are tried where another label is in the way.
    const rows = [...near, ...[1, 2, 3].flatMap((n) => [below + n * LINE, above - n * LINE])];
    const isFree = (y: number): boolean =>
      y > LINE &&
      y < 99 &&
      placed.every((one) => Math.abs(one.y - y) >= LINE || left > one.right || left + width < one.left);
    const y = rows.find(isFree) ?? near[0]!;
    placed.push({ left, right: left + width, y });
    return { x: left + width / 2, y, anchor: "middle", text };
  });
}
