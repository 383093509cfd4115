import { element } from "../core/dom";
import { icon, type IconName } from "./icons";

/** A button that shows an icon only; the label is its tooltip and what screen readers say. */
export function iconButton(name: IconName, label: string, action: (event: MouseEvent) => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "icon plain", onclick: action }, icon(name));
  relabel(made, label);
  return made;
}

/** Give a button another label, and another icon if one is named. */
export function relabel(button: HTMLButtonElement, label: string, name?: IconName): void {
  button.title = label;
  button.setAttribute("aria-label", label);
  if (name) button.replaceChildren(icon(name));
}
