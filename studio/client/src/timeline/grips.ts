import type { Edit } from "../core/messages";
import type { Axis } from "./axis";

/** How far something was dragged: to the right in frames, and up as a fraction of the lane's height. */
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

/** Something on a lane that can be dragged: an edge, a bar or a point. The pointer drags it, the list of marks moves it
 * by keyboard; both get the edits that result, and nothing has changed yet. */
export interface Grip {
  /** The mark that it belongs to, by a name that is unique in the clip. */
  mark: string;
  /** Names of the mark and of this part of it, for the list. */
  name: string;
  part: string;
  /** A description for screen readers: "frame 12, 0.40 seconds". */
  text: string;
  /** The number that the list shows. */
  value: string;
  /** The time of the mark, by which the list is sorted. */
  seconds: number;
  area: Area | null;
  kind: "edge" | "bar" | "point";
  /** The edits that a drag makes. */
  drag: (drag: Drag) => Edit[];
  /** The edits that steps of the arrow keys make. */
  nudge: (steps: number) => Edit[];
  /** The edits that remove the mark; null if it cannot be removed. */
  remove: (() => Edit[]) | null;
}

/** Pixels around an edge or a point within which it is hit. */
const HIT_RADIUS = 6;

/** Find the grip at a pixel of a lane: the nearest point or edge, or else a bar. */
export function gripAt(grips: Grip[], axis: Axis, x: number, y: number): Grip | null {
  let best: Grip | null = null;
  let least = Infinity;
  for (const grip of grips) {
    const distance = grip.area === null ? Infinity : distanceTo(grip, grip.area, axis, x, y);
    if (distance < least) [best, least] = [grip, distance];
  }
  return best;
}

/** Distance to a grip in pixels; near its ends, a bar counts as farther than any edge within the hit radius. */
function distanceTo(grip: Grip, area: Area, axis: Axis, x: number, y: number): number {
  const [left, right] = [axis.x(area.from), axis.x(area.to)];
  const dx = Math.max(left - x, x - right, 0);
  const dy = Math.max(area.top - y, y - area.bottom, 0);
  if (grip.kind === "bar") {
    if (dx > 0 || dy > 0) return Infinity;
    // The middle third belongs to the bar itself, so that a narrow bar can still be moved.
    return Math.abs(x - (left + right) / 2) < (right - left) / 6 ? 0 : 2 * HIT_RADIUS;
  }
  if (dx > HIT_RADIUS || dy > (grip.kind === "point" ? HIT_RADIUS : 0)) return Infinity;
  return Math.hypot(dx, dy);
}
