import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import { svgIcon } from "../widgets/buttons";
import type { Axis } from "./axis";
import type { Playhead } from "./playhead";

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];
/** Zoom factor per press of a button. */
export const ZOOM_STEP = 1.5;

/** The bar above the lanes: playback, position of the playhead, loop, speed and zoom. */
export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly frame = numberInput(
    "Frame",
    (text) => this.goToFrame(text),
    () => this.showPosition(),
  );
  private readonly time = numberInput(
    "Time in seconds",
    (text) => this.goToTime(text),
    () => this.showPosition(),
  );
  private readonly lastFrame = element("span", { class: "muted" });
  private readonly duration = element("span", { class: "muted" });
  private readonly speed: HTMLSelectElement;

  constructor(
    private readonly studio: Studio,
    private readonly playhead: Playhead,
    axis: Axis,
    ...more: HTMLElement[]
  ) {
    const { playback } = studio;
    this.play = button("play", "Play", () => togglePlay(studio));
    this.loop = button("loop", "Loop", () => (playback.loop = !playback.loop));
    this.speed = element("select", {
      "aria-label": "Playback speed",
      title: "Playback speed",
      onchange: () => (playback.speed = Number(this.speed.value)),
    });
    this.element = element(
      "div",
      { class: "timeline-bar", role: "group", "aria-label": "Playback" },
      this.playButtons(),
      element("label", { class: "timeline-field" }, "Frame", this.frame, this.lastFrame),
      element("label", { class: "timeline-field" }, "Time", this.time, this.duration),
      element("span", { class: "timeline-buttons" }, this.loop, this.speed),
      element("span", { class: "timeline-push" }),
      ...more,
      zoomButtons(axis),
    );
    playback.changed.on(() => this.update());
    playback.moved.on(() => this.showPosition());
    this.update();
  }

  /** Update everything but the position of the playhead. */
  update(): void {
    const { playback } = this.studio;
    this.play.replaceChildren(shape(playback.playing ? "pause" : "play"));
    relabel(this.play, playback.playing ? "Pause (Space)" : "Play (Space)");
    this.loop.setAttribute("aria-pressed", String(playback.loop));
    const speeds = SPEEDS.includes(playback.speed) ? SPEEDS : [...SPEEDS, playback.speed].sort((a, b) => a - b);
    if (this.speed.options.length !== speeds.length || this.speed.value !== String(playback.speed)) {
      this.speed.replaceChildren(...speeds.map((speed) => element("option", { value: speed }, `${speed}×`)));
      this.speed.value = String(playback.speed);
    }
    this.lastFrame.textContent = `/ ${this.playhead.lastFrame}`;
    this.duration.textContent = `/ ${(this.playhead.motion?.duration ?? 0).toFixed(2)} s`;
    this.showPosition();
  }

  private playButtons(): HTMLElement {
    const { playhead } = this;
    return element(
      "span",
      { class: "timeline-buttons" },
      button("first", "First frame (Home)", () => playhead.step(-Infinity)),
      button("back", "Previous frame (Left)", () => playhead.step(-1)),
      this.play,
      button("next", "Next frame (Right)", () => playhead.step(1)),
      button("last", "Last frame (End)", () => playhead.step(Infinity)),
    );
  }

  /** Show the position of the playhead, except in a field that is being edited. */
  private showPosition(): void {
    if (document.activeElement !== this.frame) this.frame.value = String(this.playhead.frame);
    if (document.activeElement !== this.time) this.time.value = this.studio.playback.time.toFixed(2);
  }

  private goToFrame(text: string): void {
    const frame = Number(text.replace(",", "."));
    if (text.trim() && Number.isFinite(frame)) this.playhead.frame = frame;
    this.frame.value = String(this.playhead.frame);
  }

  private goToTime(text: string): void {
    const seconds = parseTime(text);
    if (seconds !== null) this.studio.playback.seek(seconds);
    this.time.value = this.studio.playback.time.toFixed(2);
  }
}

/** Play or pause; always plays forward. */
export function togglePlay({ playback }: Studio): void {
  if (playback.playing) playback.pause();
  else playback.play(Math.abs(playback.speed) || 1);
}

/** Parse "1.25", "1,25 s" or "1:02.5" as seconds; null if the text is not a time. */
export function parseTime(text: string): number | null {
  const parts = text.replace(",", ".").replace(/s\s*$/, "").trim().split(":");
  const values = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (values.length > 3 || values.some((value) => !Number.isFinite(value))) return null;
  return values.reduce((total, value) => 60 * total + value, 0);
}

function zoomButtons(axis: Axis): HTMLElement {
  const fit = element("button", { type: "button", class: "plain", title: "Fit the timeline (\\)" }, "Fit");
  fit.addEventListener("click", () => axis.fit());
  return element(
    "span",
    { class: "timeline-buttons", role: "group", "aria-label": "Timeline zoom" },
    button("farther", "Zoom out (-)", () => axis.zoom(ZOOM_STEP)),
    button("closer", "Zoom in (+)", () => axis.zoom(1 / ZOOM_STEP)),
    fit,
  );
}

/** A field that applies its text on Enter and restores it on Escape. */
function numberInput(label: string, enter: (text: string) => void, restore: () => void): HTMLInputElement {
  let cancelled = false; // leaving the field also fires a change
  const input = element("input", {
    type: "text",
    inputmode: "decimal",
    "aria-label": label,
    size: 5,
    onfocus: () => input.select(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      cancelled = true;
      input.blur();
      cancelled = false;
      restore();
    },
    onchange: () => cancelled || enter(input.value),
  });
  return input;
}

function button(name: Shape, label: string, action: () => void): HTMLButtonElement {
  const created = element("button", { type: "button", class: "icon plain", onclick: action }, shape(name));
  relabel(created, label);
  return created;
}

function relabel(target: HTMLButtonElement, label: string): void {
  target.title = label;
  target.setAttribute("aria-label", label.replace(/ \(.*\)$/, ""));
}

/** Filled shapes on a 16 × 16 grid. */
const SHAPES = {
  first: "M3 3h2v10H3ZM13 3v10L6 8Z",
  back: "M9.5 3v10L3 8ZM11 3h2v10h-2Z",
  play: "M4 2.5v11L13 8Z",
  pause: "M4 3h3v10H4ZM9 3h3v10H9Z",
  next: "M6.5 3v10L13 8ZM3 3h2v10H3Z",
  last: "M11 3h2v10h-2ZM3 3v10l7-5Z",
  loop:
    "M4 4h7V1.5L15 5l-4 3.5V6H4.5v2.5h-2V5.5A1.5 1.5 0 0 1 4 4Z" +
    "M12 12H5v2.5L1 11l4-3.5V10h6.5V8h2v2.5A1.5 1.5 0 0 1 12 12Z",
  closer: "M7 3h2v4h4v2H9v4H7V9H3V7h4Z",
  farther: "M3 7h10v2H3Z",
};

export type Shape = keyof typeof SHAPES;

export function shape(name: Shape): SVGSVGElement {
  return svgIcon(SHAPES[name], "timeline-icon");
}
