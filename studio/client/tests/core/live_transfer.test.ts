import { expect, test } from "vitest";
import { LiveTransfer } from "../../src/core/live_transfer";
import type { CharacterHeader, ClipHeader } from "../../src/core/messages";
import { Motion } from "../../src/core/motion";
import { exp, multiply, type Quaternion, rotate, type Vector } from "../../src/core/rotations";

const TURNS: Quaternion[] = [exp([0, 0.3, 0]), exp([0.5, 0.8, 0])];

/** A root and one child over two frames; the character is half as large, its joints are oriented otherwise, and it has
 * one more joint at rest. */
function motions(): [Motion, Motion<CharacterHeader>] {
  const twist = exp([0, 0, 1.1]);
  const source = { positions: [] as number[], rotations: [] as number[] };
  const target = { positions: [] as number[], rotations: [] as number[] };
  TURNS.forEach((turn, frame) => {
    const root: Vector = [frame, 1, 2 * frame];
    const child = rotate(turn, [0, 0.4, 0]).map((value, axis) => value + root[axis]!);
    source.positions.push(...root, ...child);
    source.rotations.push(...turn, ...turn);
    const half: Vector = [root[0] / 2, root[1] / 2, root[2] / 2];
    const along = rotate(turn, [0, 0.2, 0]).map((value, axis) => value + half[axis]!);
    const end = rotate(turn, [0, 0.3, 0]).map((value, axis) => value + half[axis]!);
    target.positions.push(...half, ...along, ...end);
    const turned = multiply(turn, twist);
    target.rotations.push(...turned, ...turned, ...turned);
  });
  const table = (values: number[], shape: number[]) => ({ values: Float32Array.from(values), shape });
  const make = (names: string[], parents: number[], { positions, rotations }: typeof source, more: object) =>
    new Motion(
      names.join(),
      { names, parents, n_frames: 2, fps: 30, cyclic: false, ...more } as unknown as ClipHeader & CharacterHeader,
      {
        positions: table(positions, [2, names.length, 3]),
        rotations: table(rotations, [2, names.length, 4]),
      },
    );
  const clip = make(["root", "arm"], [-1, 0], source, {});
  const character = make(["hips", "limb", "tip"], [-1, 0, 1], target, { root: 0, drivers: ["root", "arm", null] });
  return [clip, character];
}

test("a pose of the clip becomes the pose that the character has in that frame", () => {
  const [clip, character] = motions();
  const transfer = LiveTransfer.of(clip, character)!;
  const [positions, rotations] = [new Float32Array(9), new Float32Array(12)];
  for (const frame of [0, 1]) {
    transfer.pose(
      clip.positions.subarray(6 * frame, 6 * frame + 6),
      clip.arrays["rotations"]!.values.subarray(8 * frame, 8 * frame + 8),
      positions,
      rotations,
    );
    positions.forEach((value, n) => expect(value).toBeCloseTo(character.positions[9 * frame + n]!, 5));
  }
});
