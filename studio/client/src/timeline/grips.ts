import type { Edit } from "../core/messages";
import type { Axis } from "./axis";

/** How far something was dragged: to the right in frames, and up as a share of the lane's height. */
export interface Drag {
  frames: number;
  up: number;
}

/** Where a grip lies: seconds along the axis, pixels from the top of its lane. */
export interface Area {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** Something on a lane that can be taken hold of: an edge, a bar, a point. The pointer drags it, the list of marks
 * moves it with the keyboard; both get the edits that this would be, and nothing has changed yet. */
export interface Grip {
  /** The mark that it is part of, by a name that no other mark of the clip has. */
  mark: string;
  /** What the mark is called in the list, and this part of it. */
  name: string;
  part: string;
  /** What a screen reader says about it: "frame 12, 0.40 s". */
  text: string;
  /** A number for the list, in the unit of one step of the keyboard. */
  value: string;
  /** When the mark is there, for the list to be in order and for the playhead to go there. */
  seconds: number;
  area: Area | null;
  kind: "edge" | "bar" | "point";
  dragged(drag: Drag): Edit[];
  /** The edits that so many steps of the keyboard make. */
  nudged(steps: number): Edit[];
  /** The edits that remove the mark, where it can be removed. */
  removed: (() => Edit[]) | null;
}

/** Pixels around an edge or a point that still belong to it. */
const REACH = 6;

/** The grip at a pixel of a lane: points before edges before bars, the nearest of its kind. */
export function gripAt(grips: Grip[], axis: Axis, x: number, y: number): Grip | null {
  let best: Grip | null = null;
  let least = Infinity;
  for (const grip of grips) {
    const distance = grip.area === null ? Infinity : distanceTo(grip, grip.area, axis, x, y);
    if (distance < least) [best, least] = [grip, distance];
  }
  return best;
}

/** Pixels to a grip; near its ends a bar counts as farther than any edge within reach. */
function distanceTo(grip: Grip, area: Area, axis: Axis, x: number, y: number): number {
  const [left, right] = [axis.x(area.from), axis.x(area.to)];
  const aside = Math.max(left - x, x - right, 0);
  const above = Math.max(area.top - y, y - area.bottom, 0);
  if (grip.kind === "bar") {
    if (aside > 0 || above > 0) return Infinity;
    // The middle third belongs to the bar itself, so that a narrow one can still be moved.
    return Math.abs(x - (left + right) / 2) < (right - left) / 6 ? 0 : 2 * REACH;
  }
  if (aside > REACH || above > (grip.kind === "point" ? REACH : 0)) return Infinity;
  return Math.hypot(aside, above);
}
