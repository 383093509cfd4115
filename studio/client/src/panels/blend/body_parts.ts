import { element } from "../../core/dom";
import { bodyMap, partOf } from "../../widgets/body_map";
import type { Section, View } from "../../core/panel";

/** Body part masks: parts of the body with their own weights. */
export function bodyPartWeights(view: View<"blend">): Section<"blend"> {
  const { studio } = view;
  let latest = view;
  let chosen: string | null = null;
  const pick = (part: string): void => {
    chosen = chosen === part ? null : part;
    show();
  };
  const map = bodyMap(pick);
  const rows = element("div", { class: "grow" });

  const setPart = (part: string, weights: number[] | null): void => {
    const parts = { ...latest.recipe.parts };
    if (weights) parts[part] = weights;
    else delete parts[part];
    latest.change({ parts: Object.keys(parts).length ? parts : null });
  };
  const show = (): void => {
    const parts = latest.recipe.parts ?? {};
    map.show(chosen, Object.keys(parts));
    rows.replaceChildren(...(chosen ? partRows(latest, chosen, parts[chosen] ?? null, setPart) : [hint(parts)]));
  };
  /** A slider that is being dragged stays the same element. */
  const refresh = (): void => {
    const parts = latest.recipe.parts ?? {};
    map.show(chosen, Object.keys(parts));
    for (const reset of rows.querySelectorAll("button")) reset.disabled = !(chosen && chosen in parts);
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
      if (rows.querySelector("input:focus")) refresh();
      else show();
    },
  };
}

function hint(parts: Record<string, number[]>): HTMLElement {
  const masked = Object.keys(parts);
  const text = masked.length
    ? `Own weights: ${masked.join(", ")}. Click a part to change them.`
    : "Click a body part here or in the viewport to give it its own weights.";
  return element("p", { class: "hint" }, text);
}

function partRows(
  { studio, recipe }: View<"blend">,
  part: string,
  own: number[] | null,
  setPart: (part: string, weights: number[] | null) => void,
): HTMLElement[] {
  const weights = own ?? recipe.weights;
  const sliders = recipe.sources.map((id, n) =>
    element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      value: weights[n] ?? 0,
      "aria-label": `Weight of ${studio.item(id)?.name ?? id} for the ${part}`,
      oninput: () => {
        const chosen = sliders.map((slider) => slider.valueAsNumber);
        if (chosen.some((weight) => weight > 0)) setPart(part, chosen);
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
  const reset = element(
    "button",
    { type: "button", disabled: own === null, onclick: () => setPart(part, null) },
    "Use the blend's weights",
  );
  return [element("h4", {}, part), ...rows, reset];
}
