import { element } from "../../core/dom";
import type { LoopRecipe } from "../../core/messages";
import { numberField } from "../../widgets/fields";

/** Which cycle of a clip is closed; null leaves the choice to the search. */
export type CycleChoice = Pick<LoopRecipe, "near" | "cycles">;

/** The frame near which a cycle lies, a button that takes it from the playhead, and the number of strides.
 * `playhead` gives the frame of the source there. */
export function cycleFields(
  change: (changes: Partial<CycleChoice>) => void,
  playhead: () => number | null,
): { elements: HTMLElement[]; set: (choice: CycleChoice) => void } {
  const near = numberField("Near frame", { min: 0, step: 1, placeholder: "automatic" }, (frame) =>
    change({ near: frame === null ? null : Math.max(0, Math.round(frame)) }),
  );
  const cycles = numberField("Cycles", { min: 1, step: 1, placeholder: "automatic" }, (count) =>
    change({ cycles: count === null ? null : Math.max(1, Math.round(count)) }),
  );
  const here = element("button", { type: "button", title: "Close the cycle around the playhead" }, "Use playhead");
  here.addEventListener("click", () => {
    const frame = playhead();
    if (frame !== null) change({ near: Math.round(frame) });
  });
  return {
    elements: [near.element, element("div", { class: "buttons" }, here), cycles.element],
    set: (choice) => {
      near.set(choice.near);
      cycles.set(choice.cycles);
    },
  };
}
