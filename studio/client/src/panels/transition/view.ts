import type { Item, MethodMeasures, TransitionRecipe, Transitions } from "../../core/messages";
import type { Studio } from "../../core/studio";

/** What parts of the panel need: the transition that is shown, what was found for it, and a way to change it. */
export interface TransitionView {
  studio: Studio;
  item: Item;
  recipe: TransitionRecipe;
  /** What every method makes of it; null until it is known. */
  found: Transitions | null;
  change(part: Partial<TransitionRecipe>): void;
}

/** A part of the panel, built once for a transition and brought up to date after every change. */
export interface Section {
  element: HTMLElement;
  update(view: TransitionView): void;
}

export function viewOf(
  studio: Studio,
  item: Item,
  recipe: TransitionRecipe,
  found: Transitions | null,
): TransitionView {
  const change = (part: Partial<TransitionRecipe>): void => {
    const latest = studio.item(item.id)?.recipe;
    if (latest?.type === "transition") studio.setRecipe(item.id, { ...latest, ...part });
  };
  return { studio, item, recipe, found, change };
}

/** What the method that is chosen makes, or null where it is not known or cannot be made. */
export function made({ recipe, found }: TransitionView): MethodMeasures | null {
  const measures = found?.methods.find(({ method }) => method === recipe.method) ?? null;
  return measures?.error === null ? measures : null;
}
