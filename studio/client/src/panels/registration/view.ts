import type { BlendRecipe, Item, RegistrationOptions } from "../../core/messages";
import type { Studio } from "../../core/studio";
import type { Frames } from "./grid";

/** What parts of the panel need: the blend that is shown, which two of its clips, and a way to change it. */
export interface RegistrationView {
  studio: Studio;
  item: Item;
  recipe: BlendRecipe;
  options: RegistrationOptions;
  /** The columns of the recipe's sources that are compared, first and second. */
  pair: [number, number];
  change(part: Partial<RegistrationOptions>): void;
}

/** A part of the panel, built once for a blend and brought up to date after every change. */
export interface Section {
  element: HTMLElement;
  update(view: RegistrationView): void;
}

export function viewOf(studio: Studio, item: Item, recipe: BlendRecipe, pair: [number, number]): RegistrationView {
  const change = (part: Partial<RegistrationOptions>): void => {
    const latest = studio.item(item.id)?.recipe;
    if (latest?.type !== "blend") return;
    studio.setRecipe(item.id, { ...latest, registration: { ...latest.registration, ...part } });
  };
  return { studio, item, recipe, options: recipe.registration, pair, change };
}

/** The item of the first (0) or second (1) clip that is compared. */
export function compared({ studio, recipe, pair }: RegistrationView, which: 0 | 1): { name: string; colour: number } {
  const item = studio.item(recipe.sources[pair[which]] ?? "");
  return { name: item?.name ?? "clip", colour: item?.colour ?? 0 };
}

/** Frames can be stated for two clips only; they come in the order of the recipe's sources. */
export function canState({ recipe }: RegistrationView): boolean {
  return recipe.sources.length === 2;
}

/** Frames in the order of the pair that is shown, from those in the order of the sources; and back. */
export function reordered({ pair }: RegistrationView, frames: readonly number[]): Frames {
  return [frames[pair[0]]!, frames[pair[1]]!];
}
