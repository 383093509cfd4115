import { clamp } from "../core/numbers";
import type { Table } from "../core/packs";
import { traceValues } from "../widgets/curve_trace";
import type { Axis } from "./axis";
import type { ClipView } from "./clip_view";

/** One value per frame. */
export interface Curve {
  /** The number of values, and each of them. */
  length: number;
  value(index: number): number;
  /** The index at a time, with a fraction, and back. */
  index(seconds: number): number;
  seconds(index: number): number;
}

/** Draw the part of a curve that is in view. Where several values fall on one pixel, only the lowest and the highest
 * are drawn. `y` converts a value to pixels. */
export function traceCurve(
  context: CanvasRenderingContext2D,
  axis: Axis,
  curve: Curve,
  y: (value: number) => number,
): void {
  if (curve.length === 0) return;
  const ends = [curve.index(axis.start), curve.index(axis.end)];
  const first = clamp(Math.floor(Math.min(...ends)) - 1, 0, curve.length - 1);
  const last = clamp(Math.ceil(Math.max(...ends)) + 1, 0, curve.length - 1);
  const x = (index: number): number => axis.x(curve.seconds(index));
  context.beginPath();
  traceValues(context, { value: (index) => curve.value(index), x, y }, first, last, axis.width);
  context.stroke();
}

/** A column of an array with one row per frame of a blend: u, weights or source frames. */
export function columnCurve(view: ClipView, table: Table, column: number): Curve {
  const { computed } = view;
  const length = table.shape[0] ?? 0;
  const width = table.shape[1] ?? 1;
  // Rows count frames before the edits of the clip, unless there is one for each edited frame.
  const isEdited = length === view.motion.nFrames;
  return {
    length,
    value: (index) => table.values[index * width + column]!,
    index: (seconds) => (isEdited ? seconds * computed.fps : computed.frame(seconds)),
    seconds: (index) => (isEdited ? index / computed.fps : computed.seconds(index)),
  };
}

/** The value at the frame nearest to a time. */
export function valueAt(curve: Curve, seconds: number): number {
  return curve.value(clamp(Math.round(curve.index(seconds)), 0, curve.length - 1));
}

/** The smallest and the largest value of a curve. */
export function rangeOf(curve: Curve): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let index = 0; index < curve.length; index++) {
    const value = curve.value(index);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
