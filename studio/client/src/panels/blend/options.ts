import { element } from "../../core/dom";
import type { BlendRecipe, Item, RegistrationRecipe } from "../../core/messages";
import { BLEND_FIELDS, REGISTRATION_FIELDS } from "../../core/options";
import { checkbox } from "../../widgets/fields";
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
  const options = optionFields<BlendRecipe>(BLEND_FIELDS, change);
  const plant = checkbox("Plant feet", (checked) => change({ plant: checked }));
  const inPlace = checkbox("Stay in place", (checked) => change({ in_place: checked }));
  const unfit = checkbox("Blend even if the clips do not match", (checked) => change({ allow_unfit: checked }));
  const mirrors = element("div", { class: "row wrap" });
  const setMirrors = keptList(mirrors, mirrors);
  const fields = [cut, plant, inPlace, unfit, options];
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
      options.set(recipe);
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
