import type { ClipEdit } from "../core/messages";

/** Tolerance in frames, so that rounding does not lose the last frame. */
const TOLERANCE = 1e-9;

/** Converts between frames of a clip before its edits (trim, speed, reverse) and after them, where they count from 0.
 * Trims and weight keys count frames before the edits; lanes show those after. */
export class EditedTime {
  /** The first and the last frame that are kept, counted before the edits. */
  readonly kept: [number, number];
  private readonly speed: number;
  private readonly reversed: boolean;
  /** The frame before the edits that becomes frame 0. */
  private readonly origin: number;

  /** `last` is the last frame before the edits. */
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
    return Math.floor((this.kept[1] - this.kept[0]) / this.speed + TOLERANCE);
  }

  /** Frames before the edits per frame after them; negative if the clip is reversed. */
  get step(): number {
    return this.reversed ? -this.speed : this.speed;
  }

  /** Whether the same frame after the edits is the same frame before them. */
  hasFramesOf(other: EditedTime): boolean {
    return this.origin === other.origin && this.step === other.step;
  }

  /** The frame before the edits of a frame after them. */
  before(frame: number): number {
    return this.origin + frame * this.step;
  }

  /** The frame after the edits of a frame before them; negative or beyond the last if it was trimmed away. */
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
