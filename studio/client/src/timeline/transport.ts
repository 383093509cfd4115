import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import type { Axis } from "./axis";
import { shape, type Shape } from "./icons";
import type { Playhead } from "./playhead";

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];
/** How much less is in view after one press of the button. */
export const ZOOM_STEP = 1.5;

/** The bar above the lanes: play, where the playhead is, speed, loop, zoom. */
export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly frame = numberInput(
    "Frame",
    (text) => this.goToFrame(text),
    () => this.read(),
  );
  private readonly time = numberInput(
    "Time in seconds",
    (text) => this.goToTime(text),
    () => this.read(),
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
      "aria-label": "Speed",
      title: "Speed",
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
    playback.moved.on(() => this.read());
    this.update();
  }

  /** Show what does not change from picture to picture. */
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
    this.read();
  }

  private playButtons(): HTMLElement {
    const { playhead } = this;
    return element(
      "span",
      { class: "timeline-buttons" },
      button("first", "First frame (Home)", () => playhead.step(-Infinity)),
      button("back", "One frame back (Left)", () => playhead.step(-1)),
      this.play,
      button("next", "One frame on (Right)", () => playhead.step(1)),
      button("last", "Last frame (End)", () => playhead.step(Infinity)),
    );
  }

  /** Show where the playhead is, unless somebody is typing another place. */
  private read(): void {
    if (document.activeElement !== this.frame) this.frame.value = String(this.playhead.frame);
    if (document.activeElement !== this.time) this.time.value = this.studio.playback.time.toFixed(2);
  }

  private goToFrame(text: string): void {
    const frame = Number(text.replace(",", "."));
    if (text.trim() && Number.isFinite(frame)) this.playhead.frame = frame;
    this.frame.value = String(this.playhead.frame);
  }

  private goToTime(text: string): void {
    const seconds = readTime(text);
    if (seconds !== null) this.studio.playback.seek(seconds);
    this.time.value = this.studio.playback.time.toFixed(2);
  }
}

/** Play on, forward, whichever way it went before. */
export function togglePlay({ playback }: Studio): void {
  if (playback.playing) playback.pause();
  else playback.play(Math.abs(playback.speed) || 1);
}

/** "1.25", "1,25 s" and "1:02.5" as seconds; null for what is no time. */
function readTime(text: string): number | null {
  const parts = text.replace(",", ".").replace(/s\s*$/, "").trim().split(":");
  const values = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (values.length > 3 || values.some((value) => !Number.isFinite(value))) return null;
  return values.reduce((total, value) => 60 * total + value, 0);
}

function zoomButtons(axis: Axis): HTMLElement {
  const fit = element("button", { type: "button", class: "plain", title: "Show all of the time (\\)" }, "Fit");
  fit.addEventListener("click", () => axis.fit());
  return element(
    "span",
    { class: "timeline-buttons", role: "group", "aria-label": "Zoom in time" },
    button("farther", "Zoom out (-)", () => axis.zoom(ZOOM_STEP)),
    button("closer", "Zoom in (+)", () => axis.zoom(1 / ZOOM_STEP)),
    fit,
  );
}

/** A field that takes what is typed with Enter, or leaves everything as it is with Escape. */
function numberInput(label: string, enter: (text: string) => void, restore: () => void): HTMLInputElement {
  let cancelled = false; // leaving the field tells of a change, too
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
  const made = element("button", { type: "button", class: "icon plain", onclick: action }, shape(name));
  relabel(made, label);
  return made;
}

function relabel(made: HTMLButtonElement, label: string): void {
  made.title = label;
  made.setAttribute("aria-label", label.replace(/ \(.*\)$/, ""));
}
