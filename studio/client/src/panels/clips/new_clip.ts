import type { Item, Recipe } from "../../core/messages";
import { newBlend, newEnforce, newFramespace, newTransition, newWarp } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import type { MenuEntry } from "../../widgets/menu";
import { chooseMotion } from "./new_motion";

/** What can be made of clips: one entry per kind of recipe, told what it needs where it cannot be made. */
export function newClipEntries(studio: Studio, sources: Item[], made: () => void): MenuEntry[] {
  const ids = sources.map(({ id }) => id);
  const names = sources.map(({ name }) => name);
  const add = (name: string, recipe: Recipe) => () => {
    studio.do({ type: "add", name, recipe });
    studio.panelAsked.emit(recipe.type === "enforce" ? "quality" : recipe.type);
    made();
  };
  const one = ids.length === 1;
  const two = ids.length === 2;
  const [first = "", second = ""] = ids;
  return [
    { label: "Built-in motion…", hint: "a walk, a jog, a turn, a kick", action: () => void chooseMotion(studio) },
    {
      label: "Blend",
      hint: ids.length >= 2 ? `of ${names.join(", ")}` : "mark two clips or more first",
      disabled: ids.length < 2,
      action: add(ids.length > 3 ? `blend of ${ids.length}` : names.join(" + "), newBlend(ids)),
    },
    {
      label: "Transition",
      hint: two ? `from ${names[0]} to ${names[1]}` : "mark two clips first, in their order",
      disabled: !two,
      action: add(`${names[0]} to ${names[1]}`, newTransition(first, second)),
    },
    {
      label: "Planted copy",
      hint: one ? `${names[0]} with feet that stay put` : "select one clip first",
      disabled: !one,
      action: add(`${names[0]} planted`, newEnforce(first)),
    },
    {
      label: "Warp",
      hint: one ? `${names[0]}, reshaped by keys` : "select one clip first",
      disabled: !one,
      action: add(`${names[0]} warped`, newWarp(first)),
    },
    {
      label: "Framespace",
      hint: two || ids.length === 4 ? `of ${names.join(", ")}` : "mark two or four cyclic clips first",
      disabled: !two && ids.length !== 4,
      action: add(two ? `${names[0]}-${names[1]} space` : `space of ${ids.length}`, newFramespace(ids)),
    },
  ];
}
