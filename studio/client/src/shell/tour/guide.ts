import type { Item, Recipe } from "../../core/messages";
import type { Studio } from "../../core/studio";

type RecipeOf<Kind extends Recipe["type"]> = Extract<Recipe, { type: Kind }>;

/** What steps ask about the page and the project while a task is being done. */
export class Guide {
  /** Clips that were there when the task began. */
  private before = new Set<string>();
  private wasExported = false;

  constructor(readonly studio: Studio) {
    studio.exported.on(() => (this.wasExported = true));
  }

  /** A task begins. */
  begin(): void {
    this.before = new Set(this.studio.document.items.map(({ id }) => id));
    this.wasExported = false;
    this.studio.playback.pause();
  }

  /** A clip was written to a file since the task began. */
  get exported(): boolean {
    return this.wasExported;
  }

  /** The newest clip of a kind that was made since the task began. */
  made(kind: Recipe["type"]): Item | null {
    const found = this.studio.document.items.filter(({ id, recipe }) => !this.before.has(id) && recipe.type === kind);
    return found.at(-1) ?? null;
  }

  /** The recipe of the selected clip if it is of a kind. */
  recipe<Kind extends Recipe["type"]>(kind: Kind): RecipeOf<Kind> | null {
    const recipe = this.studio.selected?.recipe;
    return recipe?.type === kind ? (recipe as RecipeOf<Kind>) : null;
  }

  /** Change a part of the recipe of the selected clip, if it is of a kind; whether it is. */
  change<Kind extends Recipe["type"]>(kind: Kind, part: Partial<RecipeOf<Kind>>): boolean {
    const { selected } = this.studio;
    const recipe = this.recipe(kind);
    if (!selected || !recipe) return false;
    this.studio.setRecipe(selected.id, { ...recipe, ...part });
    return true;
  }
}

/** The first element of some selectors that is in view. */
export function seen(selectors: string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found?.checkVisibility({ visibilityProperty: true })) return found;
  }
  return null;
}
