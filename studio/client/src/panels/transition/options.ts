import { element } from "../../core/dom";
import { checkbox, choice, type Field, numberField } from "../../widgets/fields";
import type { Section, TransitionView } from "./view";

/** Which clips, whether they repeat, whether feet are planted, and the width as a number. */
export function transitionOptions(view: TransitionView): Section {
  let latest = view;
  let listed = "";
  const clips = element("div");
  let fields: Field<string>[] = [];
  const half = numberField("Half-width, seconds", { min: 0.05, max: 10, step: 0.05, placeholder: "found" }, (value) =>
    latest.change({ half_width: value }),
  );
  const loop = checkbox("Let clips repeat where they are too short", (checked) => latest.change({ loop: checked }));
  const plant = checkbox("Plant the feet", (checked) => latest.change({ plant: checked }));

  const build = (names: Record<string, string>): void => {
    fields = [
      choice("From", names, (first: string) => latest.change({ first, at: null })),
      choice("To", names, (second: string) => latest.change({ second, at: null })),
    ];
    clips.replaceChildren(...fields.map((field) => field.element));
  };
  return {
    element: element("section", {}, element("h3", {}, "Options"), clips, half.element, loop.element, plant.element),
    update(next) {
      latest = next;
      const others = next.studio.document.items.filter(({ id }) => id !== next.item.id);
      const names = Object.fromEntries(others.map(({ id, name }) => [id, name]));
      if (JSON.stringify(names) !== listed) {
        listed = JSON.stringify(names);
        build(names);
      }
      fields[0]?.set(next.recipe.first);
      fields[1]?.set(next.recipe.second);
      half.set(next.recipe.half_width);
      loop.set(next.recipe.loop);
      plant.set(next.recipe.plant);
    },
  };
}
