import { element } from "../../core/dom";
import { iconButton } from "../../widgets/button";
import type { Cell, Frames, Grid } from "./grid";
import { canState, compared, type RegistrationView, reordered, type Section } from "./view";

/** Frames that are stated to correspond: pins and the start, with buttons for the cell under the cursor. */
export interface Stated extends Section {
  look(grid: Grid, cell: Cell): void;
  /** Pin the frames of a cell, or remove the pin that is there. */
  choose(grid: Grid, cell: Cell, pin: number | null): void;
  remove(pin: number): void;
}

export function statedFrames(view: RegistrationView): Stated {
  let latest = view;
  let here: Frames | null = null;
  const pinIt = (): void => {
    if (here) add(here);
  };
  const startIt = (): void => {
    if (here) latest.change({ start: reordered(latest, here) });
  };
  const pinButton = element("button", { type: "button", onclick: pinIt }, "Pin these frames");
  const startButton = element("button", { type: "button", onclick: startIt }, "Start here");
  const buttons = element("div", { class: "buttons" }, pinButton, startButton);
  const list = element("ul", { class: "pin-list", "aria-label": "Frames that must correspond" });
  const hint = element("p", { class: "hint" });

  const add = (frames: Frames): void => {
    const stated = reordered(latest, frames);
    const others = latest.options.pins.filter((pin) => String(pin) !== String(stated));
    // The library takes pins in the order of time.
    latest.change({ pins: [...others, stated].sort((one, other) => one[0]! - other[0]!) });
  };
  const remove = (pin: number): void => latest.change({ pins: latest.options.pins.filter((_, n) => n !== pin) });

  const row = (words: string, label: string, action: () => void): HTMLElement =>
    element("li", {}, element("span", {}, words), iconButton("remove", label, action));
  const show = (): void => {
    const names = [compared(latest, 0).name, compared(latest, 1).name];
    const said = (stated: number[]): string => {
      const [a, b] = reordered(latest, stated);
      return `${names[0]} ${a} meets ${names[1]} ${b}`;
    };
    const { pins, start } = latest.options;
    list.replaceChildren(
      ...(start ? [row(`Start: ${said(start)}`, "Remove the start", () => latest.change({ start: null }))] : []),
      ...pins.map((pin, n) => row(`Pin: ${said(pin)}`, `Remove pin ${n + 1}`, () => remove(n))),
    );
    list.hidden = pins.length === 0 && !start;
    buttons.hidden = !canState(latest);
    hint.textContent = canState(latest)
      ? "Click the map to pin frames that must correspond; click a pin to remove it."
      : "Frames can be pinned in a blend of two clips only.";
  };
  return {
    element: element("section", { class: "stated" }, buttons, list, hint),
    update(next) {
      latest = next;
      show();
    },
    look: (grid, cell) => {
      here = grid.frames(cell);
      // A cycle goes round from anywhere.
      startButton.hidden = grid.head.a.cyclic && grid.head.b.cyclic;
    },
    choose: (grid, cell, pin) => {
      if (!canState(latest)) return;
      if (pin === null) add(grid.frames(cell));
      else remove(pin);
    },
    remove,
  };
}
