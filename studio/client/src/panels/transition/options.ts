import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import type { TransitionRecipe } from "../../core/messages";
import { TRANSITION_FIELDS } from "../../core/options";
import { choice, type Field } from "../../widgets/fields";
import { optionFields } from "../../widgets/option_fields";
import type { TransitionEditor } from "./editor";

/** How much of the clips must play: what to call it, and the fraction; null is the library's default. */
const KEEP = { most: "75 % (default)", more: "90 %", all: "100 %", best: "0 % (best match)" };
const FRACTIONS: Record<keyof typeof KEEP, number | null> = { most: null, more: 0.9, all: 1, best: 0 };

/** Seconds of both clips that overlap where nobody said how many. */
const OVERLAP: [number, number] = [0.5, 0.5];

/** The clips, what is kept of them, and the options of the transition. */
export function transitionOptions(editor: TransitionEditor): Section<"transition"> {
  let builtFor = "";
  const clips = element("div", { class: "fields" });
  let fields: Field<string>[] = [];
  const keep = choice("Keep at least", KEEP, (value) => editor.change({ keep: FRACTIONS[value], at: null }));
  const options = optionFields<TransitionRecipe>(TRANSITION_FIELDS, (changes) => {
    const needsOverlap = changes.method === "overlap" && editor.recipe.overlap === null;
    editor.change(needsOverlap ? { ...changes, overlap: OVERLAP } : changes);
  });

  const build = (names: Record<string, string>): void => {
    fields = [
      choice("From", names, (first: string) => editor.change({ first, at: null })),
      choice("To", names, (second: string) => editor.change({ second, at: null })),
    ];
    clips.replaceChildren(...fields.map((field) => field.element));
  };
  return {
    element: element("section", {}, element("h3", {}, "Options"), clips, keep.element, options.element),
    update: ({ studio, item, recipe }) => {
      const others = studio.document.items.filter(({ id }) => id !== item.id);
      const names = Object.fromEntries(others.map(({ id, name }) => [id, name]));
      if (JSON.stringify(names) !== builtFor) {
        builtFor = JSON.stringify(names);
        build(names);
      }
      fields[0]?.set(recipe.first);
      fields[1]?.set(recipe.second);
      keep.set(nameOf(recipe.keep));
      options.set(recipe);
    },
  };
}

/** The choice whose fraction is nearest to one that a recipe may have from elsewhere. */
function nameOf(fraction: number | null): keyof typeof KEEP {
  if (fraction === null) return "most";
  if (fraction === 1) return "all";
  return fraction < 0.5 ? "best" : "more";
}
