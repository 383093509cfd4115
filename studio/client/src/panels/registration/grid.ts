import type { RegisteredClip, RegistrationHead } from "../../core/messages";
import type { Pack } from "../../core/packs";

/** A cell of the grid: row of the first clip, column of the second. */
export interface Cell {
  row: number;
  column: number;
}

/** A frame of each of the two clips. */
export type Frames = [number, number];

/** How two clips correspond, as the server found it: distances of their frames, path, curve and poses. */
export class Grid {
  readonly head: RegistrationHead;
  readonly distances: Float32Array;
  readonly path: Frames[];
  readonly timewarp: Frames[];
  readonly nearest: number;
  readonly farthest: number;

  constructor(private readonly pack: Pack<RegistrationHead>) {
    this.head = pack.head;
    this.distances = this.values("distances");
    this.path = pairs(this.values("path"));
    this.timewarp = pairs(this.values("timewarp"));
    this.nearest = this.distances.reduce((least, value) => Math.min(least, value), Infinity);
    this.farthest = this.distances.reduce((most, value) => Math.max(most, value), 0);
  }

  get rows(): number {
    return this.head.a.cells;
  }

  get columns(): number {
    return this.head.b.cells;
  }

  distance({ row, column }: Cell): number {
    return this.distances[row * this.columns + column]!;
  }

  /** The frames of the project's clips that a cell stands for: whole ones, within what is used of them. */
  frames({ row, column }: Cell): Frames {
    return [frameOf(this.head.a, row), frameOf(this.head.b, column)];
  }

  /** Where frames lie in the grid, as fractions of cells; frames of a cycle are looked for in the next one too. */
  place([a, b]: Frames): { row: number; column: number } {
    return { row: cellOf(this.head.a, a), column: cellOf(this.head.b, b) };
  }

  clamped({ row, column }: Cell): Cell {
    return {
      row: Math.min(Math.max(row, 0), this.rows - 1),
      column: Math.min(Math.max(column, 0), this.columns - 1),
    };
  }

  /** The middle of the curve: a cell to begin with. */
  get middle(): Cell {
    const [row, column] = this.timewarp[Math.floor(this.timewarp.length / 2)] ?? [0, 0];
    const [a, b] = [this.head.a, this.head.b];
    return this.clamped({
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

  /** The pose of the second clip, turned and moved onto that of the first as well as it goes. */
  placedB(cell: Cell): Float32Array {
    const { row, column } = cell;
    const turn = this.values("turns")[row * this.columns + column]!;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const [toX, toZ] = rowOf(this.values("centres_a"), this.rows, row);
    const [fromX, fromZ] = rowOf(this.values("centres_b"), this.columns, column);
    const placed = this.poseB(cell).slice();
    for (let n = 0; n < placed.length; n += 3) {
      const [x, z] = [placed[n]! - fromX!, placed[n + 2]! - fromZ!];
      placed[n] = x * cos + z * sin + toX!;
      placed[n + 2] = z * cos - x * sin + toZ!;
    }
    return placed;
  }

  private values(name: string): Float32Array {
    return this.pack.arrays[name]!.values;
  }
}

function frameOf({ first, step, start, end, cyclic }: RegisteredClip, cell: number): number {
  let frame = Math.round(first + cell * step);
  const period = end - start;
  if (cyclic) while (frame > end) frame = Math.round(frame - period);
  return Math.min(Math.max(frame, Math.ceil(start)), Math.floor(end));
}

function cellOf({ first, step, start, end, cells, cyclic }: RegisteredClip, frame: number): number {
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
