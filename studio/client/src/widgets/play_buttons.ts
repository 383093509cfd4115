import { element } from "../core/dom";
import { svgIcon } from "./buttons";

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

/** Show whether the button plays or pauses. */
export function relabelPlay(button: HTMLButtonElement, playing: boolean): void {
  button.replaceChildren(shape(playing ? "pause" : "play"));
  relabel(button, playing ? "Pause (Space)" : "Play (Space)");
}

/** Offer the usual speeds of playback, and the present one, which is chosen. */
export function fillSpeeds(select: HTMLSelectElement, present: number): void {
  const speeds = SPEEDS.includes(present) ? SPEEDS : [...SPEEDS, present].sort((a, b) => a - b);
  if (select.options.length === speeds.length && select.value === String(present)) return;
  select.replaceChildren(...speeds.map((speed) => element("option", { value: speed }, `${speed}×`)));
  select.value = String(present);
}

/** A button of a player: a filled shape and a label. */
export function playButton(name: Shape, label: string, action: () => void): HTMLButtonElement {
  const created = element("button", { type: "button", class: "icon plain", onclick: action }, shape(name));
  relabel(created, label);
  return created;
}

function relabel(target: HTMLButtonElement, label: string): void {
  target.title = label;
  target.setAttribute("aria-label", label.replace(/ \(.*\)$/, ""));
}

/** Filled shapes on a 16 × 16 grid. */
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
  return svgIcon(SHAPES[name], "timeline-icon");
}
