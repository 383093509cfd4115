import { element, svgElement } from "../../core/dom";
import { clamp, removeAt, replaceAt, roundTo } from "../../core/numbers";
import type { Section } from "../../core/panel";
import { TIME_DECIMALS, type WarpEditor } from "./editor";

/** A time of the source and when it happens in the result, in seconds. */
export type TimeKey = [number, number];

const RAILS = ["Source", "Result"] as const;
/** Space beyond the longer rail, as a factor of its length, so that the last time key can be moved later. */
const SPACE = 1.25;

/** Time keys on two rails: times of the source, and when they happen in the result. */
export function timeKeys(editor: WarpEditor): Section<"warp"> {
  const strip = new TimeStrip((keys) => editor.change({ times: keys }));
  const add = element("button", { type: "button", onclick: () => addAtPlayhead() }, "Add time key at playhead");
  const addAtPlayhead = (): void => {
    const { keyTime } = editor;
    if (keyTime !== null) strip.add([keyTime, newTime(editor, keyTime)]);
  };
  const follow = (): void => {
    const source = editor.sourceTime;
    if (source !== null) strip.seek(source, resultTime(editor, source));
  };
  const box = element(
    "section",
    {},
    element("h3", {}, "Time keys"),
    strip.element,
    element("div", { class: "row" }, add),
    element(
      "p",
      { class: "hint" },
      "Drag an end or use the arrow keys to move it; Delete removes the time key. Double-click to add one.",
    ),
  );
  return {
    element: box,
    follow,
    update: ({ recipe }) => {
      const { curves } = editor;
      box.hidden = recipe.preset !== null;
      add.disabled = !curves;
      if (!curves) return;
      const { source_duration, source_fps, duration } = curves.header;
      strip.show(recipe.times, source_duration, Math.max(source_duration, duration), 1 / source_fps);
      follow();
    },
  };
}

/** When the result shows what is at the playhead. Edits of the warp itself come later and do not count. */
function resultTime({ isRetimed, studio }: WarpEditor, source: number): number {
  return isRetimed ? source : studio.playback.time;
}

/** The result time of a new key that leaves the timing as it is; strength multiplies what the key changes. */
function newTime(editor: WarpEditor, source: number): number {
  const { amount } = editor.recipe;
  const now = resultTime(editor, source);
  return roundTo(amount === 0 ? source : source + (now - source) / amount, TIME_DECIMALS);
}

/** Move one end of a time key, between its neighbours: time never runs backward. */
export function moveTimeKey(
  keys: TimeKey[],
  n: number,
  rail: 0 | 1,
  time: number,
  { frame, sourceEnd }: { frame: number; sourceEnd: number },
): TimeKey[] {
  const min = (keys[n - 1]?.[rail] ?? -frame) + frame;
  const end = rail === 0 ? sourceEnd : Infinity;
  const max = (keys[n + 1]?.[rail] ?? end + frame) - frame;
  const moved = roundTo(clamp(time, min, max), TIME_DECIMALS);
  const [source, result] = keys[n]!;
  return replaceAt(keys, n, rail === 0 ? [moved, result] : [source, moved]);
}

