/** A rectangle in the view, in pixels from its top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Pixels between labels, and between them and what they keep clear of. */
const GAP = 2;
/** Pixels that a label may lie from where it belongs before it is left out. */
const MAX_SHIFT = 220;
/** Pixels by which another place has to be nearer before a label moves there. */
const REPLACE_GAIN = 30;

/** The box where it is wanted, or else as near as it can be: inside `view` and clear of all others; null without room.
 *
 * The nearest free place has an edge in common with another box or with the view. `before` is by how much the box was
 * shifted in the previous picture: while that still is free and not much farther, it stays, so that labels do not jump
 * to and fro. */
export function findPlace(
  wanted: Box,
  others: Box[],
  view: Box,
  before: { x: number; y: number } = { x: 0, y: 0 },
): Box | null {
  const isFree = (box: Box): boolean => contains(view, box) && !others.some((other) => overlaps(box, other));
  const inside = {
    ...wanted,
    x: clampInto(wanted.x, wanted.width, view.x, view.width),
    y: clampInto(wanted.y, wanted.height, view.y, view.height),
  };
  if (isFree(inside)) return inside;
  const columns = [inside.x, ...others.flatMap(({ x, width }) => [x - wanted.width - GAP, x + width + GAP])];
  const rows = [inside.y, ...others.flatMap(({ y, height }) => [y - wanted.height - GAP, y + height + GAP])];
  let best: Box | null = null;
  let least = MAX_SHIFT;
  for (const x of columns) {
    for (const y of rows) {
      const box = { ...wanted, x, y };
      const shift = Math.hypot(x - wanted.x, y - wanted.y);
      if (shift < least && isFree(box)) [best, least] = [box, shift];
    }
  }
  const shifted = { ...wanted, x: wanted.x + before.x, y: wanted.y + before.y };
  return Math.hypot(before.x, before.y) < least + REPLACE_GAIN && isFree(shifted) ? shifted : best;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function clampInto(at: number, size: number, start: number, length: number): number {
  return Math.max(start, Math.min(at, start + length - size));
}
