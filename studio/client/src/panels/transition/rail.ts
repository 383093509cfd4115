import { element } from "../../core/dom";

/** A clip as a rail: how long it is, what is marked on it, and where it is left or entered. Frames. */
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

/** What is dragged: frames of the centre, or seconds of the half-width; told when it is let go. */
export interface RailActions {
  centred(frame: number): void;
  widened(half: number): void;
}

/** Where a handle was taken hold of, and what it was dragged to. */
interface Drag {
  x: number;
  centre: number;
  half: number;
}

const NARROWEST = 0.05;
const FAR_STEP = 10;
const WIDTH_STEP = 0.02;

/** One rail, with handles for the centre and the width that take the pointer and the arrow keys. */
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
    this.hold(this.centre, (frames, state) => ({ centre: within(state.centre + frames, state), half: state.half }));
    this.hold(this.width, (frames, state) => ({
      centre: state.centre,
      half: Math.max(NARROWEST, state.half + frames / state.fps),
    }));
    this.centre.addEventListener("keydown", (event) => this.key(event, "centre"));
    this.width.addEventListener("keydown", (event) => this.key(event, "width"));
  }

  set(state: RailState): void {
    this.state = state;
    this.track.style.setProperty("--rail", `var(--figure-${state.colour})`);
    this.bar.style.width = share(state.frames - 1, state);
    const repeated = state.repeats;
    this.marks.replaceChildren(
      ...(repeated ? [placed("rail-repeats", repeated[0], state, repeated[1])] : []),
      ...state.strikes.map((frame) => placed("rail-strike", frame, state)),
    );
    if (!this.drag) this.show(state.centre, state.half);
  }

  private show(centre: number, half: number): void {
    const state = this.state!;
    const [first, last] = spanAbout(state, centre, half);
    this.span.style.left = share(Math.max(first, 0), state);
    this.span.style.width = share(Math.min(last, state.frames - 1) - Math.max(first, 0), state);
    this.centre.style.left = share(centre, state);
    this.width.style.left = share(Math.min(last, state.frames - 1), state);
    const seconds = (centre / state.fps).toFixed(2);
    this.caption.replaceChildren(
      element("span", {}, state.name),
      element("span", { class: "muted" }, `frame ${centre}, ${seconds} s`),
    );
    label(
      this.centre,
      `Frame of ${state.name} in the middle`,
      centre,
      state.frames - 1,
      `frame ${centre}, ${seconds} seconds`,
    );
    const wide = (2 * half).toFixed(2);
    label(this.width, `Width of the transition at ${state.name}`, half, state.across / state.fps, `${wide} seconds`);
  }

  private hold(
    grip: HTMLElement,
    dragged: (frames: number, state: RailState) => { centre: number; half: number },
  ): void {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.state) return;
      grip.setPointerCapture(event.pointerId);
      grip.focus();
      event.preventDefault();
      this.drag = { x: event.clientX, centre: this.state.centre, half: this.state.half };
    });
    grip.addEventListener("pointermove", (event) => {
      if (!this.drag || !this.state) return;
      const { x } = this.drag;
      this.drag = { x, ...dragged(this.framesIn(event.clientX - x), this.state) };
      this.show(this.drag.centre, this.drag.half);
    });
    grip.addEventListener("pointerup", () => this.release());
    grip.addEventListener("pointercancel", () => {
      this.drag = null;
      if (this.state) this.set(this.state);
    });
  }

  private release(): void {
    const { drag, state } = this;
    this.drag = null;
    if (!drag || !state) return;
    if (drag.centre !== state.centre) this.actions.centred(drag.centre);
    else if (drag.half !== state.half) this.actions.widened(rounded(drag.half));
    else this.set(state);
  }

  private key(event: KeyboardEvent, which: "centre" | "width"): void {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!way || !this.state) return;
    event.preventDefault();
    const by = way * (event.shiftKey ? FAR_STEP : 1);
    const state = { ...this.state };
    if (which === "centre") state.centre = within(state.centre + by, state);
    else state.half = rounded(Math.max(NARROWEST, state.half + WIDTH_STEP * by));
    state.span = spanAbout(this.state, state.centre, state.half);
    // The next key may come before the answer to this one.
    this.set(state);
    if (which === "centre") this.actions.centred(state.centre);
    else this.actions.widened(state.half);
  }

  private framesIn(pixels: number): number {
    return Math.round((pixels / this.track.clientWidth) * this.state!.across);
  }
}

function handle(name: string): HTMLElement {
  return element("div", { class: `rail-handle ${name}`, role: "slider", tabindex: 0 });
}

function label(grip: HTMLElement, name: string, value: number, most: number, words: string): void {
  const facts = {
    "aria-label": name,
    "aria-valuemin": 0,
    "aria-valuemax": most,
    "aria-valuenow": value,
    "aria-valuetext": words,
  };
  for (const [attribute, fact] of Object.entries(facts)) grip.setAttribute(attribute, String(fact));
  grip.title = `${name}: ${words}`;
}

/** The frames that a transition takes about another centre, or with another width, than it was made with. */
function spanAbout({ span, centre: made, half: wide, fps }: RailState, centre: number, half: number): [number, number] {
  if (!span) return [centre - half * fps, centre + half * fps];
  const scale = half / wide;
  return [centre + scale * (span[0] - made), centre + scale * (span[1] - made)];
}

function placed(name: string, first: number, state: RailState, last?: number): HTMLElement {
  const width = last === undefined ? "" : `; width: ${share(last - first, state)}`;
  return element("div", { class: name, style: `left: ${share(first, state)}${width}` });
}

function share(frames: number, { across }: RailState): string {
  return `${(100 * Math.max(frames, 0)) / Math.max(across, 1)}%`;
}

function within(frame: number, { frames }: RailState): number {
  return Math.min(Math.max(frame, 0), frames - 1);
}

/** Milliseconds are enough for a width. */
function rounded(seconds: number): number {
  return Math.round(1000 * seconds) / 1000;
}
