import type { Edit } from "../../core/messages";
import type { Axis } from "../axis";
import type { Grip } from "../grips";
import type { Inks } from "../inks";

/** What a lane draws on; its own top left corner is the origin. */
export interface Picture {
  context: CanvasRenderingContext2D;
  axis: Axis;
  inks: Inks;
  height: number;
  /** The mark that is selected, if it is one of this clip. */
  selected: string | null;
}

/** A row of the timeline. Lanes are values: they are made anew whenever what they show changes. */
export interface Lane {
  label: string;
  /** What the pointer says over the label, where that says more. */
  title: string;
  height: number;
  /** What can be taken hold of; made when somebody asks, since drawing does not need it. */
  grips: () => Grip[];
  draw(picture: Picture): void;
  /** What there is to say about the moment under the playhead. */
  readout?(seconds: number): string;
  /** The edits that a double click at a time makes. */
  added?(seconds: number): Edit[];
}

/** Something that is made once, when it is first asked for. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Whether any of a stretch of time is in view. */
export function inView(axis: Axis, from: number, to: number): boolean {
  return to >= axis.start && from <= axis.end;
}

/** Diagonal lines over a rectangle. */
export function hatch(
  context: CanvasRenderingContext2D,
  ink: string,
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
  context.strokeStyle = ink;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.floor((left - size) / step) * step; x < right; x += step) {
    context.moveTo(x, bottom);
    context.lineTo(x + size, top);
  }
  context.stroke();
  context.restore();
}
