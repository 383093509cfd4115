import type { Motion } from "../core/motion";
import type { Studio } from "../core/studio";
import { within } from "./values";

/** The playhead in frames of the selected clip. */
export class Playhead {
  constructor(private readonly studio: Studio) {}

  get motion(): Motion | null {
    const selected = this.studio.selected;
    return selected && this.studio.motion(selected.id);
  }

  get fps(): number {
    return this.motion?.head.fps ?? 30;
  }

  get lastFrame(): number {
    return Math.max(0, (this.motion?.nFrames ?? 1) - 1);
  }

  /** The whole frame that is nearest; the end of a cycle is its first frame again. */
  get frame(): number {
    const frame = Math.round(this.motion?.frameAt(this.studio.playback.time) ?? 0);
    return within(frame, 0, this.lastFrame);
  }

  set frame(frame: number) {
    this.studio.playback.seek(within(Math.round(frame), 0, this.lastFrame) / this.fps);
  }

  /** Go by frames, which stops a clip that plays. */
  step(frames: number): void {
    this.studio.playback.pause();
    this.frame += frames;
  }

  /** Go to the frame nearest to a time. */
  seek(seconds: number): void {
    this.frame = seconds * this.fps;
  }

  /** What a screen reader says. */
  get text(): string {
    return `frame ${this.frame} of ${this.lastFrame}, ${this.studio.playback.time.toFixed(2)} seconds`;
  }
}
