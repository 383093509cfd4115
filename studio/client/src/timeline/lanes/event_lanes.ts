import type { EventMark, Marks } from "../../core/messages";
import { clamp } from "../../core/numbers";
import { frameNumber, frameText, markFrame, markSeconds, type ClipView } from "../clip_view";
import { marksOf, setMarks, replaceEvent, removeEvent } from "../edits";
import type { Grip } from "../grips";
import { type Lane, lazy, type LaneCanvas } from "./lane";

const HEIGHT = 16;
/** Pixels between a tick and its text, and between the text and the next tick. */
const GAP = 4;
/** The label of new events in a clip that has none. */
export const DEFAULT_LABEL = "mark";

export interface IndexedEvent {
  event: EventMark;
  index: number;
}

/** Events as ticks, one lane per label; ticks show their joint if there is room. */
export function eventLanes(view: ClipView): Lane[] {
  const marks = marksOf(view);
  const rows = new Map<string, IndexedEvent[]>();
  marks.events.forEach((event, index) => {
    if (!rows.has(event.label)) rows.set(event.label, []);
    rows.get(event.label)!.push({ event, index });
  });
  if (rows.size === 0) return [eventLane(view, marks, DEFAULT_LABEL, [], "Events")];
  const labels = [...rows.keys()].sort();
  return labels.map((label) => eventLane(view, marks, label, rows.get(label)!, label));
}

function eventLane(view: ClipView, marks: Marks, label: string, row: IndexedEvent[], title: string): Lane {
  return {
    label: title,
    title: `${title}: drag events; double-click to add one`,
    height: HEIGHT,
    grips: lazy(() => row.map((indexed) => eventGrip(view, marks, indexed))),
    draw: (canvas) => drawEvents(canvas, view, row),
    add: (seconds) => {
      const frame = clamp(Math.round(markFrame(view, seconds)), 0, view.requested.lastFrame);
      return [setMarks(view.item.id, { ...marks, events: [...marks.events, { frame, label, joint: "" }] })];
    },
  };
}

function eventGrip(view: ClipView, marks: Marks, { event, index }: IndexedEvent): Grip {
  const seconds = markSeconds(view, event.frame);
  const move = (frames: number) => {
    const frame = clamp(Math.round(event.frame + frames), 0, view.requested.lastFrame);
    return [setMarks(view.item.id, replaceEvent(marks, index, { ...event, frame }))];
  };
  return {
    mark: `event ${index}`,
    name: event.joint ? `${event.label} ${event.joint}` : event.label,
    part: "at",
    text: frameText(event.frame, view.requested.fps),
    value: frameNumber(event.frame),
    seconds,
    area: { from: seconds, to: seconds, top: 0, bottom: HEIGHT },
    kind: "edge",
    drag: ({ frames }) => move(frames),
    nudge: move,
    remove: () => [setMarks(view.item.id, removeEvent(marks, index))],
  };
}

function drawEvents(canvas: LaneCanvas, view: ClipView, row: IndexedEvent[]): void {
  const { context, axis, colours, height, selected } = canvas;
  context.font = colours.font;
  context.textBaseline = "middle";
  const ticks = groupByPixel(row, (event) => axis.x(markSeconds(view, event.frame)), axis.width);
  ticks.forEach(({ x, events }, n) => {
    const isSelected = events.some(({ index }) => selected === `event ${index}`);
    context.fillStyle = isSelected ? colours.accent : colours.muted;
    context.fillRect(x - 1, 3, isSelected ? 4 : 2, height - 6);
    const joints = [...new Set(events.map(({ event }) => event.joint).filter(Boolean))].join(", ");
    const room = Math.min(ticks[n + 1]?.x ?? Infinity, axis.width) - x - 2 * GAP;
    if (joints && context.measureText(joints).width <= room) context.fillText(joints, x + GAP, height / 2 + 0.5);
  });
}

/** The events in view by the pixel they fall on, from left to right. One tick per pixel is enough: a long take has
 * thousands. */
export function groupByPixel(
  row: IndexedEvent[],
  pixel: (event: EventMark) => number,
  width: number,
): { x: number; events: IndexedEvent[] }[] {
  const groups = new Map<number, IndexedEvent[]>();
  for (const indexed of row) {
    const exact = pixel(indexed.event);
    if (exact < 0 || exact > width) continue;
    const x = Math.round(exact);
    if (groups.has(x)) groups.get(x)!.push(indexed);
    else groups.set(x, [indexed]);
  }
  return [...groups].map(([x, events]) => ({ x, events })).sort((a, b) => a.x - b.x);
}
