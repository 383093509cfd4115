import { element } from "../../core/dom";
import { isSame } from "../../core/edits";
import { bodyMap, partOf } from "../../widgets/body_map";
import type { Section, View } from "../../core/panel";

/** Body part masks: parts of the body with their own weights. */
export function bodyPartWeights(view: View<"blend">): Section<"blend"> {
  const { studio } = view;
  let latest = view;
  let chosen: string | null = null;
  let sliders: PartSliders | null = null;
  const pick = (part: string): void => {
    chosen = chosen === part ? null : part;
    sliders = chosen === null ? null : partSliders(latest, chosen, setPart);
    rows.replaceChildren(...(sliders ? sliders.elements : [hint]));
    show();
  };
  const map = bodyMap(pick);
  const hint = element("p", { class: "hint" });
  const rows = element("div", { class: "grow" }, hint);

  const setPart = (part: string, weights: number[] | null): void => {
    const parts = { ...latest.recipe.parts };
    if (weights) parts[part] = weights;
    else delete parts[part];
    latest.change({ parts: Object.keys(parts).length ? parts : null });
  };
  const show = (): void => {
    const parts = latest.recipe.parts ?? {};
    const masked = Object.keys(parts);
    map.show(chosen, masked);
    hint.textContent = masked.length
      ? `Own weights: ${masked.join(", ")}. Click a part to change them.`
      : "Click a body part here or in the viewport to give it its own weights.";
    if (chosen !== null) sliders?.show(parts[chosen] ?? null, latest.recipe.weights);
  };
  const stop = studio.jointPicked.on((picked) => {
    const part = picked.item === latest.item.id ? partOf(picked.joint) : null;
    if (part) pick(part);
  });
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Body part weights"),
      element("div", { class: "row top" }, map.element, rows),
    ),
    dispose: stop,
    update: (next) => {
      latest = next;
      show();
    },
  };
}

/** Sliders for the weights of a body part. They stay the same elements while they are dragged. */
interface PartSliders {
  elements: HTMLElement[];
  /** Show the part's own weights or, without any, those of the blend. */
  show: (own: number[] | null, blend: number[]) => void;
}

function partSliders(
  { studio, recipe }: View<"blend">,
  part: string,
  setPart: (part: string, weights: number[] | null) => void,
): PartSliders {
  /** The weights that the sliders stand for: they stay where they were dragged to until these are others. */
  let shown: number[] = [];
  const sliders = recipe.sources.map((id) =>
    element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      "aria-label": `Weight of ${studio.item(id)?.name ?? id} for the ${part}`,
      oninput: () => {
        const weights = sliders.map((slider) => slider.valueAsNumber);
        if (!weights.some((weight) => weight > 0)) return;
        shown = weights;
        setPart(part, weights);
      },
    }),
  );
  const rows = recipe.sources.map((id, n) =>
    element(
      "label",
      { class: "weight-row" },
      element("span", { class: "grow" }, studio.item(id)?.name ?? id),
      sliders[n]!,
    ),
  );
  const reset = element("button", { type: "button", onclick: () => setPart(part, null) }, "Use the blend's weights");
  return {
    elements: [element("h4", {}, part), ...rows, reset],
    show: (own, blend) => {
      const weights = own ?? blend;
      if (!isSame(weights, shown)) sliders.forEach((slider, n) => (slider.value = String(weights[n] ?? 0)));
      shown = weights;
      reset.disabled = own === null;
    },
  };
}
