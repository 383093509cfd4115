import type { RegisteredClip, RegistrationHeader } from "../../core/messages";
import { clamp } from "../../core/numbers";
import type { Pack } from "../../core/packs";

/** A cell of the grid: row of the first clip, column of the second. */
export interface Cell {
  row: number;
  column: number;
}

/** A frame of each of the two clips. */
export type Frames = [number, number];

/** The distance grid of two clips, with the path, the timewarp curve and the poses. */
export class Grid {
  readonly header: RegistrationHeader;
  readonly distances: Float32Array;
  readonly path: Frames[];
  readonly timewarp: Frames[];
  readonly minDistance: number;
  readonly maxDistance: number;

  constructor(private readonly pack: Pack<RegistrationHeader>) {
    this.header = pack.header;
    this.distances = this.values("distances");
    this.path = pairs(this.values("path"));
    this.timewarp = pairs(this.values("timewarp"));
    this.minDistance = this.distances.reduce((min, value) => Math.min(min, value), Infinity);
    this.maxDistance = this.distances.reduce((max, value) => Math.max(max, value), 0);
  }

  get rows(): number {
    return this.header.a.cells;
  }

  get columns(): number {
    return this.header.b.cells;
  }

  distance({ row, column }: Cell): number {
    return this.distances[row * this.columns + column]!;
  }

  /** The whole frames of the clips that a cell stands for, within the range that is registered. */
  frames({ row, column }: Cell): Frames {
    return [frameOf(this.header.a, row), frameOf(this.header.b, column)];
  }

  /** The cell of two frames, with fractions; frames of a cycle may lie in its next repetition. */
  cellOf([a, b]: Frames): { row: number; column: number } {
    return { row: columnOf(this.header.a, a), column: columnOf(this.header.b, b) };
  }

  clampCell({ row, column }: Cell): Cell {
    return {
      row: clamp(row, 0, this.rows - 1),
      column: clamp(column, 0, this.columns - 1),
    };
  }

  /** The cell in the middle of the curve. */
  get middle(): Cell {
    const [row, column] = this.timewarp[Math.floor(this.timewarp.length / 2)] ?? [0, 0];
    const [a, b] = [this.header.a, this.header.b];
    return this.clampCell({
      row: Math.round((row - a.first) / a.step),
      column: Math.round((column - b.first) / b.step),
    });
  }

  poseA({ row }: Cell): Float32Array {
    return rowOf(this.values("poses_a"), this.rows, row);
  }

  poseB({ column }: Cell): Float32Array {
    return rowOf(this.values("poses_b"), this.columns, column);
  }

  facingA({ row }: Cell): number {
    return this.values("facing_a")[row]!;
  }

  facingB({ column }: Cell): number {
    return this.values("facing_b")[column]!;
  }

  /** The pose of the second clip, rotated and moved on the ground to match that of the first. */
  alignedB(cell: Cell): Float32Array {
    const { row, column } = cell;
    const angle = this.values("yaws")[row * this.columns + column]!;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [shiftX, shiftZ] = rowOf(this.values("shifts"), this.rows * this.columns, row * this.columns + column);
    const aligned = this.poseB(cell).slice();
    for (let n = 0; n < aligned.length; n += 3) {
      const [x, z] = [aligned[n]!, aligned[n + 2]!];
      aligned[n] = x * cos + z * sin + shiftX!;
      aligned[n + 2] = z * cos - x * sin + shiftZ!;
    }
    return aligned;
  }

  private values(name: string): Float32Array {
    return this.pack.arrays[name]!.values;
  }
}

function frameOf({ first, step, start, end, cyclic }: RegisteredClip, cell: number): number {
  let frame = first + cell * step;
  const period = end - start;
  if (cyclic) while (Math.round(frame) > end) frame -= period;
  return clamp(Math.round(frame), Math.ceil(start), Math.floor(end));
}

function columnOf({ first, step, start, end, cells, cyclic }: RegisteredClip, frame: number): number {
  const last = first + (cells - 1) * step;
  const half = step / 2;
  const period = end - start;
  if (cyclic) while (frame < first - half && frame + period <= last + half) frame += period;
  return (frame - first) / step;
}

function pairs(values: Float32Array): Frames[] {
  return Array.from({ length: values.length / 2 }, (_, n): Frames => [values[2 * n]!, values[2 * n + 1]!]);
}

function rowOf(values: Float32Array, rows: number, row: number): Float32Array {
  const size = values.length / rows;
  return values.subarray(row * size, (row + 1) * size);
}
