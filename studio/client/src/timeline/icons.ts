import { drawn } from "../widgets/icons";

/** Shapes on a square of 16 by 16, filled. */
const SHAPES = {
  first: "M3 3h2v10H3ZM13 3v10L6 8Z",
  back: "M9.5 3v10L3 8ZM11 3h2v10h-2Z",
  play: "M4 2.5v11L13 8Z",
  pause: "M4 3h3v10H4ZM9 3h3v10H9Z",
  next: "M6.5 3v10L13 8ZM3 3h2v10H3Z",
  last: "M11 3h2v10h-2ZM3 3v10l7-5Z",
  loop:
    "M4 4h7V1.5L15 5l-4 3.5V6H4.5v2.5h-2V5.5A1.5 1.5 0 0 1 4 4Z" +
    "M12 12H5v2.5L1 11l4-3.5V10h6.5V8h2v2.5A1.5 1.5 0 0 1 12 12Z",
  closer: "M7 3h2v4h4v2H9v4H7V9H3V7h4Z",
  farther: "M3 7h10v2H3Z",
};

export type Shape = keyof typeof SHAPES;

export function shape(name: Shape): SVGSVGElement {
  return drawn(SHAPES[name], "timeline-icon");
}
