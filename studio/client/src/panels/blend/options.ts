import { element } from "../../core/dom";
import type { BlendRecipe, RegistrationRecipe } from "../../core/messages";
import { checkbox, choice, numberField } from "../../widgets/fields";
import type { Section, View } from "../../core/panel";

/** The remaining settings of a blend. */
export function blendOptions(view: View<"blend">): Section<"blend"> {
  let latest = view;
  const change = (fields: Partial<BlendRecipe>): void => latest.change(fields);
  const changeRegistration = (fields: Partial<RegistrationRecipe>): void =>
    change({ registration: { ...latest.recipe.registration, ...fields } });

  const cut = choice(
    "Clip range",
    { auto: "Matching strides", loops: "One cycle, looped", parts: "Shared part", whole: "Whole clips" },
    (value) => changeRegistration({ cut: value }),
  );
  const rateLaw = choice(
    "Timing",
    {
      auto: "Gravity in flight",
      frequency: "Average pace",
      duration: "Average duration",
      ballistic: "Gravity throughout",
    },
    (value) => change({ rate_law: value }),
  );
  const average = choice(
    "Rotations",
    { nlerp: "Fast average", karcher: "Exact average", park: "One-step average" },
    (value) => change({ average: value }),
  );
  const method = choice("Method", { registration: "Registration", linear: "Linear (for comparison)" }, (value) =>
    change({ method: value }),
  );
  const duration = numberField("Duration (s)", { min: 0.1, step: 0.1, placeholder: "automatic" }, (value) =>
    change({ duration: value }),
  );
  const plant = checkbox("Plant feet", (checked) => change({ plant: checked }));
  const inPlace = checkbox("Stay in place", (checked) => change({ in_place: checked }));
  const unfit = checkbox("Blend even if the clips do not match", (checked) => change({ allow_unfit: checked }));
  const mirrors = element("div", { class: "row wrap" });
  const fields = [cut, rateLaw, average, method, duration, plant, inPlace, unfit];
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Options"),
      ...fields.map((field) => field.element),
      element("h3", {}, "Mirror clips"),
      mirrors,
    ),
    update: (next) => {
      latest = next;
      const { recipe } = next;
      cut.set(recipe.registration.cut);
      rateLaw.set(recipe.rate_law);
      average.set(recipe.average);
      method.set(recipe.method);
      duration.set(recipe.duration);
      plant.set(recipe.plant);
      inPlace.set(recipe.in_place);
      unfit.set(recipe.allow_unfit);
      mirrors.replaceChildren(...recipe.sources.map((id) => mirrorButton(next, id)));
    },
  };
}

function mirrorButton({ studio }: View<"blend">, id: string): HTMLElement {
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
