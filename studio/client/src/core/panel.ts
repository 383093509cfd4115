import { element, isVisible, showOnly } from "./dom";
import type { Item, Recipe } from "./messages";
import { afterPresses } from "./presses";
import { type RecipeOf, sourcesOf } from "./recipes";
import type { Studio } from "./studio";

/** A part of the page. Panels are created once; they listen to the studio and keep their element up to date. */
export interface Panel {
  id: string;
  title: string;
  /** Two to four sentences for the help: what the panel is for and how to start. */
  help: string;
  element: HTMLElement;
}

type Kind = Recipe["type"];

/** What the sections of a panel work on: the selected clip, its recipe, and a way to change it. Clip and recipe are those
 * of the moment at which they are read, so that what is sent next is made of the latest values even if the panel has not
 * been updated yet. */
export interface View<K extends Kind> {
  studio: Studio;
  readonly item: Item;
  readonly recipe: RecipeOf<K>;
  /** Change fields of the recipe as it is by then, so that quick edits do not undo each other. */
  change: (fields: Partial<RecipeOf<K>>) => void;
}

/** A section of a panel: built for a clip, updated after every change. */
export interface Section<K extends Kind> {
  element: HTMLElement;
  update: (view: View<K>) => void;
  /** Follow the playhead. */
  follow?: () => void;
  /** Draw again with the colours of another theme. */
  repaint?: () => void;
  /** The panel is no longer in view. */
  hide?: () => void;
  /** The section is no longer needed: stop listening. */
  dispose?: () => void;
}

/** What makes one panel differ from another. */
export interface RecipePanelOptions<K extends Kind> {
  id: string;
  title: string;
  help: string;
  /** The kind of clip that the panel edits. */
  kind: K;
  /** Shown while no clip of this kind is selected. */
  empty: { element: HTMLElement; update: () => void };
  build: (view: View<NoInfer<K>>) => Section<NoInfer<K>>[];
  /** What sections are built for; a change builds them again. The clip's id unless stated. */
  outline?: (view: View<NoInfer<K>>) => string;
  /** Called before sections are updated, to ask the server for what they show. */
  prepare?: (view: View<NoInfer<K>>) => void;
}

/** A panel that other parts can ask to update. */
export interface RecipePanel extends Panel {
  refresh: () => void;
}

/** A panel about the selected clip, if it is of one kind: its sections, or what is shown otherwise. It works only while
 * it is in view. */
export function recipePanel<K extends Kind>(studio: Studio, options: RecipePanelOptions<K>): RecipePanel {
  const { id, title, help, empty } = options;
  const box = element("div", { class: `panel-body ${id}-panel` });
  let sections: Section<K>[] = [];
  let outline: string | null = null;
  let wasVisible = false;

  const refresh = afterPresses(box, () => {
    const view = selectedView(studio, options.kind);
    const wanted = view && (options.outline ? options.outline(view) : view.item.id);
    if (wanted !== outline) {
      sections.forEach((section) => section.dispose?.());
      [sections, outline] = [[], null];
    }
    if (wasVisible && !isVisible(box)) sections.forEach((section) => section.hide?.());
    wasVisible = isVisible(box);
    if (!wasVisible) return;
    if (!view) {
      empty.update();
      showOnly(box, empty.element);
      return;
    }
    if (outline === null) {
      [sections, outline] = [options.build(view), wanted];
      showOnly(box, ...sections.map((section) => section.element));
    }
    options.prepare?.(view);
    sections.forEach((section) => section.update(view));
  });

  studio.documentChanged.on(refresh);
  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((changed) => {
    const selected = studio.selected;
    if (selected && [selected.id, ...sourcesOf(selected.recipe)].includes(changed)) refresh();
  });
  studio.playback.moved.on(() => {
    if (isVisible(box)) sections.forEach((section) => section.follow?.());
  });
  studio.theme.changed.on(() => sections.forEach((section) => section.repaint?.()));
  new ResizeObserver(refresh).observe(box); // also fires when the tab is opened or left
  return { id, title, help, element: box, refresh };
}

function selectedView<K extends Kind>(studio: Studio, kind: K): View<K> | null {
  const { selected } = studio;
  if (selected?.recipe.type !== kind) return null;
  const { id } = selected;
  let known = selected; // what there was last of a clip that has been removed since
  const latest = (): Item => {
    const item = studio.item(id);
    if (item?.recipe.type === kind) known = item;
    return known;
  };
  const change = (fields: Partial<RecipeOf<K>>): void => {
    if (studio.item(id)?.recipe.type === kind) studio.setRecipe(id, { ...latest().recipe, ...fields });
  };
  return {
    studio,
    get item() {
      return latest();
    },
    get recipe() {
      return latest().recipe as RecipeOf<K>;
    },
    change,
  };
}

/** A line that shows why the clip failed or, if it did not, a message of the panel. */
export function statusLine<K extends Kind>(message: (view: View<K>) => string = () => ""): Section<K> {
  const line = element("p", { class: "status", role: "status" });
  return {
    element: line,
    update: (view) => {
      const { error } = view.studio.progressOf(view.item.id);
      line.textContent = error ?? message(view);
      line.classList.toggle("bad", error !== null);
    },
  };
}
