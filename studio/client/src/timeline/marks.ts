import type { ClipHead, EventMark, Item, Marks, PlantMark, SetMarks } from "../core/messages";
import { replaced, within, without } from "./values";

/** Frames that a plant has at least. */
const SHORTEST = 1;
/** Seconds of a plant that is added, where there is room for them. */
const NEW_SECONDS = 0.3;

/** Plants and events of a clip: those that somebody edited, else those that were found. */
export function marksOf(item: Item, head: ClipHead): Marks {
  if (item.marks) return item.marks;
  return {
    plants: head.plants.map((plant) => ({
      joint: plant.joint,
      kind: plant.kind,
      start: plant.start,
      end: plant.end,
      point: plant.point,
      target: plant.target,
    })),
    events: head.events.map(({ frame, label, joint }) => ({ frame, label, joint })),
  };
}

export function setMarks(item: string, marks: Marks): SetMarks {
  return { type: "set_marks", item, marks };
}

export function withPlant(marks: Marks, index: number, plant: PlantMark): Marks {
  return { ...marks, plants: replaced(marks.plants, index, plant) };
}

export function withoutPlant(marks: Marks, index: number): Marks {
  return { ...marks, plants: without(marks.plants, index) };
}

export function withEvent(marks: Marks, index: number, event: EventMark): Marks {
  return { ...marks, events: replaced(marks.events, index, event) };
}

export function withoutEvent(marks: Marks, index: number): Marks {
  return { ...marks, events: without(marks.events, index) };
}

/** A plant with its start, its end or both moved to whole frames, kept within the clip and in order. */
export function movedPlant(
  plant: PlantMark,
  part: "start" | "end" | "whole",
  frames: number,
  lastFrame: number,
): PlantMark {
  const { start, end } = plant;
  if (part === "start") return { ...plant, start: within(Math.round(start + frames), 0, end - SHORTEST) };
  if (part === "end") return { ...plant, end: within(Math.round(end + frames), start + SHORTEST, lastFrame) };
  const by = within(Math.round(frames), -start, lastFrame - end);
  // The place where the joint stood is not where it is at other times: enforcement finds it anew.
  return { ...plant, start: start + by, end: end + by, target: by === 0 ? plant.target : null };
}

/** The plants with a new one around a frame, between its neighbours of the same joint and kind; null without room. */
export function withNewPlant(
  marks: Marks,
  like: { joint: string; kind: string },
  frame: number,
  fps: number,
  lastFrame: number,
): Marks | null {
  const beside = marks.plants.filter(({ joint, kind }) => joint === like.joint && kind === like.kind);
  if (beside.some(({ start, end }) => frame >= start && frame <= end)) return null;
  const before = Math.max(-1, ...beside.filter(({ end }) => end < frame).map(({ end }) => end));
  const after = Math.min(lastFrame + 1, ...beside.filter(({ start }) => start > frame).map(({ start }) => start));
  const half = Math.max(SHORTEST, (NEW_SECONDS * fps) / 2);
  const start = Math.ceil(Math.max(frame - half, before + 1));
  const end = Math.floor(Math.min(frame + half, after - 1));
  if (end - start < SHORTEST) return null;
  // The sole is where the other plants of this joint have it.
  const point: [number, number, number] = beside[0]?.point ?? [0, 0, 0];
  const plant: PlantMark = { joint: like.joint, kind: like.kind, start, end, point, target: null };
  return { ...marks, plants: [...marks.plants, plant] };
}
