import { element, svgElement } from "../core/dom";

/** Outlines of icons on a 16 × 16 grid. */
const OUTLINES = {
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  hidden: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM2.5 13.5l11-11",
  remove: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5 5 13h6l.5-8.5M7 7v3.5M9 7v3.5",
  close: "M4 4l8 8M12 4l-8 8",
  pen: "M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3 3 13Z",
  plus: "M8 3v10M3 8h10",
  stop: "M4.5 4.5h7v7h-7Z",
  again: "M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3",
  open: "M2 12.5v-9h4L7.5 5H13v2M2 12.5 4 7h10.5l-2 5.5Z",
  copy: "M5.5 5.5h7v8h-7ZM3.5 10.5v-8h7",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  up: "M8 13V4M4.5 7.5 8 4l3.5 3.5",
  down: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
};

export type IconName = keyof typeof OUTLINES;

/** An icon; the button that holds it has the label. */
export function icon(name: IconName): SVGSVGElement {
  return svgIcon(OUTLINES[name], "icon");
}

/** A path on a 16 × 16 grid, styled by its class. */
export function svgIcon(path: string, className: string): SVGSVGElement {
  const line = svgElement("path", { d: path });
  return svgElement("svg", { viewBox: "0 0 16 16", class: className, "aria-hidden": "true" }, line);
}

/** A button with an icon only; the label is its tooltip and its name for screen readers. */
export function iconButton(name: IconName, label: string, action: (event: MouseEvent) => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon plain", onclick: action }, icon(name));
  relabel(button, label);
  return button;
}

/** Change the label of a button, and its icon if one is named. */
export function relabel(button: HTMLButtonElement, label: string, name?: IconName): void {
  button.title = label;
  button.setAttribute("aria-label", label);
  if (name) button.replaceChildren(icon(name));
}
