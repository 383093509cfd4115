import type { BlendRecipe, Edit } from "../../core/messages";
import { columnCurve, valueAt } from "../blend_rows";
import type { Grip } from "../grips";
import { figureInk } from "../inks";
import type { Shown } from "../shown";
import { replaced } from "../values";
import { movedKey, shares, weightsAt, withKey, withWeight, withoutKey } from "../weight_keys";
import { inView, lazily, type Lane, type Picture } from "./lane";

const HEIGHT = 48;
const [TOP, BOTTOM] = [6, HEIGHT - 6];
const RADIUS = 4;
/** What one step of the keyboard adds to a weight. */
const STEP = 0.01;
/** Pixels between the keys that are drawn: a recorded lane has hundreds. */
const APART = 5;

/** Weights at a shown time. */
type Weights = (seconds: number) => number[];

/** The weights of a blend's clips over time, with their keys as points. */
export function weightLane(shown: Shown, recipe: BlendRecipe): Lane {
  const set = (changed: BlendRecipe): Edit[] => [{ type: "set_recipe", item: shown.item.id, recipe: changed }];
  return {
    label: "Weights",
    title: "Weights: drag keys, double click to add one",
    height: HEIGHT,
    grips: lazily(() => recipe.keys.flatMap((_, index) => keyGrips(shown, recipe, index, set))),
    draw: (picture) => {
      // From the keys, so that the curves follow while a key is dragged.
      drawWeights(picture, shown, (seconds) => weightsAt(recipe, blendSeconds(shown, seconds)));
      drawKeys(picture, shown, recipe);
    },
    added: (seconds) => keyAdded(shown, recipe, seconds),
  };
}

/** The edits that add a key at a shown time, with the weights that are there. */
export function keyAdded(shown: Shown, recipe: BlendRecipe, seconds: number): Edit[] {
  const { made, motion, item } = shown;
  const length = motion.head.cyclic ? motion.duration * Math.abs(made.step) : null;
  const keyed = withKey(recipe, blendSeconds(shown, seconds), length, made.fps);
  return [{ type: "set_recipe", item: item.id, recipe: keyed }];
}

function keyGrips(shown: Shown, recipe: BlendRecipe, index: number, set: (recipe: BlendRecipe) => Edit[]): Grip[] {
  const key = recipe.keys[index]!;
  const fps = shown.made.fps;
  const seconds = shownSeconds(shown, key.time);
  const put = (frames: number, source: number | null, add: number): Edit[] => {
    const at = Math.round((key.time + frames / fps) * fps) / fps;
    const keys = frames === 0 ? recipe.keys : movedKey(recipe.keys, index, at, fps);
    if (source === null) return set({ ...recipe, keys });
    const weights = withWeight(key.weights, source, shares(key.weights)[source]! + add);
    return set({ ...recipe, keys: replaced(keys, index, { ...keys[index]!, weights }) });
  };
  const common = {
    mark: `key ${index}`,
    name: `Key ${index + 1}`,
    seconds,
    kind: "point" as const,
    removed: () => set(withoutKey(recipe, index)),
  };
  const when: Grip = {
    ...common,
    part: "time",
    text: `at ${key.time.toFixed(2)} seconds`,
    value: `${key.time.toFixed(2)} s`,
    area: null,
    dragged: ({ frames }) => put(Math.round(frames * shown.made.step), null, 0),
    nudged: (steps) => put(steps, null, 0),
  };
  const points = shares(key.weights).map((weight, source): Grip => ({
    ...common,
    part: shown.sources[source]?.name ?? `clip ${source + 1}`,
    text: `${Math.round(100 * weight)} percent`,
    value: `${Math.round(100 * weight)} %`,
    area: { from: seconds, to: seconds, top: yOf(weight), bottom: yOf(weight) },
    dragged: ({ frames, up }) => put(Math.round(frames * shown.made.step), source, (up * HEIGHT) / (BOTTOM - TOP)),
    nudged: (steps) => put(0, source, STEP * steps),
  }));
  return [when, ...points];
}

/** The weights that went into a clip that has no keys of its own, such as a transition. */
export function fixedWeightLane(shown: Shown): Lane | null {
  const table = shown.motion.arrays["weights"];
  if (!table) return null;
  const curves = shown.sources.slice(0, table.shape[1] ?? 1).map((_, source) => columnCurve(shown, table, source));
  return {
    label: "Weights",
    title: "How much each source counts",
    height: HEIGHT,
    grips: () => [],
    draw: (picture) => drawWeights(picture, shown, (seconds) => curves.map((curve) => valueAt(curve, seconds))),
  };
}

function drawWeights({ context, axis, inks }: Picture, shown: Shown, weights: Weights): void {
  const [left, right] = [axis.x(0), axis.x(shown.motion.duration)];
  context.strokeStyle = inks.line;
  context.strokeRect(left, TOP - 0.5, right - left, BOTTOM - TOP + 1);
  const xs: number[] = [];
  for (let x = Math.max(left, 0); x < Math.min(right, axis.width); x++) xs.push(x);
  const rows = xs.map((x) => weights(axis.seconds(x)));
  context.lineWidth = 1.5;
  shown.sources.forEach(({ colour }, source) => {
    context.strokeStyle = figureInk(inks, colour);
    context.beginPath();
    rows.forEach((row, n) => context.lineTo(xs[n]!, yOf(row[source] ?? 0)));
    context.stroke();
  });
  context.lineWidth = 1;
}

function drawKeys(picture: Picture, shown: Shown, recipe: BlendRecipe): void {
  let last = -Infinity;
  recipe.keys.forEach((key, index) => {
    const seconds = shownSeconds(shown, key.time);
    const x = picture.axis.x(seconds);
    const chosen = picture.selected === `key ${index}`;
    if (!inView(picture.axis, seconds, seconds) || (Math.abs(x - last) < APART && !chosen)) return;
    last = x;
    drawKey(picture, shown, shares(key.weights), x, chosen);
  });
}

function drawKey({ context, inks }: Picture, shown: Shown, weights: number[], x: number, chosen: boolean): void {
  context.strokeStyle = chosen ? inks.accent : inks.line;
  context.beginPath();
  context.moveTo(x, TOP);
  context.lineTo(x, BOTTOM);
  context.stroke();
  weights.forEach((weight, source) => {
    context.fillStyle = figureInk(inks, shown.sources[source]?.colour ?? 0);
    context.strokeStyle = chosen ? inks.text : inks.panel;
    context.beginPath();
    context.arc(x, yOf(weight), RADIUS, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });
}

function yOf(weight: number): number {
  return BOTTOM - weight * (BOTTOM - TOP);
}

/** Seconds of the blend before its edits, which its keys count, at a shown time, and back. */
function blendSeconds({ made }: Shown, seconds: number): number {
  return made.frame(seconds) / made.fps;
}

function shownSeconds({ made }: Shown, seconds: number): number {
  return made.seconds(seconds * made.fps);
}
