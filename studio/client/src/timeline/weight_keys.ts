import type { BlendRecipe, WeightKey } from "../core/messages";
import { clamp, removeAt, replaceAt } from "../core/numbers";
import { normalize } from "../core/weights";

type Easing = BlendRecipe["easing"];

const EASINGS: Record<Easing, (fraction: number) => number> = {
  smooth: (fraction) => fraction * fraction * (3 - 2 * fraction),
  linear: (fraction) => fraction,
  hold: (fraction) => (fraction >= 1 ? 1 : 0),
};

/** Weights (sum 1) at a time of the blend, interpolated between keys like the library does. */
export function weightsAt(recipe: BlendRecipe, seconds: number): number[] {
  const { keys } = recipe;
  if (keys.length === 0) return normalize(recipe.weights);
  const next = keys.findIndex(({ time }) => time > seconds);
  if (next === 0) return normalize(keys[0]!.weights);
  if (next < 0) return normalize(keys.at(-1)!.weights);
  const [before, after] = [keys[next - 1]!, keys[next]!];
  const fraction = EASINGS[recipe.easing]((seconds - before.time) / (after.time - before.time));
  return normalize(before.weights.map((weight, n) => weight + fraction * (after.weights[n]! - weight)));
}

/** Set one weight; the others keep their proportions. */
export function setWeight(weights: number[], index: number, value: number): number[] {
  const normalized = normalize(weights);
  const weight = clamp(value, 0, 1);
  const others = 1 - normalized[index]!;
  const equal = (1 - weight) / Math.max(1, normalized.length - 1);
  return normalized.map((old, n) => {
    if (n === index) return weight;
    return others > 1e-9 ? (old / others) * (1 - weight) : equal;
  });
}

/** Move a key in time, between its neighbours and at least half a frame from them. */
export function moveKey(keys: WeightKey[], index: number, seconds: number, fps: number): WeightKey[] {
  const spacing = 0.5 / fps;
  const min = index > 0 ? keys[index - 1]!.time + spacing : 0;
  const max = index + 1 < keys.length ? keys[index + 1]!.time - spacing : Infinity;
  return replaceAt(keys, index, { ...keys[index]!, time: clamp(seconds, min, max) });
}

/** Add a key with the present weights at a time. A blend of cycles has no end of its own, so it keeps its present
 * duration, which the last key would set otherwise. */
export function addKey(recipe: BlendRecipe, seconds: number, duration: number | null, fps: number): BlendRecipe {
  const time = Math.max(0, Math.round(seconds * fps) / fps);
  const others = recipe.keys.filter((key) => Math.abs(key.time - time) >= 0.5 / fps);
  const keys = [...others, { time, weights: weightsAt(recipe, time) }].sort((a, b) => a.time - b.time);
  return { ...recipe, keys, duration: recipe.duration ?? duration };
}

/** Remove a key; after the last one, its weights apply to the whole blend. */
export function removeKey(recipe: BlendRecipe, index: number): BlendRecipe {
  const keys = removeAt(recipe.keys, index);
  return keys.length > 0 ? { ...recipe, keys } : { ...recipe, keys, weights: recipe.keys[index]!.weights };
}
