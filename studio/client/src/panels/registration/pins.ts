import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import { removeAt } from "../../core/numbers";
import { iconButton } from "../../widgets/buttons";
import { keptList } from "../../widgets/kept_list";
import type { RegistrationEditor } from "./editor";
import type { Cell } from "./grid";

/** Pins and the start: frames that must correspond, with buttons for the frames under the cursor. */
export interface Pins extends Section<"blend"> {
  setCursor: (cell: Cell) => void;
  /** Pin the frames of a cell, or remove the pin that is there. */
  toggle: (cell: Cell, pin: number | null) => void;
  remove: (pin: number) => void;
}

export function pins(editor: RegistrationEditor): Pins {
  let cursor: Cell | null = null;
  const framesAtCursor = (): number[] | null => cursor && editor.grid && editor.reorder(editor.grid.frames(cursor));
  const add = (frames: number[] | null): void => {
    if (!frames) return;
    const others = editor.options.pins.filter((pin) => String(pin) !== String(frames));
    // The library expects pins in order of time.
    editor.change({ pins: [...others, frames].sort((a, b) => a[0]! - b[0]!) });
  };
  const remove = (pin: number): void => editor.change({ pins: removeAt(editor.options.pins, pin) });
  const setStart = (): void => {
    const start = framesAtCursor();
    if (start) editor.change({ start });
  };

  const pinButton = element("button", { type: "button", onclick: () => add(framesAtCursor()) }, "Pin these frames");
  const startButton = element(
    "button",
    { type: "button", title: "Start both clips at the frames under the cursor", onclick: setStart },
    "Start here",
  );
  const buttons = element("div", { class: "buttons" }, pinButton, startButton);
  const list = element("ul", { class: "pin-list", "aria-label": "Pinned frames" });
  const hint = element("p", { class: "hint" });
  const setRows = keptList(list, pinButton);

  const row = (text: string, label: string, action: () => void): HTMLElement =>
    element("li", {}, element("span", {}, text), iconButton("remove", label, action));
  const describe = (frames: number[]): string => {
    const [a, b] = editor.reorder(frames);
    return `${editor.names[0]} ${a} with ${editor.names[1]} ${b}`;
  };
  return {
    element: element("section", {}, buttons, list, hint),
    update: () => {
      const { canPin, grid, startFrames: start } = editor;
      const { pins } = editor.options;
      setRows([start, pins, editor.pair, editor.names], () => [
        ...(start ? [row(`Start: ${describe(start)}`, "Remove start", () => editor.change({ start: null }))] : []),
        ...pins.map((pin, n) => row(`Pin: ${describe(pin)}`, `Remove pin ${n + 1}`, () => remove(n))),
      ]);
      list.hidden = pins.length === 0 && !start;
      buttons.hidden = !canPin;
      // Cycles have no start.
      startButton.hidden = grid !== null && grid.header.a.cyclic && grid.header.b.cyclic;
      hint.textContent = canPin
        ? "Click the map to pin frames that must match; click a pin to remove it."
        : "Frames can be pinned in blends of two clips only.";
    },
    setCursor: (cell) => (cursor = cell),
    toggle: (cell, pin) => {
      if (!editor.canPin || !editor.grid) return;
      if (pin === null) add(editor.reorder(editor.grid.frames(cell)));
      else remove(pin);
    },
    remove,
  };
}
