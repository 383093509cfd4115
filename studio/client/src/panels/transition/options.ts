import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import { checkbox, choice, type Field, numberField } from "../../widgets/fields";
import type { TransitionEditor } from "./editor";

/** The clips, the half width as a number, looping and planting. */
export function transitionOptions(editor: TransitionEditor): Section<"transition"> {
  let builtFor = "";
  const clips = element("div", { class: "fields" });
  let fields: Field<string>[] = [];
  const limits = { min: 0.05, max: 10, step: 0.05, placeholder: "automatic" };
  const halfWidth = numberField("Half width (s)", limits, (value) => editor.change({ half_width: value }));
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
      halfWidth.element,
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
      loop.set(recipe.loop);
      plant.set(recipe.plant);
    },
  };
}
