import type { Axis } from "./axis";

/** Pixels between two labels, at least; between two small ticks, at least. */
const LABEL_SPACING = 64;
const TICK_SPACING = 7;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

export interface Tick {
  seconds: number;
  label: string | null;
}

/** Labelled moments in view, with small ticks between them: frames where these can be told apart. */
export function ticks(axis: Axis, fps: number): Tick[] {
  const step = stepFor(LABEL_SPACING / axis.pixelsPerSecond);
  const small = smallStep(step, axis, fps);
  return [
    ...multiples(small, axis).map((seconds) => ({ seconds, label: null })),
    ...multiples(step, axis).map((seconds) => ({ seconds, label: written(seconds, step) })),
  ];
}

function smallStep(step: number, axis: Axis, fps: number): number {
  if (axis.pixelsPerSecond / fps >= TICK_SPACING) return 1 / fps;
  return (step / 5) * axis.pixelsPerSecond >= TICK_SPACING ? step / 5 : step;
}

function stepFor(least: number): number {
  return STEPS.find((step) => step >= least) ?? STEPS.at(-1)!;
}

function multiples(step: number, axis: Axis): number[] {
  const first = Math.ceil(axis.start / step - 1e-9);
  const last = Math.floor(axis.end / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step);
}

function written(seconds: number, step: number): string {
  const decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  if (Math.abs(seconds) < 60) return `${seconds.toFixed(decimals)} s`;
  const minutes = Math.trunc(seconds / 60);
  const rest = Math.abs(seconds - 60 * minutes).toFixed(decimals);
  return `${minutes}:${rest.padStart(decimals ? decimals + 3 : 2, "0")}`;
}
