/** Values along a line, by index, and the pixels of each: `x` of an index, `y` of a value. */
export interface Trace {
  value: (index: number) => number;
  x: (index: number) => number;
  y: (value: number) => number;
}

/** Add the line through the values from `first` to `last` to a path of this many pixels. Where several values fall on one
 * pixel, only the lowest and the highest are drawn: no peak is left out, and long clips stay fast. */
export function traceValues(
  path: Pick<CanvasRenderingContext2D, "lineTo">,
  { value, x, y }: Trace,
  first: number,
  last: number,
  pixels: number,
): void {
  const perPixel = (last - first) / Math.max(1, pixels);
  if (perPixel <= 1) {
    for (let n = first; n <= last; n++) path.lineTo(x(n), y(value(n)));
    return;
  }
  for (let from = first; from <= last; from += perPixel) {
    const until = Math.min(last + 1, from + perPixel);
    let [low, high] = [Infinity, -Infinity];
    for (let n = Math.ceil(from); n < until; n++) {
      const each = value(n);
      if (each < low) low = each;
      if (each > high) high = each;
    }
    if (low > high) continue;
    path.lineTo(x(from), y(low));
    if (high > low) path.lineTo(x(from), y(high));
  }
}
