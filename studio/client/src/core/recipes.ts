import type {
  BlendRecipe,
  EnforceRecipe,
  FramespaceRecipe,
  Recipe,
  RegistrationOptions,
  TransitionRecipe,
  WarpRecipe,
} from "./messages";

/** Ids of the clips that a recipe is made of, in its own order. */
export function sourcesOf(recipe: Recipe): string[] {
  switch (recipe.type) {
    case "file":
    case "motion":
      return [];
    case "blend":
    case "framespace":
      return recipe.sources;
    case "transition":
      return [recipe.first, recipe.second];
    case "enforce":
    case "warp":
      return [recipe.source];
  }
}

/** What a clip is, in a word or two. */
export const KINDS: Record<Recipe["type"], string> = {
  file: "file",
  motion: "built-in",
  blend: "blend",
  transition: "transition",
  enforce: "enforced",
  warp: "warp",
  framespace: "framespace",
};

const REGISTRATION: RegistrationOptions = {
  cut: "auto",
  profile: "default",
  slope_limit: null,
  window: null,
  joint_weights: null,
  pins: [],
  start: null,
};

/** A blend of equal parts. */
export function newBlend(sources: string[]): BlendRecipe {
  return {
    type: "blend",
    sources,
    weights: sources.map(() => 1 / sources.length),
    keys: [],
    easing: "smooth",
    seconds: null,
    rate: "frequency",
    average: "nlerp",
    method: "registration",
    parts: null,
    plant: true,
    even_if_unfit: false,
    registration: REGISTRATION,
  };
}

/** From one clip to another, at the best place. */
export function newTransition(first: string, second: string): TransitionRecipe {
  return {
    type: "transition",
    first,
    second,
    at: null,
    half_width: null,
    method: "registration",
    loop: false,
    plant: false,
  };
}

export function newEnforce(source: string): EnforceRecipe {
  return { type: "enforce", source, ground: null, stretch: null };
}

/** A warp that changes nothing yet. */
export function newWarp(source: string): WarpRecipe {
  return { type: "warp", source, keys: [], times: [], preset: null, amount: 1, keep_plants: false };
}

/** Two clips mixed from the first to the second over the time of the curve. */
export function newFramespace(sources: string[]): FramespaceRecipe {
  const middle = sources.length > 2 ? [0.5] : [];
  return {
    type: "framespace",
    sources,
    curve: [0, 0.25, 0.75, 1].map((x) => [x, x, ...middle]),
    upper: null,
    cycles: 6,
    polyline: false,
    decoupled: false,
    loop: false,
  };
}
