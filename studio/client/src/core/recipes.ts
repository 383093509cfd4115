import {
  type BlendRecipe,
  type ClipEdit,
  type CopyRecipe,
  type EnforceRecipe,
  type FramespaceRecipe,
  type LoopRecipe,
  type Recipe,
  type RetargetRecipe,
  type SequenceRecipe,
  SOURCES,
  type TransitionRecipe,
  type WarpRecipe,
} from "./messages";
import {
  BLEND_DEFAULTS,
  ENFORCE_DEFAULTS,
  LOOP_DEFAULTS,
  REGISTRATION_DEFAULTS,
  SEQUENCE_DEFAULTS,
  TRANSITION_DEFAULTS,
} from "./options";

/** The recipe of a kind. */
export type RecipeOf<Kind extends Recipe["type"]> = Extract<Recipe, { type: Kind }>;

/** Ids of the clips that a recipe uses, in its own order. */
export function sourcesOf(recipe: Recipe): string[] {
  const fields = recipe as unknown as Record<string, string | string[] | null>;
  return SOURCES[recipe.type].flatMap((name) => fields[name] ?? []);
}

/** A blend with equal weights. */
export function newBlend(sources: string[]): BlendRecipe {
  return {
    type: "blend",
    sources,
    weights: sources.map(() => 1 / sources.length),
    keys: [],
    easing: "smooth",
    ...BLEND_DEFAULTS,
    parts: null,
    plant: true,
    in_place: false,
    allow_unfit: false,
    registration: REGISTRATION_DEFAULTS,
  };
}

/** A transition whose point is found automatically. */
export function newTransition(first: string, second: string): TransitionRecipe {
  return { type: "transition", first, second, ...TRANSITION_DEFAULTS };
}

/** Clips in a row, with transitions that are found automatically. */
export function newSequence(sources: string[]): SequenceRecipe {
  return { type: "sequence", sources, ...SEQUENCE_DEFAULTS };
}

/** Another version of a clip: at another frame rate, or elsewhere (yaw in radians, x and z in metres). */
export function newCopy(
  source: string,
  { fps = null, place = null }: { fps?: number | null; place?: [number, number, number] | null } = {},
): CopyRecipe {
  return { type: "copy", source, place, fps };
}

/** A clip on another skeleton, with planted feet. */
export function newRetarget(source: string, target: Pick<RetargetRecipe, "to" | "path" | "joint_map">): RetargetRecipe {
  return { type: "retarget", source, plant: true, ...target };
}

/** An edit that changes nothing but what is stated. */
export function newEdit(changes: Partial<ClipEdit>): ClipEdit {
  const none = { repair: false, smooth: null, trim: null, speed: null, reverse: false, mirror: false };
  return { ...none, root_motion: null, travel: null, ...changes };
}

/** A planted copy. */
export function newEnforce(source: string): EnforceRecipe {
  return { type: "enforce", source, ...ENFORCE_DEFAULTS };
}

/** A cycle of a clip; one that represents it unless a frame is named. */
export function newLoop(source: string, near: number | null = null, cycles: number | null = null): LoopRecipe {
  return { type: "loop", source, ...LOOP_DEFAULTS, near, cycles };
}

/** A warp without keys. */
export function newWarp(source: string): WarpRecipe {
  return { type: "warp", source, keys: [], times: [], preset: null, amount: 1, keep_plants: false, saved: null };
}

/** Clips mixed from the first to the last along the curve. Only four clips span a box, whose points have two
 * coordinates beside time. */
export function newFramespace(sources: string[]): FramespaceRecipe {
  const middle = sources.length === 4 ? [0.5] : [];
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
