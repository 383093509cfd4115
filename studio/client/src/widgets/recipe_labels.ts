import type { RegistrationRecipe, TransitionRecipe } from "../core/messages";

/** Settings that several panels show, by the name that each value has everywhere. */

/** How a transition gets from one clip to the next. */
export const TRANSITION_METHODS: Record<TransitionRecipe["method"], string> = {
  registration: "Registration",
  linear: "Linear",
  inertialize: "Inertialization",
  dead: "Dead blending",
};

/** Which part of each clip is registered. */
export const CLIP_RANGES: Record<RegistrationRecipe["cut"], string> = {
  auto: "Matching strides",
  loops: "One cycle, looped",
  parts: "Shared part",
  whole: "Whole clips",
};

/** How the time alignment is searched for. */
export const TIME_ALIGNMENTS: Record<RegistrationRecipe["alignment"], string> = {
  auto: "From end to end",
  windowed: "Window by window",
};
