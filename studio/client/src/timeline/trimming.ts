import type { ClipEdit, Edit, Item, Marks } from "../core/messages";
import { EditedTime } from "./edited_time";
import type { Shown } from "./shown";
import { within } from "./values";

/** Frames that are left of a clip at least. */
const FEWEST = 2;

/** The edits that move the first or the last kept frame to another one. */
export function trimmed(shown: Shown, side: "first" | "last", frame: number): Edit[] {
  const [first, last] = shown.wanted.kept;
  const kept: [number, number] =
    side === "first"
      ? [within(Math.round(frame), 0, last - FEWEST + 1), last]
      : [first, within(Math.round(frame), first + FEWEST - 1, shown.last)];
  const isWhole = kept[0] === 0 && kept[1] === shown.last;
  return setTrim(shown, isWhole ? null : kept);
}

/** The edit that keeps these frames, or all. */
export function setTrim({ item, wanted, last }: Shown, trim: [number, number] | null): Edit[] {
  const edit: ClipEdit = { ...item.edit, trim };
  const marks = movedMarks(item, wanted, new EditedTime(edit, wanted.fps, last));
  return [{ type: "set_edit", item: item.id, edit, marks }];
}

/** Edited plants and events count the frames that are kept: they move along, so that they stay at the same moments of
 * the motion. */
function movedMarks(item: Item, from: EditedTime, to: EditedTime): Marks | null {
  const by = to.after(from.before(0));
  if (item.marks === null || by === 0) return null;
  const { plants, events } = item.marks;
  return {
    plants: plants.map((plant) => ({ ...plant, start: plant.start + by, end: plant.end + by })),
    events: events.map((event) => ({ ...event, frame: event.frame + by })),
  };
}
