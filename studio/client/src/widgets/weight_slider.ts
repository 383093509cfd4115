import { element } from "../core/dom";
import { normalised } from "../core/weights";
import type { Corner, WeightField } from "./weight_field";

/** A slider for two clips: all of the first on the left, all of the second on the right. */
export function weightSlider(
  [first, second]: [Omit<Corner, "at">, Omit<Corner, "at">],
  onInput: (weights: number[]) => void,
): WeightField {
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.001,
    "aria-label": `Weights: ${first.label} to ${second.label}`,
    oninput: () => take(slider.valueAsNumber),
  });
  const say = (share: number): void =>
    slider.setAttribute(
      "aria-valuetext",
      `${Math.round(100 * (1 - share))} % ${first.label}, ${Math.round(100 * share)} % ${second.label}`,
    );
  const take = (share: number): void => {
    say(share);
    onInput([1 - share, share]);
  };
  return {
    element: element("div", { class: "weight-slider" }, name(first), slider, name(second)),
    set(weights) {
      const share = normalised(weights)[1]!;
      slider.value = String(share);
      say(share);
    },
  };
}

function name({ label, colour }: Omit<Corner, "at">): HTMLElement {
  return element("span", { class: "weight-end", style: `--dot: var(--figure-${colour})`, title: label }, label);
}
