import { element } from "../core/dom";
import type { Grip } from "./grips";

/** A mark with all that can be moved of it. */
export interface Row {
  mark: string;
  name: string;
  seconds: number;
  grips: Grip[];
}

/** What the keys of a row do. */
export interface RowActions {
  go(row: Row): void;
  nudge(grip: Grip, steps: number): void;
  remove(row: Row): void;
}

/** Steps of the keyboard with shift held. */
const MANY = 10;

/** Grips put together by the marks that they belong to, in the order of time. */
export function rowsOf(grips: Grip[]): Row[] {
  const rows = new Map<string, Row>();
  for (const grip of grips) {
    const row = rows.get(grip.mark) ?? { mark: grip.mark, name: grip.name, seconds: grip.seconds, grips: [] };
    row.grips.push(grip);
    rows.set(grip.mark, row);
  }
  return [...rows.values()].sort((a, b) => a.seconds - b.seconds);
}

/** A row of the list: its name, which moves the whole mark where it has a whole, a field for every edge, and a button
 * that removes it. */
export function rowElement(row: Row, actions: RowActions): HTMLElement {
  const whole = row.grips.find(({ part }) => part === "whole");
  const name = element(
    "button",
    { type: "button", class: "mark-name plain", onclick: () => actions.go(row) },
    row.name,
  );
  name.title = `${row.name}${whole ? `: ${whole.text}` : ""}`;
  if (whole) {
    name.setAttribute("aria-description", `${whole.text}. Left and right move it.`);
    nudgeable(name, whole, actions);
  }
  const fields = row.grips.filter((grip) => grip !== whole).map((grip) => field(row, grip, actions));
  const box = element("span", { class: "mark-fields" }, ...fields);
  const made = element("li", { class: "mark-row", "data-mark": row.mark }, name, box);
  if (row.grips[0]?.removed) made.append(removeButton(row, actions));
  return made;
}

function removeButton(row: Row, actions: RowActions): HTMLElement {
  const label = row.mark === "trim" ? "Keep the whole clip" : `Remove ${row.name}`;
  const button = element("button", { type: "button", class: "mark-remove plain", title: label }, "×");
  button.setAttribute("aria-label", label);
  button.addEventListener("click", () => actions.remove(row));
  return button;
}

function field(row: Row, grip: Grip, actions: RowActions): HTMLElement {
  const made = element(
    "span",
    {
      class: "mark-field",
      role: "spinbutton",
      "aria-label": `${row.name}, ${grip.part}`,
      "aria-valuenow": Number.parseFloat(grip.value),
      "aria-valuetext": grip.text,
      title: `${grip.part}: ${grip.text}`,
    },
    grip.value,
  );
  nudgeable(made, grip, actions);
  return made;
}

function nudgeable(target: HTMLElement, grip: Grip, actions: RowActions): void {
  target.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions.nudge(grip, way * (event.shiftKey ? MANY : 1));
  });
}
