import type { EventMark, Marks } from "../../core/messages";
import type { Grip } from "../grips";
import { marksOf, setMarks, withEvent, withoutEvent } from "../marks";
import { frameNumber, frameText, markFrame, markSeconds, type Shown } from "../shown";
import { within } from "../values";
import { lazily, type Lane, type Picture } from "./lane";

const HEIGHT = 16;
/** Pixels between a tick and its text, and between that and the next tick. */
const GAP = 4;
/** What events are called that are added where there are none. */
export const NEW_LABEL = "mark";

interface Numbered {
  event: EventMark;
  index: number;
}

/** Events as ticks, one lane for each label; the ticks say which joint, where there is room. */
export function eventLanes(shown: Shown): Lane[] {
  const marks = marksOf(shown.item, shown.motion.head);
  const rows = new Map<string, Numbered[]>();
  marks.events.forEach((event, index) => {
    if (!rows.has(event.label)) rows.set(event.label, []);
    rows.get(event.label)!.push({ event, index });
  });
  if (rows.size === 0) return [eventLane(shown, marks, NEW_LABEL, [], "Events")];
  const labels = [...rows.keys()].sort();
  return labels.map((label) => eventLane(shown, marks, label, rows.get(label)!, label));
}

function eventLane(shown: Shown, marks: Marks, label: string, row: Numbered[], title: string): Lane {
  return {
    label: title,
    title: `${title}: drag events, double click to add one`,
    height: HEIGHT,
    grips: lazily(() => row.map((numbered) => eventGrip(shown, marks, numbered))),
    draw: (picture) => drawEvents(picture, shown, row),
    added: (seconds) => {
      const frame = within(Math.round(markFrame(shown, seconds)), 0, shown.wanted.lastFrame);
      return [setMarks(shown.item.id, { ...marks, events: [...marks.events, { frame, label, joint: "" }] })];
    },
  };
}

function eventGrip(shown: Shown, marks: Marks, { event, index }: Numbered): Grip {
  const seconds = markSeconds(shown, event.frame);
  const move = (frames: number) => {
    const frame = within(Math.round(event.frame + frames), 0, shown.wanted.lastFrame);
    return [setMarks(shown.item.id, withEvent(marks, index, { ...event, frame }))];
  };
  return {
    mark: `event ${index}`,
    name: event.joint ? `${event.label} ${event.joint}` : event.label,
    part: "at",
    text: frameText(event.frame, shown.wanted.fps),
    value: frameNumber(event.frame),
    seconds,
    area: { from: seconds, to: seconds, top: 0, bottom: HEIGHT },
    kind: "edge",
    dragged: ({ frames }) => move(frames),
    nudged: move,
    removed: () => [setMarks(shown.item.id, withoutEvent(marks, index))],
  };
}

function drawEvents(picture: Picture, shown: Shown, row: Numbered[]): void {
  const { context, axis, inks, height, selected } = picture;
  context.font = inks.font;
  context.textBaseline = "middle";
  const placed = row
    .map(({ event, index }) => ({ event, index, x: axis.x(markSeconds(shown, event.frame)) }))
    .filter(({ x }) => x >= 0 && x <= axis.width)
    .sort((a, b) => a.x - b.x);
  let last = -Infinity;
  placed.forEach(({ event, index, x }, n) => {
    const chosen = selected === `event ${index}`;
    // Of ticks on the same pixel one is enough: a long take has thousands.
    if (!chosen && Math.round(x) === last) return;
    last = Math.round(x);
    context.fillStyle = chosen ? inks.accent : inks.muted;
    context.fillRect(last - 1, 3, chosen ? 4 : 2, height - 6);
    const room = Math.min(placed[n + 1]?.x ?? Infinity, axis.width) - x - 2 * GAP;
    if (event.joint && context.measureText(event.joint).width <= room) {
      context.fillText(event.joint, x + GAP, height / 2 + 0.5);
    }
  });
}
