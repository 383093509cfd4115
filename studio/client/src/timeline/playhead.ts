import type { Motion } from "../core/motion";
import { clamp } from "../core/numbers";
import type { Studio } from "../core/studio";

/** The playhead in frames of the selected clip. */
export class Playhead {
  constructor(private readonly studio: Studio) {}

  get motion(): Motion | null {
    const selected = this.studio.selected;
    return selected && this.studio.motion(selected.id);
  }

  get fps(): number {
    return this.motion?.header.fps ?? 30;
  }

  get lastFrame(): number {
    return Math.max(0, (this.motion?.nFrames ?? 1) - 1);
  }

  /** The nearest whole frame; the end of a cycle is its first frame again. */
  get frame(): number {
    const frame = Math.round(this.motion?.frameAt(this.studio.playback.time) ?? 0);
    return clamp(frame, 0, this.lastFrame);
  }

  set frame(frame: number) {
    this.studio.playback.seek(clamp(Math.round(frame), 0, this.lastFrame) / this.fps);
  }

  /** Move by frames; pauses playback. */
  step(frames: number): void {
    this.studio.playback.pause();
    this.frame += frames;
  }

  /** Move to the frame nearest to a time. */
  seek(seconds: number): void {
    this.frame = seconds * this.fps;
  }

  /** A description for screen readers. */
  get text(): string {
    return `frame ${this.frame} of ${this.lastFrame}, ${this.studio.playback.time.toFixed(2)} seconds`;
  }
}
