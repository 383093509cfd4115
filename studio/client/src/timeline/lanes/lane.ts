import type { Edit } from "../../core/messages";
import type { Axis } from "../axis";
import type { Colours } from "../colours";
import type { Grip } from "../grips";

/** What a lane draws on; the origin is its top left corner. */
export interface LaneCanvas {
  context: CanvasRenderingContext2D;
  axis: Axis;
  colours: Colours;
  height: number;
  /** The selected mark, if it belongs to this clip. */
  selected: string | null;
}

/** A row of the timeline. Lanes are values: they are built again whenever their content changes. */
export interface Lane {
  label: string;
  /** The tooltip of the label. */
  title: string;
  height: number;
  /** What can be dragged; built on request, since drawing does not need it. */
  grips: () => Grip[];
  draw: (canvas: LaneCanvas) => void;
  /** The value at a time, as text. */
  readout?: (seconds: number) => string;
  /** The edits that a double-click at a time makes. */
  add?: (seconds: number) => Edit[];
}

/** A value that is built once, on first request. */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | null = null;
  return () => (built ??= { value: build() }).value;
}

/** Whether any part of a time range is in view. */
export function inView(axis: Axis, from: number, to: number): boolean {
  return to >= axis.start && from <= axis.end;
}

/** Fill a rectangle with diagonal lines. */
export function hatch(
  context: CanvasRenderingContext2D,
  colour: string,
  left: number,
  right: number,
  top: number,
  bottom: number,
): void {
  const step = 6;
  const size = bottom - top;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, size);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.floor((left - size) / step) * step; x < right; x += step) {
    context.moveTo(x, bottom);
    context.lineTo(x + size, top);
  }
  context.stroke();
  context.restore();
}
