import { element } from "../../core/dom";
import { isSame } from "../../core/edits";
import type { Item } from "../../core/messages";
import { type Motion, speedAndTurn } from "../../core/motion";
import type { Studio } from "../../core/studio";
import { normalize, type Point, ringPoints, spreadPoints } from "../../core/weights";
import { type WeightField, weightPad, weightSlider, weightTriangle } from "../../widgets/weight_fields";
import type { Section, View } from "../../core/panel";
import { roundTo } from "../../core/numbers";
import { percent } from "../../core/text";

/** With fewer clips, a slider or a triangle is shown. */
const MIN_PAD_CLIPS = 4;

/** A field to drag in, and a number for each clip. */
export function weightRows(view: View<"blend">): Section<"blend"> {
  const { studio } = view;
  const sources = view.recipe.sources.map((id) => studio.item(id)).filter((item): item is Item => item !== null);
  let latest = view;
  /** The weights that the field stands for: its handle stays where it was dragged to until they are others. */
  let shown: number[] = [];
  const setWeights = (weights: number[]): void => {
    const rounded = weights.map((weight) => roundTo(weight, 3));
    studio.live.weights = rounded;
    studio.live.speedAndTurn = null;
    if (!studio.live.running) latest.change({ weights: rounded, keys: [] });
    shown = rounded;
    showNumbers(rounded);
  };
  let motions = findMotions(studio, sources);
  let field = fieldFor(sources, motions, setWeights);
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
  const showNumbers = (weights: number[]): void => {
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
  const show = (weights: number[]): void => {
    if (!isSame(weights, shown)) field.set(weights);
    shown = weights;
    showNumbers(weights.map((weight) => roundTo(weight, 3)));
  };
  const stops = [
    studio.live.posed.on(({ header }) => {
      if (studio.live.speedAndTurn) show(header.weights);
    }),
    studio.live.stopped.on(() => show(latest.recipe.weights)),
  ];
  /** The pad is laid out by how fast clips go and turn, which is known once they are computed. */
  const layOut = (): void => {
    motions = findMotions(studio, sources);
    if (!motions || sources.length < MIN_PAD_CLIPS) return;
    const before = field.element;
    field = fieldFor(sources, motions, setWeights);
    before.replaceWith(field.element);
    field.set(shown);
  };
  const keysHint = element("p", { class: "hint", hidden: true });
  return {
    element: element("section", {}, element("h3", {}, "Weights"), field.element, ...rows, keysHint),
    dispose: () => stops.forEach((stop) => stop()),
    update: (next) => {
      latest = next;
      const { weights, keys } = latest.recipe;
      keysHint.hidden = keys.length === 0;
      keysHint.textContent = `${keys.length} keys in the timeline control these weights. Dragging here replaces them with constant weights.`;
      if (!motions) layOut();
      show(studio.live.running ? studio.live.weights : weights);
    },
  };
}

/** The motions of all clips; null while one is missing. */
function findMotions(studio: Studio, sources: Item[]): Motion[] | null {
  const found = sources.map(({ id }) => studio.motion(id)).filter((motion) => motion !== null);
  return found.length === sources.length ? found : null;
}

function fieldFor(sources: Item[], motions: Motion[] | null, onInput: (weights: number[]) => void): WeightField {
  const corners = sources.map(({ name, colour }) => ({ label: name, colour }));
  if (corners.length === 2) return weightSlider([corners[0]!, corners[1]!], onInput);
  if (corners.length === 3) return weightTriangle(corners, onInput);
  const points = motions ? pointsBySpeed(motions) : ringPoints(sources.length);
  return weightPad(
    corners.map((corner, n) => ({ ...corner, at: points[n]! })),
    onInput,
  );
}

/** Faster clips lie higher, and clips that turn left lie to the left. */
function pointsBySpeed(motions: Motion[]): Point[] {
  return spreadPoints(motions.map(speedAndTurn).map(({ speed, turn }) => ({ x: -turn, y: -speed })));
}

function dot({ colour }: Item): HTMLElement {
  return element("span", { class: "dot", style: `background: var(--figure-${colour})`, "aria-hidden": "true" });
}
