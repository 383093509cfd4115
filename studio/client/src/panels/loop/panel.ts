import { element } from "../../core/dom";
import type { LoopRecipe } from "../../core/messages";
import { LOOP_FIELDS } from "../../core/options";
import { type Panel, recipePanel, type Section, statusLine, type View } from "../../core/panel";
import { newLoop } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { optionFields } from "../../widgets/option_fields";
import { type CycleChoice, cycleFields } from "./cycle_fields";

const HELP =
  "A loop is a part of a clip, closed so that it repeats without a jump: whole strides of a gait, or repetitions of " +
  "another motion. Select a clip and press Create loop. To choose the cycle yourself, move the playhead to it and " +
  "press Use playhead.";
const HINT = "Select a loop, or create one from the selected clip.";

/** Which cycle of its source the selected loop is; for another clip, a button that creates one from it. */
export function loopPanel(studio: Studio): Panel {
  return recipePanel(studio, {
    id: "loop",
    title: "Loop",
    help: HELP,
    kind: "loop",
    empty: closeClip(studio),
    build: (view) => [statusLine<"loop">(workingOn), cycleSection(view), reportSection()],
  });
}

function workingOn({ studio, item, recipe }: View<"loop">): string {
  return studio.progressOf(item.id).working
    ? "Searching for a cycle…"
    : `Made from ${studio.item(recipe.source)?.name ?? recipe.source}.`;
}

/** The cycle of the loop, as fields. */
function cycleSection({ studio, item, change }: View<"loop">): Section<"loop"> {
  const fields = cycleFields(change, () => {
    // The frame of the source that the loop shows at the playhead.
    const motion = studio.motion(item.id);
    return motion?.value("frames", Math.floor(motion.frameAt(studio.playback.time))) ?? null;
  });
  const options = optionFields<LoopRecipe>(LOOP_FIELDS, change);
  return {
    element: element("section", {}, element("h3", {}, "Cycle"), ...fields.elements, options.element),
    update: ({ recipe }) => {
      fields.set(recipe);
      options.set(recipe);
    },
  };
}

/** What was found: which frames repeat, how well the ends fit, and how fast the cycle goes and turns. */
function reportSection(): Section<"loop"> {
  const list = element("ul", { class: "notes" });
  return {
    element: element("section", {}, element("h3", {}, "Result"), list),
    update: ({ studio, item }) => {
      const notes = studio.progressOf(item.id).error ? [] : (studio.motion(item.id)?.header.notes ?? []);
      list.replaceChildren(...notes.map((note) => element("li", {}, capitalize(note))));
    },
  };
}

/** Shown while no loop is selected: the fields of a new one, made of the selected clip. */
function closeClip(studio: Studio): { element: HTMLElement; update: () => void } {
  let chosen: CycleChoice = { near: null, cycles: null };
  let chosenFor: string | null = null;
  const hint = element("p", { class: "hint" });
  const fields = cycleFields(
    (changes) => {
      chosen = { ...chosen, ...changes };
      fields.set(chosen);
    },
    () => (studio.selected && studio.motion(studio.selected.id)?.frameAt(studio.playback.time)) ?? null,
  );
  const create = (): void => {
    const item = studio.selected;
    if (!item) return;
    studio.add(`${item.name} loop`, newLoop(item.id, chosen.near, chosen.cycles));
  };
  const button = element("button", { type: "button", class: "primary", onclick: create }, "Create loop");
  const update = (): void => {
    const item = studio.selected;
    const isLoop = (item && studio.motion(item.id)?.header.cyclic) ?? false;
    if ((item?.id ?? null) !== chosenFor) {
      chosen = { near: null, cycles: null };
      chosenFor = item?.id ?? null;
    }
    hint.textContent = isLoop ? `${item!.name} is a loop already.` : HINT;
    for (const field of fields.elements) field.hidden = item === null || isLoop;
    button.disabled = item === null || isLoop;
    fields.set(chosen);
  };
  return {
    element: element(
      "div",
      { class: "empty-state" },
      hint,
      ...fields.elements,
      element("div", { class: "buttons" }, button),
    ),
    update,
  };
}
