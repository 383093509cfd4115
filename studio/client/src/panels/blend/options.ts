import { element } from "../../core/dom";
import type { BlendRecipe, Item, RegistrationRecipe } from "../../core/messages";
import { REGISTRATION_FIELDS } from "../../core/options";
import { checkbox, choice, numberField } from "../../widgets/fields";
import { keptList } from "../../widgets/kept_list";
import type { Section, View } from "../../core/panel";
import { optionFields, pickOptions } from "../../widgets/option_fields";

/** The remaining settings of a blend. */
export function blendOptions(view: View<"blend">): Section<"blend"> {
  let latest = view;
  const change = (fields: Partial<BlendRecipe>): void => latest.change(fields);
  const changeRegistration = (fields: Partial<RegistrationRecipe>): void =>
    change({ registration: { ...latest.recipe.registration, ...fields } });

  const cut = optionFields(pickOptions(REGISTRATION_FIELDS, "cut"), changeRegistration);
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
  const setMirrors = keptList(mirrors, mirrors);
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
      cut.set(recipe.registration);
      rateLaw.set(recipe.rate_law);
      average.set(recipe.average);
      method.set(recipe.method);
      duration.set(recipe.duration);
      plant.set(recipe.plant);
      inPlace.set(recipe.in_place);
      unfit.set(recipe.allow_unfit);
      const sources = recipe.sources.flatMap((id) => next.studio.item(id) ?? []);
      setMirrors(
        sources.map(({ id, name, edit }) => [id, name, edit.mirror]),
        () => sources.map((source) => mirrorButton(next, source)),
      );
    },
  };
}

function mirrorButton({ studio }: View<"blend">, { id, name, edit }: Item): HTMLElement {
  const mirror = (): void => {
    const latest = studio.item(id)?.edit;
    if (latest) studio.do({ type: "set_edit", item: id, edit: { ...latest, mirror: !latest.mirror }, marks: null });
  };
  return element("button", { type: "button", "aria-pressed": String(edit.mirror), onclick: mirror }, name);
}
