import type { ClipEdit, ClipHeader, Edit, EventMark, Item, Marks, PlantMark, SetMarks } from "../core/messages";
import { clamp, removeAt, replaceAt } from "../core/numbers";
import type { ClipView } from "./clip_view";
import { EditedTime } from "./edited_time";

/** Frames. */
const MIN_PLANT_LENGTH = 1;
/** Seconds that a new plant lasts, if there is room. */
const NEW_PLANT_DURATION = 0.3;

/** Plants and events of a clip in frames of its requested edit: edited ones, or else those of the computed motion. */
export function marksOf({ item, motion, requested, last }: ClipView): Marks {
  const { marks, edit } = editedMarks(item, motion.header) ?? {
    marks: computedMarks(motion.header),
    edit: motion.header.edit,
  };
  const { plants, events } = retime(marks, new EditedTime(edit, requested.fps, last), requested);
  return { plants, events, edit: edit.mirror === item.edit.mirror ? null : { ...item.edit, mirror: edit.mirror } };
}

/** The edited marks and the edit whose frames they count; null if there are none, or if they name the other sides of the
 * body than the motion shows: only the server knows which joint is on the other side. */
function editedMarks({ marks, edit }: Item, header: ClipHeader): { marks: Marks; edit: ClipEdit } | null {
  if (!marks) return null;
  const counted = marks.edit ?? edit;
  const isOtherSide = counted.mirror !== edit.mirror && header.edit.mirror === edit.mirror;
  return isOtherSide ? null : { marks, edit: counted };
}

/** The marks of the computed motion: those that were detected, or edited ones that followed a change. */
function computedMarks({ plants, events }: ClipHeader): Marks {
  return {
    plants: plants.map(({ joint, kind, start, end, point, target }) => ({ joint, kind, start, end, point, target })),
    events: events.map(({ frame, label, joint }) => ({ frame, label, joint })),
    edit: null,
  };
}

/** Marks in frames of another edit. */
function retime(marks: Marks, from: EditedTime, to: EditedTime): Marks {
  if (from.hasFramesOf(to)) return marks;
  const move = (frame: number): number => to.after(from.before(frame));
  const plants = marks.plants.map((plant) => {
    const ends = [move(plant.start), move(plant.end)];
    return { ...plant, start: Math.min(...ends), end: Math.max(...ends) };
  });
  return { ...marks, plants, events: marks.events.map((event) => ({ ...event, frame: move(event.frame) })) };
}

export function setMarks(item: string, marks: Marks): SetMarks {
  return { type: "set_marks", item, marks };
}

export function replacePlant(marks: Marks, index: number, plant: PlantMark): Marks {
  return { ...marks, plants: replaceAt(marks.plants, index, plant) };
}

export function removePlant(marks: Marks, index: number): Marks {
  return { ...marks, plants: removeAt(marks.plants, index) };
}

export function replaceEvent(marks: Marks, index: number, event: EventMark): Marks {
  return { ...marks, events: replaceAt(marks.events, index, event) };
}

export function removeEvent(marks: Marks, index: number): Marks {
  return { ...marks, events: removeAt(marks.events, index) };
}

/** Move the start or the end of a plant, or all of it, by frames; stays on whole frames and inside the clip. */
export function movePlant(
  plant: PlantMark,
  part: "start" | "end" | "whole",
  frames: number,
  lastFrame: number,
): PlantMark {
  const { start, end } = plant;
  if (part === "start") return { ...plant, start: clamp(Math.round(start + frames), 0, end - MIN_PLANT_LENGTH) };
  if (part === "end") return { ...plant, end: clamp(Math.round(end + frames), start + MIN_PLANT_LENGTH, lastFrame) };
  const by = clamp(Math.round(frames), -start, lastFrame - end);
  // The joint stands elsewhere at other times, so its target position no longer holds.
  return { ...plant, start: start + by, end: end + by, target: by === 0 ? plant.target : null };
}

/** Add a plant around a frame, between its neighbours of the same joint and kind; null if there is no room. */
export function addPlant(
  marks: Marks,
  like: { joint: string; kind: string },
  frame: number,
  fps: number,
  lastFrame: number,
): Marks | null {
  const siblings = marks.plants.filter(({ joint, kind }) => joint === like.joint && kind === like.kind);
  if (siblings.some(({ start, end }) => frame >= start && frame <= end)) return null;
  const before = Math.max(-1, ...siblings.filter(({ end }) => end < frame).map(({ end }) => end));
  const after = Math.min(lastFrame + 1, ...siblings.filter(({ start }) => start > frame).map(({ start }) => start));
  const half = Math.max(MIN_PLANT_LENGTH, (NEW_PLANT_DURATION * fps) / 2);
  const start = Math.ceil(Math.max(frame - half, before + 1));
  const end = Math.floor(Math.min(frame + half, after - 1));
  if (end - start < MIN_PLANT_LENGTH) return null;
  // The planted point is that of the other plants of this joint.
  const point: [number, number, number] = siblings[0]?.point ?? [0, 0, 0];
  const plant: PlantMark = { joint: like.joint, kind: like.kind, start, end, point, target: null };
  return { ...marks, plants: [...marks.plants, plant] };
}

/** Frames that a trimmed clip keeps at least. */
const MIN_FRAMES = 2;

/** The edits that move the first or the last kept frame. */
export function trimTo(view: ClipView, side: "first" | "last", frame: number): Edit[] {
  const [first, last] = view.requested.kept;
  const kept: [number, number] =
    side === "first"
      ? [clamp(Math.round(frame), 0, last - MIN_FRAMES + 1), last]
      : [first, clamp(Math.round(frame), first + MIN_FRAMES - 1, view.last)];
  const isWhole = kept[0] === 0 && kept[1] === view.last;
  return setTrim(view, isWhole ? null : kept);
}

/** The edits that trim a clip to these frames, or remove the trim. */
export function setTrim({ item }: ClipView, trim: [number, number] | null): Edit[] {
  return [{ type: "set_edit", item: item.id, edit: { ...item.edit, trim }, marks: null }];
}
