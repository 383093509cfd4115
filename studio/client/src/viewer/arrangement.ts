import type { Layout } from "./layouts";
import type { Actor } from "./actor";

/** Metres between figures that stand side by side. */
const SPACING = 1.3;
/** Clips whose roots are ever farther apart than this, metres, are kept together while a line divides them. */
const APART = 0.5;
const N_SAMPLES = 20;

/** Put the actors where a layout wants them. */
export function arrange(actors: Actor[], layout: Layout): void {
  const first = actors[0];
  if (!first) return;
  const [x, z, yaw] = first.clip.start;
  const together = layout === "start" || (layout === "wipe" && diverge(actors.slice(0, 2)));
  actors.forEach((actor, n) => {
    if (layout === "side") {
      const along = SPACING * n;
      actor.placeStart(x - along * Math.cos(yaw), z + along * Math.sin(yaw), yaw);
    } else if (together) actor.placeStart(x, z, yaw);
    else actor.placeStart(...actor.clip.start);
  });
}

/** Whether clips leave the first one. */
export function diverge([first, ...others]: Actor[]): boolean {
  return first !== undefined && others.some((other) => leaves(first, other));
}

function leaves(a: Actor, b: Actor): boolean {
  const duration = Math.max(a.motion.duration, b.motion.duration);
  const times = Array.from({ length: N_SAMPLES }, (_, n) => (duration * n) / (N_SAMPLES - 1));
  return times.some((time) => {
    const [from, to] = [a, b].map(({ motion }) => 3 * motion.nJoints * Math.round(motion.frameAt(time)));
    const at = (axis: number): number => a.motion.positions[from! + axis]! - b.motion.positions[to! + axis]!;
    return Math.hypot(at(0), at(2)) > APART;
  });
}

/** Put the second actor where the first is now. */
export function keepTogether([a, b]: Actor[]): void {
  if (!a || !b) return;
  const shift = a.root().sub(b.root()).setY(0);
  if (!Number.isFinite(shift.x + shift.z)) return;
  b.group.position.add(shift);
  b.group.updateMatrixWorld();
}
