import { element } from "../../core/dom";
import { clamp, roundTo } from "../../core/numbers";

/** A clip as a rail: its length, its foot strikes, and where it is left or entered. In frames unless stated. */
export interface RailState {
  name: string;
  colour: number;
  fps: number;
  frames: number;
  /** Frames across the whole width, so that both rails have one scale. */
  across: number;
  strikes: number[];
  /** The frames that may repeat, or null. */
  repeats: [number, number] | null;
  centre: number;
  /** Seconds to either side of the centre. */
  half: number;
  /** The frames that the transition takes, or null where that is not known. */
  span: [number, number] | null;
}

/** What happens when a handle is released: the meeting frame moved, or the half width (seconds) changed. */
export interface RailActions {
  onMove: (frame: number) => void;
  onResize: (halfWidth: number) => void;
}

/** Where a drag started, and where it has got to. */
interface Drag {
  x: number;
  centre: number;
  half: number;
}

/** Seconds. */
const MIN_HALF_WIDTH = 0.05;
/** Steps of an arrow key: frames with Shift, and seconds of the half width. */
const LARGE_STEP = 10;
const WIDTH_STEP = 0.02;

/** One rail, with handles for the meeting frame and the width that work with the pointer and the arrow keys. */
export class Rail {
  readonly element: HTMLElement;
  private readonly bar = element("div", { class: "rail-bar" });
  private readonly marks = element("div", { class: "rail-marks", "aria-hidden": "true" });
  private readonly span = element("div", { class: "rail-span", "aria-hidden": "true" });
  private readonly centre = handle("rail-centre");
  private readonly width = handle("rail-width");
  private readonly caption = element("div", { class: "rail-caption" });
  private readonly track: HTMLElement;
  private state: RailState | null = null;
  private drag: Drag | null = null;

  constructor(private readonly actions: RailActions) {
    this.track = element("div", { class: "rail-track" }, this.bar, this.span, this.marks, this.width, this.centre);
    this.element = element("div", { class: "rail" }, this.caption, this.track);
    this.makeDraggable(this.centre, (frames, state) => ({
      centre: clampFrame(state.centre + frames, state),
      half: state.half,
    }));
    this.makeDraggable(this.width, (frames, state) => ({
      centre: state.centre,
      half: Math.max(MIN_HALF_WIDTH, state.half + frames / state.fps),
    }));
    this.centre.addEventListener("keydown", (event) => this.key(event, "centre"));
    this.width.addEventListener("keydown", (event) => this.key(event, "width"));
  }

  set(state: RailState): void {
    this.state = state;
    this.track.style.setProperty("--rail", `var(--figure-${state.colour})`);
    this.bar.style.width = percentage(state.frames - 1, state);
    const repeated = state.repeats;
    this.marks.replaceChildren(
      ...(repeated ? [markAt("rail-repeats", repeated[0], state, repeated[1])] : []),
      ...state.strikes.map((frame) => markAt("rail-strike", frame, state)),
    );
    if (!this.drag) this.show(state.centre, state.half);
  }

  private show(centre: number, half: number): void {
    const state = this.state!;
    const [first, last] = spanAround(state, centre, half);
    this.span.style.left = percentage(Math.max(first, 0), state);
    this.span.style.width = percentage(Math.min(last, state.frames - 1) - Math.max(first, 0), state);
    this.centre.style.left = percentage(centre, state);
    this.width.style.left = percentage(Math.min(last, state.frames - 1), state);
    const seconds = (centre / state.fps).toFixed(2);
    this.caption.replaceChildren(
      element("span", {}, state.name),
      element("span", { class: "muted" }, `frame ${centre}, ${seconds} s`),
    );
    describe(
      this.centre,
      `Meeting frame of ${state.name}`,
      centre,
      state.frames - 1,
      `frame ${centre}, ${seconds} seconds`,
    );
    const width = (2 * half).toFixed(2);
    describe(this.width, `Transition width on ${state.name}`, half, state.across / state.fps, `${width} seconds`);
  }

  private makeDraggable(
    handle: HTMLElement,
    dragged: (frames: number, state: RailState) => { centre: number; half: number },
  ): void {
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.state) return;
      handle.setPointerCapture(event.pointerId);
      handle.focus();
      event.preventDefault();
      this.drag = { x: event.clientX, centre: this.state.centre, half: this.state.half };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!this.drag || !this.state) return;
      const { x } = this.drag;
      this.drag = { x, ...dragged(this.framesIn(event.clientX - x), this.state) };
      this.show(this.drag.centre, this.drag.half);
    });
    handle.addEventListener("pointerup", () => this.release());
    handle.addEventListener("pointercancel", () => {
      this.drag = null;
      if (this.state) this.set(this.state);
    });
  }

  private release(): void {
    const { drag, state } = this;
    this.drag = null;
    if (!drag || !state) return;
    if (drag.centre !== state.centre) this.actions.onMove(drag.centre);
    else if (drag.half !== state.half) this.actions.onResize(roundTo(drag.half, 3));
    else this.set(state);
  }

  private key(event: KeyboardEvent, which: "centre" | "width"): void {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!direction || !this.state) return;
    event.preventDefault();
    const by = direction * (event.shiftKey ? LARGE_STEP : 1);
    const state = { ...this.state };
    if (which === "centre") state.centre = clampFrame(state.centre + by, state);
    else state.half = roundTo(Math.max(MIN_HALF_WIDTH, state.half + WIDTH_STEP * by), 3);
    state.span = spanAround(this.state, state.centre, state.half);
    // The next key press may come before the answer to this one.
    this.set(state);
    if (which === "centre") this.actions.onMove(state.centre);
    else this.actions.onResize(state.half);
  }

  private framesIn(pixels: number): number {
    return Math.round((pixels / this.track.clientWidth) * this.state!.across);
  }
}

function handle(name: string): HTMLElement {
  return element("div", { class: `rail-handle ${name}`, role: "slider", tabindex: 0 });
}

function describe(handle: HTMLElement, name: string, value: number, max: number, text: string): void {
  const attributes = {
    "aria-label": name,
    "aria-valuemin": 0,
    "aria-valuemax": max,
    "aria-valuenow": value,
    "aria-valuetext": text,
  };
  for (const [attribute, content] of Object.entries(attributes)) handle.setAttribute(attribute, String(content));
  handle.title = `${name}: ${text}`;
}

/** The frames that a transition would span around another centre, or with another width. */
function spanAround(
  { span, centre: oldCentre, half: oldHalf, fps }: RailState,
  centre: number,
  half: number,
): [number, number] {
  if (!span) return [centre - half * fps, centre + half * fps];
  const scale = half / oldHalf;
  return [centre + scale * (span[0] - oldCentre), centre + scale * (span[1] - oldCentre)];
}

function markAt(name: string, first: number, state: RailState, last?: number): HTMLElement {
  const width = last === undefined ? "" : `; width: ${percentage(last - first, state)}`;
  return element("div", { class: name, style: `left: ${percentage(first, state)}${width}` });
}

function percentage(frames: number, { across }: RailState): string {
  return `${(100 * Math.max(frames, 0)) / Math.max(across, 1)}%`;
}

function clampFrame(frame: number, { frames }: RailState): number {
  return clamp(frame, 0, frames - 1);
}
