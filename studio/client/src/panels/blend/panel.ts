import { element, showOnly } from "../../core/dom";
import type { BlendRecipe, Item } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { newBlend } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { clipPair } from "../../widgets/clip_pair";
import { blendOptions } from "./options";
import { blendParts } from "./parts";
import { steering } from "./steering";
import { weightRows } from "./weights";

/** What a section of the panel needs: the blend that is shown, and a way to change it. */
export interface BlendView {
  studio: Studio;
  item: Item;
  recipe: BlendRecipe;
  change: (part: Partial<BlendRecipe>) => void;
}

const HELP =
  "A blend mixes clips that show the same action. Mark two clips or more in the list, press New and choose Blend; then " +
  "drag the weights. Steer live plays on while you drag, and Record keeps what you do as keys in the timeline.";
const HINT =
  "Select a blend, or choose two clips to mix. For more than two, mark them in the list, press New and choose Blend.";

/** Weights, options and masks of the selected blend. */
export function blendPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body blend-panel" });
  const chooser = clipPair(
    studio,
    { hint: HINT, first: "First clip", second: "Second clip", make: "Make a blend" },
    (...ids) =>
      studio.do({ type: "add", name: ids.map((id) => studio.item(id)?.name ?? id).join(" + "), recipe: newBlend(ids) }),
  );
  let shown = "";
  let update: ((view: BlendView) => void)[] = [];

  const refresh = (): void => {
    const item = studio.selected;
    if (item?.recipe.type !== "blend") {
      shown = "";
      chooser.update();
      showOnly(box, chooser.element);
      return;
    }
    const view = viewOf(studio, item, item.recipe);
    // Sections are built again only for other clips, so that a slider being dragged stays the same element.
    const outline = [item.id, ...item.recipe.sources, ...names(studio, item.recipe)].join("|");
    if (outline !== shown) {
      shown = outline;
      const sections = [verdict(view), weightRows(view), steering(view), blendOptions(view), blendParts(view)];
      update = sections.map((section) => section.update);
      showOnly(box, ...sections.map((section) => section.element));
    }
    update.forEach((section) => section(view));
  };
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((id) => {
    const recipe = studio.selected?.recipe;
    if (id === studio.selected?.id || (recipe?.type === "blend" && recipe.sources.includes(id))) refresh();
  });
  refresh();
  return { id: "blend", title: "Blend", help: HELP, element: box };
}

/** A part of the panel, built once for a blend and brought up to date after every change. */
export interface Section {
  element: HTMLElement;
  update: (view: BlendView) => void;
}

function viewOf(studio: Studio, item: Item, recipe: BlendRecipe): BlendView {
  const change = (part: Partial<BlendRecipe>): void => {
    // Weights that follow each other faster than answers come must not undo each other.
    const latest = studio.item(item.id)?.recipe;
    if (latest?.type === "blend") studio.setRecipe(item.id, { ...latest, ...part });
  };
  return { studio, item, recipe, change };
}

function names(studio: Studio, recipe: BlendRecipe): string[] {
  return recipe.sources.map((id) => studio.item(id)?.name ?? id);
}

/** How well the clips go together, in the registration's own words. */
function verdict({ studio }: BlendView): Section {
  const line = element("p", { class: "verdict", role: "status" });
  return {
    element: line,
    update({ item }) {
      const { error, working } = studio.progressOf(item.id);
      const head = studio.motion(item.id)?.head;
      line.classList.toggle("bad", error !== null);
      line.textContent = error ?? (working && !head ? "Registering the clips…" : (head?.verdict ?? ""));
      line.title = head?.notes.join("\n") ?? "";
    },
  };
}
