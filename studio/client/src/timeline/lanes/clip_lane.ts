import type { Grip } from "../grips";
import { figureInk } from "../inks";
import { frameNumber, frameText, type Shown } from "../shown";
import { setTrim, trimmed } from "../trimming";
import { hatch, lazily, type Lane, type Picture } from "./lane";

const HEIGHT = 24;
const [TOP, BOTTOM] = [4, 20];
const HANDLE = 5;

/** The clip as a bar between its trim handles; what was trimmed away is hatched. */
export function clipLane(shown: Shown): Lane {
  return {
    label: "",
    title: "",
    height: HEIGHT,
    grips: lazily(() => [trimGrip(shown, "first"), trimGrip(shown, "last")]),
    draw: (picture) => drawClip(picture, shown),
  };
}

function trimGrip(shown: Shown, side: "first" | "last"): Grip {
  const frame = shown.wanted.kept[side === "first" ? 0 : 1];
  const seconds = shown.made.seconds(frame);
  return {
    mark: "trim",
    name: "Trim",
    part: side,
    text: `${frameText(frame, shown.made.fps)} of the whole clip`,
    value: frameNumber(frame),
    seconds,
    area: { from: seconds, to: seconds, top: 0, bottom: HEIGHT },
    kind: "edge",
    dragged: ({ frames }) => trimmed(shown, side, frame + frames * shown.made.step),
    nudged: (steps) => trimmed(shown, side, frame + steps),
    removed: shown.item.edit.trim ? () => setTrim(shown, null) : null,
  };
}

function drawClip({ context, axis, inks, selected }: Picture, shown: Shown): void {
  const ink = figureInk(inks, shown.item.colour);
  const [left, right] = inOrder(shown.wanted.kept.map((frame) => axis.x(shown.made.seconds(frame))));
  const ends = inOrder([0, shown.last].map((frame) => axis.x(shown.made.seconds(frame))));
  for (const [from, to] of [
    [ends[0], left],
    [right, ends[1]],
  ] as const) {
    if (to - from < 1) continue;
    hatch(context, inks.muted, from, to, TOP, BOTTOM);
    context.strokeStyle = inks.line;
    context.strokeRect(from + 0.5, TOP + 0.5, to - from - 1, BOTTOM - TOP - 1);
  }
  context.globalAlpha = 0.35;
  context.fillStyle = ink;
  context.fillRect(left, TOP, right - left, BOTTOM - TOP);
  context.globalAlpha = 1;
  for (const seam of shown.motion.head.seams) drawSeam(context, inks.text, axis.x(seam / shown.made.fps));
  context.fillStyle = selected === "trim" ? inks.accent : ink;
  for (const x of [left, right - HANDLE]) roundRect(context, x, TOP - 2, HANDLE, BOTTOM - TOP + 4);
}

function inOrder(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function drawSeam(context: CanvasRenderingContext2D, ink: string, x: number): void {
  context.strokeStyle = ink;
  context.setLineDash([2, 2]);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, TOP);
  context.lineTo(Math.round(x) + 0.5, BOTTOM);
  context.stroke();
  context.setLineDash([]);
}

function roundRect(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, 2);
  context.fill();
}
