import { element } from "../core/dom";
import { clamp } from "../core/numbers";
import { load, store } from "../core/storage";

const KEY_STEP = 16;

/** A bar between two parts of the page. */
export interface SplitterOptions {
  /** The name under which the size is stored. */
  name: string;
  /** What the bar resizes, for screen readers: "Width of the clip list". */
  label: string;
  direction: "horizontal" | "vertical";
  /** 1 if the resized part lies before the bar, -1 if after. */
  side: 1 | -1;
  size: number;
  min: number;
  max: () => number;
  onChange: (size: number) => void;
}

/** A bar that is dragged or moved with the arrow keys; a double-click restores the default size. */
export function splitter(options: SplitterOptions): HTMLElement {
  const horizontal = options.direction === "horizontal";
  let size = load(`size.${options.name}`, options.size);
  const bar = element("div", {
    class: `splitter ${options.direction} bar-${options.name}`,
    role: "separator",
    tabindex: 0,
    "aria-label": options.label,
    "aria-orientation": horizontal ? "vertical" : "horizontal",
    "aria-valuemin": options.min,
  });

  const set = (wanted: number, keep: boolean): void => {
    const max = Math.max(options.min, options.max());
    const limited = Math.round(clamp(wanted, options.min, max));
    if (keep) {
      size = limited;
      store(`size.${options.name}`, size);
    }
    bar.setAttribute("aria-valuenow", String(limited));
    bar.setAttribute("aria-valuemax", String(max));
    options.onChange(limited);
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
  // A smaller window limits the size that is shown, not the one that is stored.
  addEventListener("resize", () => set(size, false));
  queueMicrotask(() => set(size, false));
  return bar;
}
