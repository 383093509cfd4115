import type { BlendRecipe, WeightKey } from "../core/messages";
import { replaced, within, without } from "./values";

type Easing = BlendRecipe["easing"];

const EASED: Record<Easing, (share: number) => number> = {
  smooth: (share) => share * share * (3 - 2 * share),
  linear: (share) => share,
  hold: (share) => (share >= 1 ? 1 : 0),
};

/** Weights at a time of the blend, with sum 1, as the library finds them between keys. */
export function weightsAt(recipe: BlendRecipe, seconds: number): number[] {
  const { keys } = recipe;
  if (keys.length === 0) return shares(recipe.weights);
  const next = keys.findIndex(({ time }) => time > seconds);
  if (next === 0) return shares(keys[0]!.weights);
  if (next < 0) return shares(keys.at(-1)!.weights);
  const [before, after] = [keys[next - 1]!, keys[next]!];
  const share = EASED[recipe.easing]((seconds - before.time) / (after.time - before.time));
  return shares(before.weights.map((weight, n) => weight + share * (after.weights[n]! - weight)));
}

export function shares(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? weights.map((weight) => weight / sum) : weights;
}

/** The weights with one of them put to a value, and the others sharing the rest as they did. */
export function withWeight(weights: number[], index: number, value: number): number[] {
  const whole = shares(weights);
  const wanted = within(value, 0, 1);
  const others = 1 - whole[index]!;
  const even = (1 - wanted) / Math.max(1, whole.length - 1);
  return whole.map((weight, n) => {
    if (n === index) return wanted;
    return others > 1e-9 ? (weight / others) * (1 - wanted) : even;
  });
}

/** The keys with one of them at another time: between its neighbours, half a frame apart at least. */
export function movedKey(keys: WeightKey[], index: number, seconds: number, fps: number): WeightKey[] {
  const apart = 0.5 / fps;
  const least = index > 0 ? keys[index - 1]!.time + apart : 0;
  const most = index + 1 < keys.length ? keys[index + 1]!.time - apart : Infinity;
  return replaced(keys, index, { ...keys[index]!, time: within(seconds, least, most) });
}

/** The recipe with a key where its weights are now. Clips that go round have no end of their own: their blend keeps
 * the length it has, which the last key would set otherwise. */
export function withKey(recipe: BlendRecipe, seconds: number, length: number | null, fps: number): BlendRecipe {
  const time = Math.max(0, Math.round(seconds * fps) / fps);
  const there = recipe.keys.filter((key) => Math.abs(key.time - time) >= 0.5 / fps);
  const keys = [...there, { time, weights: weightsAt(recipe, time) }].sort((a, b) => a.time - b.time);
  return { ...recipe, keys, seconds: recipe.seconds ?? length };
}

/** The recipe without a key; without the last one, its weights stay for the whole blend. */
export function withoutKey(recipe: BlendRecipe, index: number): BlendRecipe {
  const keys = without(recipe.keys, index);
  return keys.length > 0 ? { ...recipe, keys } : { ...recipe, keys, weights: recipe.keys[index]!.weights };
}
