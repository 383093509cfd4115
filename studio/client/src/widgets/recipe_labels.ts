import type { TransitionRecipe } from "../core/messages";

/** Settings that several panels show, by the name that each value has everywhere. */

/** How a transition gets from one clip to the next. */
export const TRANSITION_METHODS: Record<TransitionRecipe["method"], string> = {
  registration: "Registration",
  linear: "Linear",
  inertialize: "Inertialization",
  dead: "Dead blending",
};

/** How the time alignment is searched for. */
export const TIME_ALIGNMENTS: Record<TransitionRecipe["alignment"], string> = {
  auto: "From end to end",
  windowed: "Window by window",
};
