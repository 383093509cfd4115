import { element } from "../core/dom";
import type { Mark } from "../core/messages";
import { clamp } from "../core/numbers";
import type { Playback } from "../core/playback";
import { togglePlay } from "../core/playback_keys";
import { fillSpeeds, playButton, relabelPlay } from "../widgets/play_buttons";
import { EventMarks } from "./event_marks";

/** The bar below the figures: play, scrub, time, loop and speed. Frames are those of the selected clip. */
export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly scrubber: HTMLInputElement;
  private readonly position = element("span", { class: "position" });
  private readonly speed: HTMLSelectElement;
  private readonly marks: EventMarks;
  private fps = 30;

  constructor(private readonly playback: Playback) {
    this.play = playButton("play", "Play", () => togglePlay(playback));
    this.loop = playButton("loop", "Loop", () => (playback.loop = !playback.loop));
    this.scrubber = element("input", {
      type: "range",
      min: 0,
      step: "any",
      class: "scrubber",
      "aria-label": "Time",
      oninput: () => {
        playback.pause();
        playback.seek(Number(this.scrubber.value));
      },
      onkeydown: (event: KeyboardEvent) => {
        const frames = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (frames === undefined) return;
        event.preventDefault();
        this.step(frames * (event.shiftKey ? 10 : 1));
      },
    });
    this.speed = element("select", {
      "aria-label": "Playback speed",
      title: "Playback speed",
      onchange: () => (playback.speed = Number(this.speed.value)),
    });
    this.marks = new EventMarks(playback);
    this.element = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Playback" },
      this.play,
      element("div", { class: "track" }, this.marks.element, this.scrubber),
      this.position,
      this.loop,
      this.speed,
    );
    playback.changed.on(() => this.update());
    playback.moved.on(() => this.showPosition());
    this.update();
  }

  /** Count frames of a clip with this rate, and mark its events, from now on. */
  countFrames(fps: number, events: readonly Mark[]): void {
    this.fps = fps;
    this.marks.show(events, fps);
    this.update();
  }

  get frame(): number {
    return Math.round(this.playback.time * this.fps);
  }

  /** Move by frames; pauses playback. */
  step(frames: number): void {
    this.playback.pause();
    this.playback.seek(clamp((this.frame + frames) / this.fps, 0, this.playback.duration));
  }

  private update(): void {
    const { playback } = this;
    relabelPlay(this.play, playback.playing);
    this.loop.setAttribute("aria-pressed", String(playback.loop));
    fillSpeeds(this.speed, playback.speed);
    this.scrubber.max = String(playback.duration);
    this.showPosition();
  }

  private showPosition(): void {
    const { time, duration } = this.playback;
    this.scrubber.value = String(time);
    this.scrubber.setAttribute("aria-valuetext", `frame ${this.frame}, ${time.toFixed(2)} seconds`);
    this.position.textContent = `${time.toFixed(2)} / ${duration.toFixed(2)} s · frame ${this.frame}`;
  }
}
