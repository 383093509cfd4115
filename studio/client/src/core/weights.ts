/** A point of a plane; pads and triangles are drawn in the square from 0 to 1. */
export interface Point {
  x: number;
  y: number;
}

/** Nearer than this, a point is a corner: it gets all the weight. */
const AT_A_CORNER = 1e-6;

/** Weights with sum 1; all alike where they have no sum. */
export function normalised(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum) < AT_A_CORNER) return weights.map(() => 1 / weights.length);
  return weights.map((weight) => weight / sum);
}

/** Where weights lie among corners. */
export function pointOf(weights: number[], corners: Point[]): Point {
  const shares = normalised(weights);
  return {
    x: corners.reduce((sum, corner, n) => sum + corner.x * (shares[n] ?? 0), 0),
    y: corners.reduce((sum, corner, n) => sum + corner.y * (shares[n] ?? 0), 0),
  };
}

/** Weights of three corners at a point: its barycentric coordinates, kept within the triangle. */
export function triangleWeights(point: Point, [a, b, c]: [Point, Point, Point]): number[] {
  const area = (b.y - c.y) * (a.x - c.x) + (c.x - b.x) * (a.y - c.y);
  const first = ((b.y - c.y) * (point.x - c.x) + (c.x - b.x) * (point.y - c.y)) / area;
  const second = ((c.y - a.y) * (point.x - c.x) + (a.x - c.x) * (point.y - c.y)) / area;
  return normalised([first, second, 1 - first - second].map((weight) => Math.max(0, weight)));
}

/** Weights of any number of corners at a point: the nearer, the more; at a corner, all of it. */
export function padWeights(point: Point, corners: Point[]): number[] {
  const distances = corners.map(({ x, y }) => Math.hypot(point.x - x, point.y - y));
  const nearest = distances.findIndex((distance) => distance < AT_A_CORNER);
  if (nearest >= 0) return corners.map((_, n) => (n === nearest ? 1 : 0));
  return normalised(distances.map((distance) => distance ** -3));
}

/** Points spread over the square, with a margin so that labels fit; points that fall together are moved apart. */
export function spread(points: Point[], margin = 0.12): Point[] {
  const scaled = (values: number[]): number[] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((value) =>
      high - low < AT_A_CORNER ? 0.5 : margin + ((1 - 2 * margin) * (value - low)) / (high - low),
    );
  };
  const xs = scaled(points.map(({ x }) => x));
  const ys = scaled(points.map(({ y }) => y));
  return apart(xs.map((x, n) => ({ x, y: ys[n]! })));
}

/** Corners that lie on each other cannot be told apart: each such one steps aside. */
function apart(points: Point[]): Point[] {
  const step = 0.1;
  const placed: Point[] = [];
  for (const point of points) {
    const moved = { ...point };
    while (placed.some(({ x, y }) => Math.hypot(x - moved.x, y - moved.y) < step / 2)) {
      moved.x += step;
      if (moved.x > 0.95) [moved.x, moved.y] = [0.05, moved.y > 0.5 ? moved.y - step : moved.y + step];
    }
    placed.push(moved);
  }
  return placed;
}
