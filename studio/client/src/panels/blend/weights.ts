import { element } from "../../core/dom";
import type { Item } from "../../core/messages";
import { speedAndTurn } from "../../core/motion";
import type { Studio } from "../../core/studio";
import { normalize, spreadPoints } from "../../core/weights";
import { type WeightField, weightPad, weightSlider, weightTriangle } from "../../widgets/weight_fields";
import type { Section, View } from "../../core/panel";
import { roundTo } from "../../core/numbers";
import { percent } from "../../core/text";

/** A field to drag in, and a number for each clip. */
export function weightRows(view: View<"blend">): Section<"blend"> {
  const { studio } = view;
  const sources = view.recipe.sources.map((id) => studio.item(id)).filter((item): item is Item => item !== null);
  let change = view.change;
  const setWeights = (weights: number[]): void => {
    const rounded = weights.map((weight) => roundTo(weight, 3));
    studio.live.weights = rounded;
    studio.live.speedAndTurn = null;
    if (!studio.live.running) change({ weights: rounded, keys: [] });
    show(rounded);
  };
  const field = fieldFor(studio, sources, setWeights);
  const inputs = sources.map((item, n) =>
    element("input", {
      type: "number",
      step: 0.05,
      "aria-label": `Weight of ${item.name}`,
      onchange: () => {
        const typed = inputs.map((input) => input.valueAsNumber || 0);
        if (!typed.some((weight) => weight !== 0)) typed[n] = 1;
        setWeights(typed);
        field.set(typed);
      },
    }),
  );
  const percentages = sources.map(() => element("output", { class: "value" }));
  const show = (weights: number[]): void => {
    normalize(weights).forEach((fraction, n) => {
      const input = inputs[n];
      if (input && document.activeElement !== input) input.value = String(weights[n]);
      if (percentages[n]) percentages[n].value = percent(fraction);
    });
  };
  const rows = sources.map((item, n) =>
    element(
      "label",
      { class: "weight-row" },
      dot(item),
      element("span", { class: "grow", title: item.name }, item.name),
      inputs[n]!,
      percentages[n]!,
    ),
  );
  const stop = studio.live.posed.on(({ header }) => {
    if (!studio.live.speedAndTurn) return;
    field.set(header.weights);
    show(header.weights.map((weight) => roundTo(weight, 3)));
  });
  const keysHint = element("p", { class: "hint", hidden: true });
  return {
    element: element("section", {}, element("h3", {}, "Weights"), field.element, ...rows, keysHint),
    dispose: stop,
    update: (latest) => {
      change = latest.change;
      const { weights, keys } = latest.recipe;
      keysHint.hidden = keys.length === 0;
      keysHint.textContent = `${keys.length} keys in the timeline control these weights. Dragging here replaces them with constant weights.`;
      if (document.activeElement && field.element.contains(document.activeElement)) return show(weights);
      field.set(weights);
      show(weights);
    },
  };
}

function fieldFor(studio: Studio, sources: Item[], onInput: (weights: number[]) => void): WeightField {
  const corners = sources.map(({ name, colour }) => ({ label: name, colour }));
  if (corners.length === 2) return weightSlider([corners[0]!, corners[1]!], onInput);
  if (corners.length === 3) return weightTriangle(corners, onInput);
  // Faster clips lie higher, and clips that turn left lie to the left.
  const paces = sources.map((item) => {
    const motion = studio.motion(item.id);
    return motion ? speedAndTurn(motion) : { speed: 0, turn: 0 };
  });
  const points = spreadPoints(paces.map(({ speed, turn }) => ({ x: -turn, y: -speed })));
  return weightPad(
    corners.map((corner, n) => ({ ...corner, at: points[n]! })),
    onInput,
  );
}

function dot({ colour }: Item): HTMLElement {
  return element("span", { class: "dot", style: `background: var(--figure-${colour})`, "aria-hidden": "true" });
}
