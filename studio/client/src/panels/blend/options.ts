import { element } from "../../core/dom";
import type { BlendRecipe, RegistrationOptions } from "../../core/messages";
import { checkbox, choice, numberField } from "../../widgets/fields";
import type { BlendView, Section } from "./panel";

/** Everything else about a blend that is one choice each. */
export function blendOptions(view: BlendView): Section {
  let latest = view;
  const change = (part: Partial<BlendRecipe>): void => latest.change(part);
  const register = (part: Partial<RegistrationOptions>): void =>
    change({ registration: { ...latest.recipe.registration, ...part } });

  const cut = choice(
    "Parts of the clips",
    { auto: "Same strides", loops: "One cycle, looped", whole: "Whole clips" },
    (value) => register({ cut: value }),
  );
  const rate = choice("Time", { frequency: "By pace", duration: "By duration" }, (value) => change({ rate: value }));
  const average = choice("Rotations", { nlerp: "Fast mean", karcher: "Exact mean", park: "One step" }, (value) =>
    change({ average: value }),
  );
  const method = choice("Method", { registration: "Registration", linear: "Linear, to compare" }, (value) =>
    change({ method: value }),
  );
  const seconds = numberField("Seconds", { min: 0.1, step: 0.1, placeholder: "as the clips" }, (value) =>
    change({ seconds: value }),
  );
  const plant = checkbox("Plant the feet", (checked) => change({ plant: checked }));
  const unfit = checkbox("Blend even if the clips hardly fit", (checked) => change({ even_if_unfit: checked }));
  const mirrors = element("div", { class: "row wrap" });
  const fields = [cut, rate, average, method, seconds, plant, unfit];
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Options"),
      ...fields.map((field) => field.element),
      element("h3", {}, "Mirror a clip"),
      mirrors,
    ),
    update(next) {
      latest = next;
      const { recipe } = next;
      cut.set(recipe.registration.cut);
      rate.set(recipe.rate);
      average.set(recipe.average);
      method.set(recipe.method);
      seconds.set(recipe.seconds);
      plant.set(recipe.plant);
      unfit.set(recipe.even_if_unfit);
      mirrors.replaceChildren(...recipe.sources.map((id) => mirrorButton(next, id)));
    },
  };
}

function mirrorButton({ studio }: BlendView, id: string): HTMLElement {
  const item = studio.item(id);
  if (!item) return element("span");
  return element(
    "button",
    {
      type: "button",
      "aria-pressed": String(item.edit.mirror),
      onclick: () =>
        studio.do({ type: "set_edit", item: id, edit: { ...item.edit, mirror: !item.edit.mirror }, marks: null }),
    },
    item.name,
  );
}
