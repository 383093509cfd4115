import type { ClipHeader, FigureHeader } from "./messages";
import type { Pack, Table } from "./packs";

/** The motion of a clip: positions of all joints in all frames, with arrays that come with them. */
export class Motion<Header extends FigureHeader = ClipHeader> {
  readonly positions: Float32Array;

  constructor(
    readonly key: string,
    readonly header: Header,
    readonly arrays: Record<string, Table>,
  ) {
    this.positions = arrays["positions"]!.values;
  }

  static of(key: string, pack: Pack<ClipHeader>): Motion {
    return new Motion(key, pack.header, pack.arrays);
  }

  get nFrames(): number {
    return this.header.n_frames;
  }

  /** The joint that carries the body; on a character, joints above it may stand still. */
  get root(): number {
    return (this.header as { root?: number }).root ?? 0;
  }

  get nJoints(): number {
    return this.header.names.length;
  }

  /** Seconds from the first frame to the last; a cycle lasts one frame longer, until it starts again. */
  get duration(): number {
    return Math.max(0, this.header.cyclic ? this.nFrames : this.nFrames - 1) / this.header.fps;
  }

  /** The frame at a time: clamped to the clip, or wrapped around in a cycle. */
  frameAt(seconds: number): number {
    const frame = seconds * this.header.fps;
    if (this.header.cyclic) return ((frame % this.nFrames) + this.nFrames) % this.nFrames;
    return Math.min(Math.max(frame, 0), this.nFrames - 1);
  }

  /** Write joint positions (J, 3) at a frame, interpolated between whole frames, to `out`. `array` is "positions" or
   * "before". */
  pose(frame: number, out: Float32Array, array: string = "positions"): void {
    const values = this.arrays[array]?.values ?? this.positions;
    const size = this.nJoints * 3;
    const first = Math.min(Math.floor(frame), this.nFrames - 1);
    // Between the last frame of a cycle and its first, the body would jump back to the start: hold the last pose.
    const second = Math.min(first + 1, this.nFrames - 1);
    const fraction = frame - first;
    for (let n = 0; n < size; n++) {
      const a = values[first * size + n]!;
      // At a whole frame the next one does not count, which may be a gap.
      out[n] = fraction === 0 ? a : a + fraction * (values[second * size + n]! - a);
    }
  }

  /** Write world rotations (J, 4) at a frame, w first, interpolated between whole frames, to `out`; false if they were
   * not sent. */
  rotate(frame: number, out: Float32Array): boolean {
    const values = this.arrays["rotations"]?.values;
    if (!values) return false;
    const size = this.nJoints * 4;
    const first = Math.min(Math.floor(frame), this.nFrames - 1);
    const second = Math.min(first + 1, this.nFrames - 1);
    const fraction = frame - first;
    for (let at = 0; at < size; at += 4) {
      const [a, b] = [first * size + at, second * size + at];
      let dot = 0;
      for (let n = 0; n < 4; n++) dot += values[a + n]! * values[b + n]!;
      const weight = dot < 0 ? -fraction : fraction;
      let length = 0;
      for (let n = 0; n < 4; n++) {
        const value = (1 - fraction) * values[a + n]! + weight * values[b + n]!;
        out[at + n] = value;
        length += value * value;
      }
      for (let n = 0; n < 4; n++) out[at + n]! /= Math.sqrt(length);
    }
    return true;
  }

  /** One value of an array at a whole frame. */
  value(array: string, frame: number, column = 0): number | undefined {
    const table = this.arrays[array];
    if (!table) return undefined;
    const width = table.shape.slice(1).reduce((product, n) => product * n, 1);
    return table.values[frame * width + column];
  }
}

/** Average speed along the path in metres per second, and turning rate to the left in radians per second. */
export interface SpeedAndTurn {
  speed: number;
  turn: number;
}

/** Seconds per step along the path: long enough that the sway of each stride averages out. */
const PATH_STEP = 0.5;
/** Metres per step below which a clip stands still and has no heading. */
const MIN_STEP = 0.05;

/** Measure how fast a motion travels and turns, from the path of its root. */
export function speedAndTurn(motion: Motion): SpeedAndTurn {
  const stride = Math.max(1, Math.round(PATH_STEP * motion.header.fps));
  let length = 0;
  let turned = 0;
  let heading: number | null = null;
  for (let frame = stride; frame < motion.nFrames; frame += stride) {
    const [dx, dz] = [0, 2].map((axis) => rootAt(motion, frame, axis) - rootAt(motion, frame - stride, axis)) as [
      number,
      number,
    ];
    const step = Math.hypot(dx, dz);
    length += step;
    if (step < MIN_STEP) continue;
    const next = Math.atan2(dx, dz);
    if (heading !== null) turned += Math.atan2(Math.sin(next - heading), Math.cos(next - heading));
    heading = next;
  }
  const seconds = Math.max(motion.duration, 1 / motion.header.fps);
  return { speed: length / seconds, turn: turned / seconds };
}

function rootAt(motion: Motion, frame: number, axis: number): number {
  return motion.positions[frame * motion.nJoints * 3 + axis]!;
}
