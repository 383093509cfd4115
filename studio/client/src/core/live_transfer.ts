import type { CharacterHeader } from "./messages";
import type { Motion } from "./motion";
import { inverse, multiply, type Quaternion, rotate, type Vector } from "./rotations";

/** Puts poses of a clip's skeleton on a character, as the server put the whole clip on it: driven joints keep the
 * rotation that they have relative to their drivers, others that relative to their parents, and the travel is scaled.
 * Feet are not planted meanwhile. */
export class LiveTransfer {
  private constructor(
    private readonly parents: number[],
    private readonly root: number,
    /** The joint of the clip that drives each joint; -1 where none does. */
    private readonly drivers: number[],
    /** Rotation relative to the driver or, without one, to the parent. */
    private readonly relative: Quaternion[],
    /** Position in the frame of the parent. */
    private readonly offsets: Vector[],
    private readonly scale: number,
    private readonly shift: Vector,
  ) {}

  /** From a clip and the same on a character; null if rotations were not sent. */
  static of(clip: Motion, character: Motion<CharacterHeader>): LiveTransfer | null {
    const { parents, root, drivers } = character.header;
    const from = new Float32Array(4 * clip.nJoints);
    const to = new Float32Array(4 * character.nJoints);
    if (!clip.rotate(0, from) || !character.rotate(0, to)) return null;
    const driving = drivers.map((name) => (name === null ? -1 : clip.header.names.indexOf(name)));
    const relative = parents.map((parent, joint): Quaternion => {
      const driver = driving[joint]!;
      if (driver >= 0) return multiply(inverse(quaternionAt(from, driver)), quaternionAt(to, joint));
      if (parent < 0) return quaternionAt(to, joint);
      return multiply(inverse(quaternionAt(to, parent)), quaternionAt(to, joint));
    });
    const offsets = parents.map((parent, joint): Vector => {
      const at = positionAt(character.positions, joint);
      if (parent < 0) return at;
      const base = positionAt(character.positions, parent);
      return rotate(inverse(quaternionAt(to, parent)), [at[0] - base[0], at[1] - base[1], at[2] - base[2]]);
    });
    const [scale, shift] = fitRoots(clip, character, driving[root]!, root);
    return new LiveTransfer(parents, root, driving, relative, offsets, scale, shift);
  }

  /** Write the pose of the character: positions (J, 3) and rotations (J, 4). */
  pose(positions: Float32Array, rotations: Float32Array, outPositions: Float32Array, outRotations: Float32Array): void {
    const { parents, root, drivers } = this;
    parents.forEach((parent, joint) => {
      const driver = drivers[joint]!;
      const base: Quaternion =
        driver >= 0 ? quaternionAt(rotations, driver) : parent >= 0 ? quaternionAt(outRotations, parent) : [1, 0, 0, 0];
      outRotations.set(multiply(base, this.relative[joint]!), 4 * joint);
      let at = this.offsets[joint]!;
      if (joint === root) {
        const position = positionAt(positions, Math.max(drivers[root]!, 0));
        at = [0, 1, 2].map((axis) => this.scale * position[axis]! + this.shift[axis]!) as Vector;
      } else if (parent >= 0) {
        const from = positionAt(outPositions, parent);
        const turned = rotate(quaternionAt(outRotations, parent), at);
        at = [from[0] + turned[0], from[1] + turned[1], from[2] + turned[2]];
      }
      outPositions.set(at, 3 * joint);
    });
  }
}

/** Scale and shift that lead from the root of a clip to that of a character, by least squares over the frames. */
function fitRoots(clip: Motion, character: Motion<CharacterHeader>, driver: number, root: number): [number, Vector] {
  const frames = Math.min(clip.nFrames, character.nFrames);
  const from: Vector[] = [];
  const to: Vector[] = [];
  for (let frame = 0; frame < frames; frame++) {
    from.push(positionAt(clip.positions, frame * clip.nJoints + Math.max(driver, 0)));
    to.push(positionAt(character.positions, frame * character.nJoints + root));
  }
  const [a, b] = [mean(from), mean(to)];
  let [covariance, variance] = [0, 0];
  from.forEach((position, n) =>
    position.forEach((value, axis) => {
      covariance += (value - a[axis]!) * (to[n]![axis]! - b[axis]!);
      variance += (value - a[axis]!) ** 2;
    }),
  );
  const scale = variance > 1e-6 ? covariance / variance : 1;
  return [scale, [b[0] - scale * a[0], b[1] - scale * a[1], b[2] - scale * a[2]]];
}

function mean(positions: Vector[]): Vector {
  return [0, 1, 2].map(
    (axis) => positions.reduce((sum, position) => sum + position[axis]!, 0) / positions.length,
  ) as Vector;
}

function quaternionAt(values: Float32Array, joint: number): Quaternion {
  const at = 4 * joint;
  return [values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!];
}

function positionAt(values: Float32Array, joint: number): Vector {
  return [values[3 * joint]!, values[3 * joint + 1]!, values[3 * joint + 2]!];
}
