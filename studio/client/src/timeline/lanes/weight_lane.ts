import type { BlendRecipe, Edit } from "../../core/messages";
import { normalize } from "../../core/weights";
import { replaceAt } from "../../core/numbers";
import type { ClipView } from "../clip_view";
import { figureColour } from "../colours";
import { columnCurve, valueAt } from "../curves";
import type { Grip } from "../grips";
import { moveKey, weightsAt, addKey, removeKey, setWeight } from "../weight_keys";
import { inView, type Lane, lazy, type LaneCanvas } from "./lane";

const HEIGHT = 48;
const [TOP, BOTTOM] = [6, HEIGHT - 6];
const RADIUS = 4;
/** Weight per step of an arrow key. */
const KEY_STEP = 0.01;
/** Pixels between keys that are drawn, at least: a recorded lane has hundreds. */
const MIN_KEY_SPACING = 5;

/** Weights at a time of the axis. */
type Weights = (seconds: number) => number[];

/** The weights of a blend over time, with their keys as points. */
export function weightLane(view: ClipView, recipe: BlendRecipe): Lane {
  const set = (changed: BlendRecipe): Edit[] => [{ type: "set_recipe", item: view.item.id, recipe: changed }];
  return {
    label: "Weights",
    title: "Weights: drag keys; double-click to add one",
    height: HEIGHT,
    grips: lazy(() => recipe.keys.flatMap((_, index) => keyGrips(view, recipe, index, set))),
    draw: (canvas) => {
      // From the keys, so that the curves follow a key that is dragged.
      drawWeights(canvas, view, (seconds) => weightsAt(recipe, blendSeconds(view, seconds)));
      drawKeys(canvas, view, recipe);
    },
    add: (seconds) => addWeightKey(view, recipe, seconds),
  };
}

/** The edits that add a key at a time of the axis, with the present weights. */
export function addWeightKey(view: ClipView, recipe: BlendRecipe, seconds: number): Edit[] {
  const { computed, motion, item } = view;
  const duration = motion.header.cyclic ? motion.duration * Math.abs(computed.step) : null;
  const keyed = addKey(recipe, blendSeconds(view, seconds), duration, computed.fps);
  return [{ type: "set_recipe", item: item.id, recipe: keyed }];
}

function keyGrips(view: ClipView, recipe: BlendRecipe, index: number, set: (recipe: BlendRecipe) => Edit[]): Grip[] {
  const key = recipe.keys[index]!;
  const fps = view.computed.fps;
  const seconds = axisSeconds(view, key.time);
  const change = (frames: number, source: number | null, add: number): Edit[] => {
    const at = Math.round((key.time + frames / fps) * fps) / fps;
    const keys = frames === 0 ? recipe.keys : moveKey(recipe.keys, index, at, fps);
    if (source === null) return set({ ...recipe, keys });
    const weights = setWeight(key.weights, source, normalize(key.weights)[source]! + add);
    return set({ ...recipe, keys: replaceAt(keys, index, { ...keys[index]!, weights }) });
  };
  const common = {
    mark: `key ${index}`,
    name: `Key ${index + 1}`,
    seconds,
    kind: "point" as const,
    remove: () => set(removeKey(recipe, index)),
  };
  const when: Grip = {
    ...common,
    part: "time",
    text: `at ${key.time.toFixed(2)} seconds`,
    value: `${key.time.toFixed(2)} s`,
    area: null,
    drag: ({ frames }) => change(Math.round(frames * view.computed.step), null, 0),
    nudge: (steps) => change(steps, null, 0),
  };
  const points = normalize(key.weights).map((weight, source): Grip => ({
    ...common,
    part: view.sources[source]?.name ?? `clip ${source + 1}`,
    text: `${Math.round(100 * weight)} percent`,
    value: `${Math.round(100 * weight)} %`,
    area: { from: seconds, to: seconds, top: yOf(weight), bottom: yOf(weight) },
    drag: ({ frames, up }) => change(Math.round(frames * view.computed.step), source, (up * HEIGHT) / (BOTTOM - TOP)),
    nudge: (steps) => change(0, source, KEY_STEP * steps),
  }));
  return [when, ...points];
}

/** The weights of a clip without keys of its own, such as a transition. */
export function fixedWeightLane(view: ClipView): Lane | null {
  const table = view.motion.arrays["weights"];
  if (!table) return null;
  const curves = view.sources.slice(0, table.shape[1] ?? 1).map((_, source) => columnCurve(view, table, source));
  return {
    label: "Weights",
    title: "Weight of each source",
    height: HEIGHT,
    grips: () => [],
    draw: (canvas) => drawWeights(canvas, view, (seconds) => curves.map((curve) => valueAt(curve, seconds))),
  };
}

function drawWeights({ context, axis, colours }: LaneCanvas, view: ClipView, weights: Weights): void {
  const [left, right] = [axis.x(0), axis.x(view.motion.duration)];
  context.strokeStyle = colours.line;
  context.strokeRect(left, TOP - 0.5, right - left, BOTTOM - TOP + 1);
  const xs: number[] = [];
  for (let x = Math.max(left, 0); x < Math.min(right, axis.width); x++) xs.push(x);
  const rows = xs.map((x) => weights(axis.seconds(x)));
  context.lineWidth = 1.5;
  view.sources.forEach(({ colour }, source) => {
    context.strokeStyle = figureColour(colours, colour);
    context.beginPath();
    rows.forEach((row, n) => context.lineTo(xs[n]!, yOf(row[source] ?? 0)));
    context.stroke();
  });
  context.lineWidth = 1;
}

function drawKeys(canvas: LaneCanvas, view: ClipView, recipe: BlendRecipe): void {
  let last = -Infinity;
  recipe.keys.forEach((key, index) => {
    const seconds = axisSeconds(view, key.time);
    const x = canvas.axis.x(seconds);
    const isSelected = canvas.selected === `key ${index}`;
    if (!inView(canvas.axis, seconds, seconds) || (Math.abs(x - last) < MIN_KEY_SPACING && !isSelected)) return;
    last = x;
    drawKey(canvas, view, normalize(key.weights), x, isSelected);
  });
}

function drawKey(
  { context, colours }: LaneCanvas,
  view: ClipView,
  weights: number[],
  x: number,
  isSelected: boolean,
): void {
  context.strokeStyle = isSelected ? colours.accent : colours.line;
  context.beginPath();
  context.moveTo(x, TOP);
  context.lineTo(x, BOTTOM);
  context.stroke();
  weights.forEach((weight, source) => {
    context.fillStyle = figureColour(colours, view.sources[source]?.colour ?? 0);
    context.strokeStyle = isSelected ? colours.text : colours.panel;
    context.beginPath();
    context.arc(x, yOf(weight), RADIUS, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });
}

function yOf(weight: number): number {
  return BOTTOM - weight * (BOTTOM - TOP);
}

/** Convert a time of the axis to seconds of the blend before its edits, which its keys count, and back. */
function blendSeconds({ computed }: ClipView, seconds: number): number {
  return computed.frame(seconds) / computed.fps;
}

function axisSeconds({ computed }: ClipView, seconds: number): number {
  return computed.seconds(seconds * computed.fps);
}
