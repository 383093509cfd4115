import type { ClipView } from "../clip_view";
import { figureColour } from "../colours";
import { columnCurve, type Curve, rangeOf, traceCurve, valueAt } from "../curves";
import type { Lane, LaneCanvas } from "./lane";

const HEIGHT = 36;
const [TOP, BOTTOM] = [5, HEIGHT - 5];

interface DrawnCurve {
  curve: Curve;
  range: [number, number];
  /** The colour of its source; null for u. */
  colour: number | null;
}

/** Source frames of the blend in the colours of the sources, and its parameter u, dashed. */
export function timingLane(view: ClipView): Lane | null {
  const { u, frames } = view.motion.arrays;
  if (!u || !frames) return null;
  const uCurve = columnCurve(view, u, 0);
  const columns = view.sources.slice(0, frames.shape[1] ?? 1);
  const curves = columns.map((_, source) => columnCurve(view, frames, source));
  // One scale for all sources, so that the faster one is steeper.
  const range = unionRange(curves.map(rangeOf));
  const drawn: DrawnCurve[] = curves.map((curve, source) => ({ curve, range, colour: columns[source]!.colour }));
  drawn.push({ curve: uCurve, range: rangeOf(uCurve), colour: null });
  return {
    label: "Frames",
    title: "Source frames, and the blend parameter u (dashed)",
    height: HEIGHT,
    grips: () => [],
    draw: (canvas) => drawn.forEach((one) => drawCurve(canvas, one)),
    readout: (seconds) => `u ${valueAt(uCurve, seconds).toFixed(1)}`,
  };
}

function unionRange(ranges: [number, number][]): [number, number] {
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
}

function drawCurve({ context, axis, colours }: LaneCanvas, { curve, range: [low, high], colour }: DrawnCurve): void {
  const scale = (BOTTOM - TOP) / Math.max(high - low, 1e-9);
  context.strokeStyle = colour === null ? colours.text : figureColour(colours, colour);
  context.setLineDash(colour === null ? [4, 3] : []);
  context.lineWidth = colour === null ? 1 : 1.5;
  traceCurve(context, axis, curve, (value) => BOTTOM - (value - low) * scale);
  context.setLineDash([]);
  context.lineWidth = 1;
}
