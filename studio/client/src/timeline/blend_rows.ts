import type { Table } from "../core/packs";
import type { Curve } from "./curves";
import type { Shown } from "./shown";
import { within } from "./values";

/** A column of a table that has one row per frame of a blend: its u, weights, or source frames. */
export function columnCurve(shown: Shown, table: Table, column: number): Curve {
  const { made } = shown;
  const length = table.shape[0] ?? 0;
  const width = table.shape[1] ?? 1;
  // The rows are those of the blend before its edits, unless there are as many as frames.
  const asShown = length === shown.motion.nFrames;
  return {
    length,
    value: (index) => table.values[index * width + column]!,
    index: (seconds) => (asShown ? seconds * made.fps : made.frame(seconds)),
    seconds: (index) => (asShown ? index / made.fps : made.seconds(index)),
  };
}

/** The value at the row nearest to a time. */
export function valueAt(curve: Curve, seconds: number): number {
  return curve.value(within(Math.round(curve.index(seconds)), 0, curve.length - 1));
}

/** Least and greatest value of a curve. */
export function rangeOf(curve: Curve): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let index = 0; index < curve.length; index++) {
    const value = curve.value(index);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
