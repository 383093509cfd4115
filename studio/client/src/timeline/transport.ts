import { element } from "../core/dom";
import { togglePlay } from "../core/playback_keys";
import type { Studio } from "../core/studio";
import { fillSpeeds, playButton, relabelPlay } from "../widgets/play_buttons";
import type { Axis } from "./axis";
import type { Playhead } from "./playhead";

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
    this.play = playButton("play", "Play", () => togglePlay(playback));
    this.loop = playButton("loop", "Loop", () => (playback.loop = !playback.loop));
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
    relabelPlay(this.play, playback.playing);
    this.loop.setAttribute("aria-pressed", String(playback.loop));
    fillSpeeds(this.speed, playback.speed);
    this.lastFrame.textContent = `/ ${this.playhead.lastFrame}`;
    this.duration.textContent = `/ ${(this.playhead.motion?.duration ?? 0).toFixed(2)} s`;
    this.showPosition();
  }

  private playButtons(): HTMLElement {
    const { playhead } = this;
    return element(
      "span",
      { class: "timeline-buttons" },
      playButton("first", "First frame (Home)", () => playhead.step(-Infinity)),
      playButton("back", "Previous frame (Left)", () => playhead.step(-1)),
      this.play,
      playButton("next", "Next frame (Right)", () => playhead.step(1)),
      playButton("last", "Last frame (End)", () => playhead.step(Infinity)),
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
    playButton("farther", "Zoom out (-)", () => axis.zoom(ZOOM_STEP)),
    playButton("closer", "Zoom in (+)", () => axis.zoom(1 / ZOOM_STEP)),
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
