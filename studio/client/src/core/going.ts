import type { Motion } from "./motion";

/** How a clip goes: metres per second along its path, and radians per second to the left. */
export interface Going {
  speed: number;
  turn: number;
}

/** Steps of the path are measured over this many seconds, so that the sway of every stride does not count. */
const STEP = 0.5;

/** Speed and turn of a motion, from the path of its root. */
export function going(motion: Motion): Going {
  const stride = Math.max(1, Math.round(STEP * motion.head.fps));
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
    if (step < 0.05) continue; // standing still has no direction
    const next = Math.atan2(dx, dz);
    if (heading !== null) turned += Math.atan2(Math.sin(next - heading), Math.cos(next - heading));
    heading = next;
  }
  const seconds = Math.max(motion.duration, 1 / motion.head.fps);
  return { speed: length / seconds, turn: turned / seconds };
}

function rootAt(motion: Motion, frame: number, axis: number): number {
  return motion.positions[frame * motion.nJoints * 3 + axis]!;
}
