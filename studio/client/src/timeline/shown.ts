import type { Edit, Item } from "../core/messages";
import type { Motion } from "../core/motion";
import type { EditedTime } from "./edited_time";

/** A clip that another is made of, as its curves are drawn. */
export interface Source {
  id: string;
  name: string;
  colour: number;
}

/** What the lanes of a clip are made from. */
export interface Shown {
  /** The clip with what is being dragged at the moment. */
  item: Item;
  /** Its motion as last made, and how its edits were then. The axis shows this one: during a change the document is
   * ahead of it. */
  motion: Motion;
  made: EditedTime;
  /** How the edits of `item` are. */
  wanted: EditedTime;
  /** The last frame before trimming. */
  last: number;
  sources: Source[];
}

/** The clip as edits would leave it. */
export function withEdits(item: Item, edits: Edit[]): Item {
  return edits.reduce(withEdit, item);
}

function withEdit(item: Item, edit: Edit): Item {
  switch (edit.type) {
    case "set_marks":
      return { ...item, marks: edit.marks };
    case "set_edit":
      return { ...item, edit: edit.edit, marks: edit.marks ?? item.marks };
    case "set_recipe":
      return { ...item, recipe: edit.recipe };
    default:
      return item;
  }
}

/** When a frame of the clip's plants and events is shown. Those that somebody edited count the frames that the
 * document wants, those that were found count the frames that were made. */
export function markSeconds({ item, made, wanted }: Shown, frame: number): number {
  return item.marks ? made.seconds(wanted.before(frame)) : frame / made.fps;
}

/** The frame of the clip's plants and events at a time. */
export function markFrame({ item, made, wanted }: Shown, seconds: number): number {
  return item.marks ? wanted.after(made.frame(seconds)) : seconds * made.fps;
}

export function frameText(frame: number, fps: number): string {
  return `frame ${frameNumber(frame)}, ${(frame / fps).toFixed(2)} seconds`;
}

/** A frame as it is written: whole ones without decimals. */
export function frameNumber(frame: number): string {
  return Number.isInteger(frame) ? String(frame) : frame.toFixed(1);
}
