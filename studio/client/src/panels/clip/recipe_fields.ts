import { element } from "../../core/dom";
import type { CopyRecipe, Item, SequenceRecipe } from "../../core/messages";
import { roundTo } from "../../core/numbers";
import { SEQUENCE_FIELDS } from "../../core/options";
import type { RecipeOf } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { iconButton } from "../../widgets/buttons";
import { checkbox, choice, type Field, numberField } from "../../widgets/fields";
import { keptList } from "../../widgets/kept_list";
import { retargetTargets, targetOf } from "../../widgets/retarget_targets";
import { optionFields } from "../../widgets/option_fields";

/** Fields for values of a clip, kept up to date with it. */
export interface ValueFields {
  element: HTMLElement;
  update: (item: Item) => void;
}

const DEGREES = 180 / Math.PI;

/** A way to change the recipe of the selected clip, if it is of a kind. */
function changeOf<Kind extends "copy" | "sequence" | "retarget">(
  studio: Studio,
  kind: Kind,
): (fields: Partial<RecipeOf<Kind>>) => void {
  return (fields) => {
    const item = studio.selected;
    if (item?.recipe.type === kind) studio.setRecipe(item.id, { ...item.recipe, ...fields });
  };
}

/** Frame rate and placement of a copy. */
export function copyFields(studio: Studio): ValueFields {
  const change = changeOf(studio, "copy");
  const place = (changed: (place: [number, number, number]) => void): void => {
    const recipe = studio.selected?.recipe;
    if (recipe?.type !== "copy") return;
    const next: [number, number, number] = [...(recipe.place ?? ([0, 0, 0] as const))];
    changed(next);
    change({ place: next.every((value) => value === 0) ? null : next });
  };
  const fps = numberField("Frame rate (fps)", { min: 1, max: 1000, placeholder: "as the source" }, (value) =>
    change({ fps: value }),
  );
  const yaw = numberField("Turn to the left (degrees)", { step: 5, placeholder: "0" }, (value) =>
    place((next) => (next[0] = (value ?? 0) / DEGREES)),
  );
  const x = numberField("Move along X (metres)", { step: 0.1, placeholder: "0" }, (value) =>
    place((next) => (next[1] = value ?? 0)),
  );
  const z = numberField("Move along Z (metres)", { step: 0.1, placeholder: "0" }, (value) =>
    place((next) => (next[2] = value ?? 0)),
  );
  return {
    element: section("Copy", fps, yaw, x, z),
    update: (item) => {
      const recipe = item.recipe as CopyRecipe;
      fps.set(recipe.fps);
      yaw.set(recipe.place && roundTo(recipe.place[0] * DEGREES, 3));
      x.set(recipe.place && recipe.place[1]);
      z.set(recipe.place && recipe.place[2]);
    },
  };
}

/** The clips of a sequence in their order, and how they are joined. */
export function sequenceFields(studio: Studio): ValueFields {
  const change = changeOf(studio, "sequence");
  const list = element("ol", { class: "sequence-clips" });
  const setRows = keptList(list, list);
  const options = optionFields<SequenceRecipe>(SEQUENCE_FIELDS, (changes) => {
    const recipe = studio.selected?.recipe;
    const needsOverlap = changes.method === "overlap" && recipe?.type === "sequence" && recipe.overlap === null;
    change(needsOverlap ? { ...changes, overlap: [0.5, 0.5] } : changes);
  });
  const row = (id: string, n: number, sources: string[]): HTMLElement => {
    const name = studio.item(id)?.name ?? id;
    const moveUp = (): void => {
      // The focus goes along with the clip, as far as it can still be moved.
      list.children[n - 1]?.querySelector("button")?.focus();
      const next = [...sources];
      [next[n], next[n - 1]] = [next[n - 1]!, next[n]!];
      change({ sources: next });
    };
    const up = iconButton("up", `Play ${name} earlier`, moveUp);
    up.disabled = n === 0;
    const drop = iconButton("close", `Remove ${name} from the sequence`, () =>
      change({ sources: sources.filter((_, k) => k !== n) }),
    );
    drop.disabled = sources.length <= 2;
    return element("li", {}, element("span", { class: "grow", title: name }, name), up, drop);
  };
  return {
    element: element("section", {}, element("h3", {}, "Sequence"), list, options.element),
    update: (item) => {
      const { sources, ...recipe } = item.recipe as SequenceRecipe;
      const hadFocus = list.contains(document.activeElement);
      setRows(
        sources.map((id) => [id, studio.item(id)?.name]),
        () => sources.map((id, n) => row(id, n, sources)),
      );
      // A button that cannot be pressed any more does not take the focus.
      const isLost = hadFocus && !list.contains(document.activeElement);
      if (isLost) list.querySelector<HTMLButtonElement>("button:not([disabled])")?.focus();
      options.set(recipe);
    },
  };
}

/** Whose skeleton a clip is retargeted to. */
export function retargetFields(studio: Studio): ValueFields {
  const change = changeOf(studio, "retarget");
  const holder = element("div", {});
  const plant = checkbox("Plant feet", (checked) => change({ plant: checked }));
  let to: Field<string> | null = null;
  let builtFor = "";
  return {
    element: element("section", {}, element("h3", {}, "Retarget"), holder, plant.element),
    update: (item) => {
      const targets = retargetTargets(studio, item.id);
      const labels = Object.fromEntries(targets.map(({ key, label }) => [key, label]));
      if (!to || JSON.stringify(labels) !== builtFor) {
        builtFor = JSON.stringify(labels);
        to = choice("Onto", labels, (key: string) => {
          const target = retargetTargets(studio, item.id).find((each) => each.key === key);
          if (target) change(target.fields);
        });
        holder.replaceChildren(to.element);
      }
      if (item.recipe.type !== "retarget") return;
      to.set(targetOf(item.recipe));
      plant.set(item.recipe.plant);
    },
  };
}

function section(title: string, ...fields: Field<number | null>[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), ...fields.map((field) => field.element));
}
