import type { Axis } from "./axis";

/** One value per step of time. */
export interface Curve {
  /** How many values there are, and each of them. */
  length: number;
  value(index: number): number;
  /** Which value (fractions lie between two) is shown at a time. */
  index(seconds: number): number;
  seconds(index: number): number;
}

/** Draw a curve over what is in view, with no more points than the pixels can show: where several values fall on one
 * pixel, the lowest and the highest stand for them. `y` turns a value into pixels. */
export function traceCurve(
  context: CanvasRenderingContext2D,
  axis: Axis,
  curve: Curve,
  y: (value: number) => number,
): void {
  if (curve.length === 0) return;
  const ends = [curve.index(axis.start), curve.index(axis.end)];
  const first = clamped(Math.floor(Math.min(...ends)) - 1, curve.length);
  const last = clamped(Math.ceil(Math.max(...ends)) + 1, curve.length);
  const perPixel = (last - first) / Math.max(1, axis.width);
  context.beginPath();
  if (perPixel <= 1) traceAll(context, axis, curve, y, first, last);
  else traceExtremes(context, axis, curve, y, first, last, perPixel);
  context.stroke();
}

function traceAll(
  context: CanvasRenderingContext2D,
  axis: Axis,
  curve: Curve,
  y: (value: number) => number,
  first: number,
  last: number,
): void {
  for (let n = first; n <= last; n++) context.lineTo(axis.x(curve.seconds(n)), y(curve.value(n)));
}

function traceExtremes(
  context: CanvasRenderingContext2D,
  axis: Axis,
  curve: Curve,
  y: (value: number) => number,
  first: number,
  last: number,
  perPixel: number,
): void {
  for (let from = first; from <= last; from += perPixel) {
    const until = Math.min(last + 1, from + perPixel);
    let [low, high] = [Infinity, -Infinity];
    for (let n = Math.ceil(from); n < until; n++) {
      const value = curve.value(n);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) continue;
    const x = axis.x(curve.seconds(from));
    context.lineTo(x, y(low));
    if (high > low) context.lineTo(x, y(high));
  }
}

function clamped(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}
