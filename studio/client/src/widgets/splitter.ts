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
  /** The size until the user changes it, which may depend on the window. */
  defaultSize: () => number;
  min: number;
  max: () => number;
  onChange: (size: number) => void;
}

/** A bar that is dragged or moved with the arrow keys; a double-click restores the default size. */
export function splitter(options: SplitterOptions): HTMLElement {
  const horizontal = options.direction === "horizontal";
  let chosen = load<number | null>(`size.${options.name}`, null);
  const size = (): number => chosen ?? options.defaultSize();
  const bar = element("div", {
    class: `splitter ${options.direction} bar-${options.name}`,
    role: "separator",
    tabindex: 0,
    "aria-label": options.label,
    "aria-orientation": horizontal ? "vertical" : "horizontal",
    "aria-valuemin": options.min,
  });

  const limit = (wanted: number): number =>
    Math.round(clamp(wanted, options.min, Math.max(options.min, options.max())));
  const show = (): void => {
    const shown = limit(size());
    bar.setAttribute("aria-valuenow", String(shown));
    bar.setAttribute("aria-valuemax", String(limit(Infinity)));
    options.onChange(shown);
  };
  const choose = (wanted: number | null): void => {
    chosen = wanted === null ? null : limit(wanted);
    store(`size.${options.name}`, chosen);
    show();
  };

  bar.addEventListener("pointerdown", (event) => {
    const start = { at: horizontal ? event.clientX : event.clientY, size: size() };
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => {
      const at = horizontal ? move.clientX : move.clientY;
      choose(start.size + options.side * (at - start.at));
    };
    bar.onpointerup = bar.onpointercancel = () => (bar.onpointermove = null);
  });
  bar.addEventListener("dblclick", () => choose(null));
  bar.addEventListener("keydown", (event) => {
    const [less, more] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    choose(size() + options.side * (event.key === more ? KEY_STEP : -KEY_STEP));
  });
  // A smaller window limits the size that is shown, not the one that is stored.
  addEventListener("resize", show);
  queueMicrotask(show);
  return bar;
}
