import type { ClipHead } from "./messages";
import type { Pack, Table } from "./packs";

/** A clip as the page has it: where every joint is in every frame. */
export class Motion {
  readonly positions: Float32Array;

  constructor(
    readonly key: string,
    readonly head: ClipHead,
    readonly arrays: Record<string, Table>,
  ) {
    this.positions = arrays["positions"]!.values;
  }

  static of(key: string, pack: Pack<ClipHead>): Motion {
    return new Motion(key, pack.head, pack.arrays);
  }

  get nFrames(): number {
    return this.head.n_frames;
  }

  get nJoints(): number {
    return this.head.names.length;
  }

  /** Seconds from the first frame to the last; a cycle ends where it begins again, one frame later. */
  get duration(): number {
    return Math.max(0, this.head.cyclic ? this.nFrames : this.nFrames - 1) / this.head.fps;
  }

  /** The frame at a time: kept within the clip, or going round in a cycle. */
  frameAt(seconds: number): number {
    const frame = seconds * this.head.fps;
    if (this.head.cyclic) return ((frame % this.nFrames) + this.nFrames) % this.nFrames;
    return Math.min(Math.max(frame, 0), this.nFrames - 1);
  }

  /** Joint positions (J, 3) at a frame, whole or between two, into `out`. `array` is "positions" or "before". */
  pose(frame: number, out: Float32Array, array: string = "positions"): void {
    const values = this.arrays[array]?.values ?? this.positions;
    const size = this.nJoints * 3;
    const first = Math.min(Math.floor(frame), this.nFrames - 1);
    // Between the last frame of a cycle and its first the body would jump back: the last pose is held.
    const second = Math.min(first + 1, this.nFrames - 1);
    const share = frame - first;
    for (let n = 0; n < size; n++) {
      const a = values[first * size + n]!;
      out[n] = a + share * (values[second * size + n]! - a);
    }
  }

  /** One value of a table at a whole frame. */
  value(array: string, frame: number, column = 0): number | undefined {
    const table = this.arrays[array];
    if (!table) return undefined;
    const width = table.shape.slice(1).reduce((product, n) => product * n, 1);
    return table.values[frame * width + column];
  }
}
