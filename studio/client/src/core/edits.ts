import type { ClipEdit, Document, Edit, Item, Marks } from "./messages";

/** The document as an edit will leave it. Edits of the lists of clips and characters (add, remove, rename, move) change
 * nothing here: no later edit builds on their result. */
export function applyEdit(document: Document, edit: Edit): Document {
  switch (edit.type) {
    case "set_recipe":
    case "set_edit":
    case "set_marks":
    case "show":
      return { ...document, items: document.items.map((item) => applyToItem(item, edit)) };
    case "choose_figure":
      return { ...document, figure: edit.figure };
    case "map_joints": {
      const { character, joint_map } = edit;
      const change = <T extends { id: string }>(each: T): T => (each.id === character ? { ...each, joint_map } : each);
      return { ...document, characters: document.characters.map(change) };
    }
    default:
      return document;
  }
}

/** A clip as an edit will leave it; the same clip if the edit is about something else. */
export function applyToItem(item: Item, edit: Edit): Item {
  if (!("item" in edit) || edit.item !== item.id) return item;
  switch (edit.type) {
    case "set_recipe":
      return { ...item, recipe: edit.recipe };
    case "set_edit":
      return { ...item, edit: edit.edit, marks: edit.marks ?? keepMarks(item, edit.edit) };
    case "set_marks":
      return { ...item, marks: edit.marks };
    case "show":
      return { ...item, visible: edit.visible };
    default:
      return item;
  }
}

/** The marks of a clip that gets another edit, as the server keeps them: they follow the motion, and tell which edit
 * their frames belong to where that differs. */
function keepMarks({ marks, edit: old }: Item, edit: ClipEdit): Marks | null {
  if (!marks) return null;
  const counted = marks.edit ?? old;
  const next = hasSameFrames(counted, edit) ? null : counted;
  return next === marks.edit ? marks : { ...marks, edit: next };
}

/** Whether the frames of a clip after an edit are the same, and of the same side, after another. */
function hasSameFrames(a: ClipEdit, b: ClipEdit): boolean {
  const framesOf = ({ trim, speed, reverse, mirror }: ClipEdit): unknown => [trim, speed ?? 1, reverse, mirror];
  return isSame(framesOf(a), framesOf(b));
}

/** Whether two values of JSON are the same, in whatever order their fields were written. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true; // clips that an edit left alone are the same objects
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
