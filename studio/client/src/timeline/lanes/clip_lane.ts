import { frameNumber, frameText, type ClipView } from "../clip_view";
import { figureColour } from "../colours";
import { setTrim, trimTo } from "../edits";
import type { Grip } from "../grips";
import { hatch, type Lane, lazy, type LaneCanvas } from "./lane";

const HEIGHT = 24;
const [TOP, BOTTOM] = [4, 20];
const HANDLE = 5;

/** The clip as a bar between its trim handles; what was trimmed away is hatched. */
export function clipLane(view: ClipView): Lane {
  return {
    label: "",
    title: "",
    height: HEIGHT,
    grips: lazy(() => [trimGrip(view, "first"), trimGrip(view, "last")]),
    draw: (canvas) => drawClip(canvas, view),
  };
}

function trimGrip(view: ClipView, side: "first" | "last"): Grip {
  const frame = view.requested.kept[side === "first" ? 0 : 1];
  const seconds = view.computed.seconds(frame);
  return {
    mark: "trim",
    name: "Trim",
    part: side,
    text: `${frameText(frame, view.computed.fps)} of the whole clip`,
    value: frameNumber(frame),
    seconds,
    area: { from: seconds, to: seconds, top: 0, bottom: HEIGHT },
    kind: "edge",
    drag: ({ frames }) => trimTo(view, side, frame + frames * view.computed.step),
    nudge: (steps) => trimTo(view, side, frame + steps),
    remove: view.item.edit.trim ? () => setTrim(view, null) : null,
  };
}

function drawClip({ context, axis, colours, selected }: LaneCanvas, view: ClipView): void {
  const colour = figureColour(colours, view.item.colour);
  const [left, right] = minMax(view.requested.kept.map((frame) => axis.x(view.computed.seconds(frame))));
  const ends = minMax([0, view.last].map((frame) => axis.x(view.computed.seconds(frame))));
  for (const [from, to] of [
    [ends[0], left],
    [right, ends[1]],
  ] as const) {
    if (to - from < 1) continue;
    hatch(context, colours.muted, from, to, TOP, BOTTOM);
    context.strokeStyle = colours.line;
    context.strokeRect(from + 0.5, TOP + 0.5, to - from - 1, BOTTOM - TOP - 1);
  }
  context.globalAlpha = 0.35;
  context.fillStyle = colour;
  context.fillRect(left, TOP, right - left, BOTTOM - TOP);
  context.globalAlpha = 1;
  for (const seam of view.motion.header.seams) drawSeam(context, colours.text, axis.x(seam / view.computed.fps));
  context.fillStyle = selected === "trim" ? colours.accent : colour;
  for (const x of [left, right - HANDLE]) roundRect(context, x, TOP - 2, HANDLE, BOTTOM - TOP + 4);
}

function minMax(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function drawSeam(context: CanvasRenderingContext2D, colour: string, x: number): void {
  context.strokeStyle = colour;
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
