import { element } from "../../core/dom";
import { bodyMap, partOf } from "../../widgets/body_map";
import type { BlendView, Section } from "./panel";

/** Masks: parts of the body that have weights of their own. */
export function blendParts(view: BlendView): Section {
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
  const off = studio.jointPicked.on((picked) => {
    if (!rows.isConnected) return off();
    const part = picked && picked.item === latest.item.id ? partOf(picked.joint) : null;
    if (part) pick(part);
  });
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Body parts with weights of their own"),
      element("div", { class: "row top" }, map.element, rows),
    ),
    update(next) {
      latest = next;
      if (rows.querySelector("input:focus")) refresh();
      else show();
    },
  };
}

function hint(parts: Record<string, number[]>): HTMLElement {
  const marked = Object.keys(parts);
  const words = marked.length
    ? `${marked.join(", ")}: own weights. Click a part to change them.`
    : "Click a part of the body, here or in the viewport, to give it other weights than the rest.";
  return element("p", { class: "hint" }, words);
}

function partRows(
  { studio, recipe }: BlendView,
  part: string,
  own: number[] | null,
  setPart: (part: string, weights: number[] | null) => void,
): HTMLElement[] {
  const shown = own ?? recipe.weights;
  const sliders = recipe.sources.map((id, n) =>
    element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      value: shown[n] ?? 0,
      "aria-label": `Weight of ${studio.item(id)?.name ?? id} for the ${part}`,
      oninput: () => {
        const weights = sliders.map((slider) => slider.valueAsNumber);
        if (weights.some((weight) => weight > 0)) setPart(part, weights);
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
    "Same as the rest",
  );
  return [element("h4", {}, part), ...rows, reset];
}