/** Two rails of time, one above the other, with time keys whose ends can be dragged or moved by keyboard. */
class TimeStrip {
  readonly element: HTMLElement;
  private readonly field = element("div", { class: "time-strip-field" });
  private readonly lines = svgElement("svg", {
    viewBox: "0 0 100 100",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  private readonly playheads = RAILS.map(() =>
    element("span", { class: "time-strip-playhead", "aria-hidden": "true" }),
  );
  private handles: HTMLElement[] = [];
  private keys: TimeKey[] = [];
  /** The keys while one of them is dragged. */
  private dragged: TimeKey[] | null = null;
  private sourceEnd = 1;
  /** Seconds across the strip. */
  private span = 1;
  /** Seconds per frame. */
  private frame = 1 / 30;

  constructor(private readonly onChange: (keys: TimeKey[]) => void) {
    this.field.append(this.lines, ...this.playheads);
    this.field.addEventListener("dblclick", (event) => this.addAt(event));
    this.element = element(
      "div",
      { class: "time-strip" },
      element("div", { class: "time-strip-names" }, ...RAILS.map((name) => element("span", {}, name))),
      this.field,
    );
  }

  show(keys: TimeKey[], sourceEnd: number, longest: number, frame: number): void {
    this.sourceEnd = sourceEnd;
    this.frame = frame;
    // The scale does not change during a drag, or the end would run away from the pointer.
    if (!this.dragged) {
      this.span = Math.max(longest, ...keys.map(([, result]) => result), frame) * (keys.length ? SPACE : 1);
    }
    const sameCount = keys.length === this.keys.length;
    this.keys = keys;
    if (!sameCount) this.build();
    this.draw(this.dragged ?? keys);
  }

  seek(source: number, result: number): void {
    [source, result].forEach((time, rail) => {
      this.playheads[rail]!.style.left = `${this.percentage(time)}%`;
    });
  }

  /** Add a time key in place of any at the same frame. */
  add(key: TimeKey): void {
    const isApart = (a: number, b: number): boolean => Math.abs(a - b) > this.frame / 2;
    const others = this.keys.filter(([source, result]) => isApart(source, key[0]) && isApart(result, key[1]));
    this.onChange([...others, key].sort((a, b) => a[0] - b[0]));
  }

  private build(): void {
    const focused = this.handles.indexOf(document.activeElement as HTMLElement);
    this.handles.forEach((handle) => handle.remove());
    this.handles = this.keys.flatMap((_, n) => [this.handle(n, 0), this.handle(n, 1)]);
    this.field.append(...this.handles);
    if (focused >= 0) this.handles[Math.min(focused, this.handles.length - 1)]?.focus();
  }

  private handle(n: number, rail: 0 | 1): HTMLElement {
    const handle = element("span", {
      class: `time-strip-handle rail-${rail}`,
      role: "slider",
      tabindex: 0,
      "aria-label": `Time key ${n + 1}, ${RAILS[rail].toLowerCase()}`,
    });
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      this.dragged = this.keys;
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId) || !this.keys[n]) return;
      this.dragged = this.move(n, rail, this.timeAt(event));
      this.draw(this.dragged);
    });
    handle.addEventListener("pointerup", () => {
      const { dragged } = this;
      this.dragged = null;
      if (dragged && dragged !== this.keys) this.onChange(dragged);
    });
    handle.addEventListener("pointercancel", () => {
      this.dragged = null;
      this.draw(this.keys);
    });
    handle.addEventListener("keydown", (event) => this.key(event, n, rail));
    return handle;
  }

  private key(event: KeyboardEvent, n: number, rail: 0 | 1): void {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === "Delete") this.onChange(removeAt(this.keys, n));
    else if (step) {
      const seconds = step * this.frame * (event.shiftKey ? 10 : 1);
      this.onChange(this.move(n, rail, this.keys[n]![rail] + seconds));
    } else return;
    event.preventDefault();
  }

  private move(n: number, rail: 0 | 1, time: number): TimeKey[] {
    return moveTimeKey(this.keys, n, rail, time, { frame: this.frame, sourceEnd: this.sourceEnd });
  }

  private draw(keys: TimeKey[]): void {
    const at = (time: number): number => this.percentage(time);
    this.lines.replaceChildren(
      svgElement("path", { class: "rail", d: `M0 15H${at(this.sourceEnd)}M0 85H100` }),
      svgElement("path", {
        class: "time-key",
        d: keys.map(([source, result]) => `M${at(source)} 15L${at(result)} 85`).join(""),
      }),
    );
    keys.forEach((key, n) =>
      key.forEach((time, rail) => {
        const handle = this.handles[2 * n + rail]!;
        handle.style.left = `${at(time)}%`;
        handle.setAttribute("aria-valuenow", time.toFixed(3));
        handle.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
        handle.title = `${time.toFixed(2)} s`;
      }),
    );
  }

  private percentage(time: number): number {
    return (100 * time) / this.span;
  }

  private timeAt(event: MouseEvent): number {
    const { left, width } = this.field.getBoundingClientRect();
    return Math.max(0, ((event.clientX - left) / width) * this.span);
  }

  private addAt(event: MouseEvent): void {
    if ((event.target as Element).closest(".time-strip-handle")) return;
    const time = roundTo(Math.min(this.timeAt(event), this.sourceEnd), TIME_DECIMALS);
    this.add([time, time]);
  }
}
