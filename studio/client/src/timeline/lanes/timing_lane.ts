import { columnCurve, rangeOf, valueAt } from "../blend_rows";
import { type Curve, traceCurve } from "../curves";
import { figureInk } from "../inks";
import type { Shown } from "../shown";
import type { Lane, Picture } from "./lane";

const HEIGHT = 36;
const [TOP, BOTTOM] = [5, HEIGHT - 5];

interface Drawn {
  curve: Curve;
  range: [number, number];
  /** The source whose colour it has; null is u, which is no source's. */
  colour: number | null;
}

/** Where in the registration and in each source the blend is: u dashed, source frames in the sources' colours. */
export function timingLane(shown: Shown): Lane | null {
  const { u, frames } = shown.motion.arrays;
  if (!u || !frames) return null;
  const uCurve = columnCurve(shown, u, 0);
  const columns = shown.sources.slice(0, frames.shape[1] ?? 1);
  const curves = columns.map((_, source) => columnCurve(shown, frames, source));
  // One scale for all sources, so that the faster one is the steeper one.
  const range = joined(curves.map(rangeOf));
  const drawn: Drawn[] = curves.map((curve, source) => ({ curve, range, colour: columns[source]!.colour }));
  drawn.push({ curve: uCurve, range: rangeOf(uCurve), colour: null });
  return {
    label: "Frames",
    title: "Frames of the sources, and the blend's u (dashed)",
    height: HEIGHT,
    grips: () => [],
    draw: (picture) => drawn.forEach((one) => drawCurve(picture, one)),
    readout: (seconds) => `u ${valueAt(uCurve, seconds).toFixed(1)}`,
  };
}

function joined(ranges: [number, number][]): [number, number] {
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
}

function drawCurve({ context, axis, inks }: Picture, { curve, range: [low, high], colour }: Drawn): void {
  const scale = (BOTTOM - TOP) / Math.max(high - low, 1e-9);
  context.strokeStyle = colour === null ? inks.text : figureInk(inks, colour);
  context.setLineDash(colour === null ? [4, 3] : []);
  context.lineWidth = colour === null ? 1 : 1.5;
  traceCurve(context, axis, curve, (value) => BOTTOM - (value - low) * scale);
  context.setLineDash([]);
  context.lineWidth = 1;
}
