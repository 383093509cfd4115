import type { Item, Recipe } from "../../core/messages";
import type { RecipeOf } from "../../core/recipes";
import type { Studio } from "../../core/studio";

/** Tells the steps of a task what has happened in the page and the project. */
export class Guide {
  /** Ids of the clips that existed when the task started. */
  private before = new Set<string>();
  private wasExported = false;

  constructor(readonly studio: Studio) {
    studio.exported.on(() => (this.wasExported = true));
  }

  /** Start a task. */
  start(): void {
    this.before = new Set(this.studio.document.items.map(({ id }) => id));
    this.wasExported = false;
    this.studio.playback.pause();
  }

  /** Whether a clip has been exported since the task started. */
  get exported(): boolean {
    return this.wasExported;
  }

  /** The newest clip of a kind that was added since the task started. */
  newClip(kind: Recipe["type"]): Item | null {
    const found = this.studio.document.items.filter(({ id, recipe }) => !this.before.has(id) && recipe.type === kind);
    return found.at(-1) ?? null;
  }

  /** The recipe of the selected clip, if it is of this kind. */
  recipe<Kind extends Recipe["type"]>(kind: Kind): RecipeOf<Kind> | null {
    const recipe = this.studio.selected?.recipe;
    return recipe?.type === kind ? (recipe as RecipeOf<Kind>) : null;
  }

  /** Change fields of the selected clip's recipe, if it is of this kind; false otherwise. */
  change<Kind extends Recipe["type"]>(kind: Kind, part: Partial<RecipeOf<Kind>>): boolean {
    const { selected } = this.studio;
    const recipe = this.recipe(kind);
    if (!selected || !recipe) return false;
    this.studio.setRecipe(selected.id, { ...recipe, ...part });
    return true;
  }
}

/** The first element of some selectors that is in view. */
export function firstInView(selectors: string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found?.checkVisibility({ visibilityProperty: true })) return found;
  }
  return null;
}

/** Attributes that change when something is opened, chosen, hidden or switched. */
const WATCHED = ["hidden", "open", "disabled", "class", "title", "aria-selected", "aria-pressed"];
const EVENTS = ["change", "toggle", "scroll"];

/** Call `act` once per repaint in which the studio or the page changed; the returned function stops it. */
export function onAnyChange(studio: Studio, act: () => void): () => void {
  let request = 0;
  const ask = (): void => {
    request ||= requestAnimationFrame(() => {
      request = 0;
      act();
    });
  };
  const { documentChanged, selectionChanged, itemChanged, exported, playback } = studio;
  const stops = [documentChanged, selectionChanged, itemChanged, exported, playback.changed].map((signal) =>
    signal.on(ask),
  );
  const observer = new MutationObserver(ask);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: WATCHED });
  // Scroll and toggle events do not bubble, so they are captured.
  EVENTS.forEach((name) => document.addEventListener(name, ask, true));
  addEventListener("resize", ask);
  return () => {
    cancelAnimationFrame(request);
    stops.forEach((stop) => stop());
    observer.disconnect();
    EVENTS.forEach((name) => document.removeEventListener(name, ask, true));
    removeEventListener("resize", ask);
  };
}
