import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import { checkbox, choice, type Field, numberField } from "../../widgets/fields";
import { TIME_ALIGNMENTS } from "../../widgets/recipe_labels";
import type { TransitionEditor } from "./editor";

/** How much of the clips must play: what to call it, and the fraction; null is the library's default. */
const KEEP = { most: "75 % (default)", more: "90 %", all: "100 %", best: "0 % (best match)" };
const FRACTIONS: Record<keyof typeof KEEP, number | null> = { most: null, more: 0.9, all: 1, best: 0 };

/** The clips, what is kept of them, the half width as a number, the time alignment, looping and planting. */
export function transitionOptions(editor: TransitionEditor): Section<"transition"> {
  let builtFor = "";
  const clips = element("div", { class: "fields" });
  let fields: Field<string>[] = [];
  const limits = { min: 0.05, max: 10, step: 0.05, placeholder: "automatic" };
  const halfWidth = numberField("Half width (s)", limits, (value) => editor.change({ half_width: value }));
  const keep = choice("Keep at least", KEEP, (value) => editor.change({ keep: FRACTIONS[value], at: null }));
  const alignment = choice("Time alignment", TIME_ALIGNMENTS, (value) => editor.change({ alignment: value }));
  const loop = checkbox("Loop clips that are too short", (checked) => editor.change({ loop: checked }));
  const plant = checkbox("Plant feet", (checked) => editor.change({ plant: checked }));

  const build = (names: Record<string, string>): void => {
    fields = [
      choice("From", names, (first: string) => editor.change({ first, at: null })),
      choice("To", names, (second: string) => editor.change({ second, at: null })),
    ];
    clips.replaceChildren(...fields.map((field) => field.element));
  };
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Options"),
      clips,
      keep.element,
      halfWidth.element,
      alignment.element,
      loop.element,
      plant.element,
    ),
    update: ({ studio, item, recipe }) => {
      const others = studio.document.items.filter(({ id }) => id !== item.id);
      const names = Object.fromEntries(others.map(({ id, name }) => [id, name]));
      if (JSON.stringify(names) !== builtFor) {
        builtFor = JSON.stringify(names);
        build(names);
      }
      fields[0]?.set(recipe.first);
      fields[1]?.set(recipe.second);
      halfWidth.set(recipe.half_width);
      keep.set(nameOf(recipe.keep));
      alignment.set(recipe.alignment);
      loop.set(recipe.loop);
      plant.set(recipe.plant);
    },
  };
}

/** The choice whose fraction is nearest to one that a recipe may have from elsewhere. */
function nameOf(fraction: number | null): keyof typeof KEEP {
  if (fraction === null) return "most";
  if (fraction === 1) return "all";
  return fraction < 0.5 ? "best" : "more";
}
