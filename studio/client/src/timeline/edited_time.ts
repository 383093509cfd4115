import type { ClipEdit } from "../core/messages";

/** A hair of rounding must not lose the last frame. */
const WHOLE_FRAME = 1e-9;

/** Where the frames of a clip before its edits are in the clip after them, which counts from 0 again.
 * Trims and the keys of blends count frames and seconds before the edits; the lanes show those after. */
export class EditedTime {
  /** First and last frame, before the edits, that are kept. */
  readonly kept: [number, number];
  private readonly speed: number;
  private readonly reversed: boolean;
  /** The frame before the edits that comes first after them. */
  private readonly origin: number;

  /** `last` is the last frame before the edits, which a clip that is not trimmed keeps. */
  constructor(
    edit: ClipEdit,
    readonly fps: number,
    last: number,
  ) {
    this.speed = edit.speed ?? 1;
    this.reversed = edit.reverse;
    this.kept = edit.trim ?? [0, last];
    this.origin = this.reversed ? this.kept[0] + this.lastFrame * this.speed : this.kept[0];
  }

  /** The last frame after the edits. */
  get lastFrame(): number {
    return Math.floor((this.kept[1] - this.kept[0]) / this.speed + WHOLE_FRAME);
  }

  /** Frames before the edits that go by in one frame after them; negative where time runs backward. */
  get step(): number {
    return this.reversed ? -this.speed : this.speed;
  }

  /** The frame before the edits that is frame `shown` after them. */
  before(shown: number): number {
    return this.origin + shown * this.step;
  }

  /** The frame after the edits: less than 0 or more than the last where it was trimmed away. */
  after(frame: number): number {
    return (frame - this.origin) / this.step;
  }

  /** Seconds after the edits of a frame before them, and back. */
  seconds(frame: number): number {
    return this.after(frame) / this.fps;
  }

  frame(seconds: number): number {
    return this.before(seconds * this.fps);
  }
}
