import { element } from "../core/dom";
import { read, write } from "../core/memory";

const KEY_STEP = 16;

/** A bar between two parts of the page. */
export interface SplitterOptions {
  /** Under which name the size is remembered. */
  name: string;
  /** What the bar resizes, for screen readers: "Width of the clip list". */
  label: string;
  direction: "horizontal" | "vertical";
  /** 1 where the part that is resized lies before the bar, -1 where it lies after. */
  side: 1 | -1;
  size: number;
  min: number;
  max: () => number;
  changed: (size: number) => void;
}

/** A bar that is dragged or moved by the arrow keys; a double click gives the first size back. */
export function splitter(options: SplitterOptions): HTMLElement {
  const horizontal = options.direction === "horizontal";
  let size = read(`size.${options.name}`, options.size);
  const bar = element("div", {
    class: `splitter ${options.direction} bar-${options.name}`,
    role: "separator",
    tabindex: 0,
    "aria-label": options.label,
    "aria-orientation": horizontal ? "vertical" : "horizontal",
    "aria-valuemin": options.min,
  });

  const set = (wanted: number, remember: boolean): void => {
    const max = Math.max(options.min, options.max());
    const shown = Math.round(Math.min(Math.max(wanted, options.min), max));
    if (remember) {
      size = shown;
      write(`size.${options.name}`, size);
    }
    bar.setAttribute("aria-valuenow", String(shown));
    bar.setAttribute("aria-valuemax", String(max));
    options.changed(shown);
  };

  bar.addEventListener("pointerdown", (event) => {
    const start = { at: horizontal ? event.clientX : event.clientY, size };
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => {
      const at = horizontal ? move.clientX : move.clientY;
      set(start.size + options.side * (at - start.at), true);
    };
    bar.onpointerup = bar.onpointercancel = () => (bar.onpointermove = null);
  });
  bar.addEventListener("dblclick", () => set(options.size, true));
  bar.addEventListener("keydown", (event) => {
    const [less, more] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    set(size + options.side * (event.key === more ? KEY_STEP : -KEY_STEP), true);
  });
  // A smaller window holds back what is shown, not what is remembered.
  addEventListener("resize", () => set(size, false));
  queueMicrotask(() => set(size, false));
  return bar;
}
