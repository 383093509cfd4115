import { element } from "../../core/dom";
import { going } from "../../core/going";
import type { Item } from "../../core/messages";
import type { Studio } from "../../core/studio";
import { normalised, spread } from "../../core/weights";
import { type WeightField, weightPad, weightTriangle } from "../../widgets/weight_field";
import { weightSlider } from "../../widgets/weight_slider";
import type { BlendView, Section } from "./panel";

/** A field to drag in, and a number for each clip. */
export function weightRows(view: BlendView): Section {
  const { studio } = view;
  const sources = view.recipe.sources.map((id) => studio.item(id)).filter((item): item is Item => item !== null);
  let change = view.change;
  const give = (weights: number[]): void => {
    const rounded = weights.map((weight) => Math.round(1000 * weight) / 1000);
    studio.live.weights = rounded;
    if (!studio.live.running) change({ weights: rounded, keys: [] });
    show(rounded);
  };
  const field = fieldFor(studio, sources, give);
  const inputs = sources.map((item, n) =>
    element("input", {
      type: "number",
      step: 0.05,
      "aria-label": `Weight of ${item.name}`,
      onchange: () => {
        const typed = inputs.map((input) => input.valueAsNumber || 0);
        if (!typed.some((weight) => weight !== 0)) typed[n] = 1;
        give(typed);
        field.set(typed);
      },
    }),
  );
  const shares = sources.map(() => element("output", { class: "share" }));
  const show = (weights: number[]): void => {
    normalised(weights).forEach((share, n) => {
      const input = inputs[n];
      if (input && document.activeElement !== input) input.value = String(weights[n]);
      if (shares[n]) shares[n].value = `${Math.round(100 * share)} %`;
    });
  };
  const rows = sources.map((item, n) =>
    element(
      "label",
      { class: "weight-row" },
      dot(item),
      element("span", { class: "grow" }, item.name),
      inputs[n]!,
      shares[n]!,
    ),
  );
  const keyed = element("p", { class: "hint", hidden: true });
  return {
    element: element("section", {}, element("h3", {}, "Weights"), field.element, ...rows, keyed),
    update(latest) {
      change = latest.change;
      const { weights, keys } = latest.recipe;
      keyed.hidden = keys.length === 0;
      keyed.textContent = `${keys.length} keys in the timeline steer this blend. Dragging replaces them by constant weights.`;
      if (document.activeElement && field.element.contains(document.activeElement)) return show(weights);
      field.set(weights);
      show(weights);
    },
  };
}

function fieldFor(studio: Studio, sources: Item[], give: (weights: number[]) => void): WeightField {
  const corners = sources.map(({ name, colour }) => ({ label: name, colour }));
  if (corners.length === 2) return weightSlider([corners[0]!, corners[1]!], give);
  if (corners.length === 3) return weightTriangle(corners, give);
  // Faster clips lie higher, and clips that turn left lie to the left.
  const goings = sources.map((item) => {
    const motion = studio.motion(item.id);
    return motion ? going(motion) : { speed: 0, turn: 0 };
  });
  const places = spread(goings.map(({ speed, turn }) => ({ x: -turn, y: -speed })));
  return weightPad(
    corners.map((corner, n) => ({ ...corner, at: places[n]! })),
    give,
  );
}

function dot({ colour }: Item): HTMLElement {
  return element("span", { class: "dot", style: `background: var(--figure-${colour})`, "aria-hidden": "true" });
}
