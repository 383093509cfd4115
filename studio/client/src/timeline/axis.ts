import { Signal } from "../core/signal";

/** Pixels left free at both ends, so that handles there can be seen and grabbed. */
const MARGIN = 10;
/** Seconds in view at the largest zoom. */
const MIN_LENGTH = 0.05;
/** Fraction of the view between its edge and the playhead after it has been scrolled to the playhead. */
const PAGE_MARGIN = 0.1;

/** The time axis that all lanes share: converts seconds to pixels and back. */
export class Axis {
  readonly changed = new Signal();
  private from = 0;
  private to = 1;
  private first = 0;
  private last = 1;
  private pixels = 2 * MARGIN + 1;
  /** Until the user zooms, the axis shows the whole extent, however long it gets. */
  private isFitted = true;

  /** The seconds at both ends of the view. */
  get start(): number {
    return this.from;
  }

  get end(): number {
    return this.to;
  }

  /** The seconds at both ends of the content. */
  get extent(): [number, number] {
    return [this.first, this.last];
  }

  get width(): number {
    return this.pixels;
  }

  get pixelsPerSecond(): number {
    return (this.pixels - 2 * MARGIN) / (this.to - this.from);
  }

  get isZoomed(): boolean {
    return this.to - this.from < (this.last - this.first) * (1 - 1e-6);
  }

  x(seconds: number): number {
    return MARGIN + (seconds - this.from) * this.pixelsPerSecond;
  }

  seconds(x: number): number {
    return this.from + (x - MARGIN) / this.pixelsPerSecond;
  }

  set width(pixels: number) {
    this.pixels = Math.max(pixels, 2 * MARGIN + 1);
    this.changed.emit();
  }

  setExtent(first: number, last: number): void {
    const end = Math.max(last, first + MIN_LENGTH);
    if (first === this.first && end === this.last) return;
    [this.first, this.last] = [first, end];
    if (this.isFitted) this.fit();
    else this.setView(this.from, this.to);
  }

  /** Show the whole extent. */
  fit(): void {
    this.isFitted = true;
    this.setView(this.first, this.last);
  }

  /** Show `factor` times as much; the time at pixel `x` stays in place. */
  zoom(factor: number, x = this.pixels / 2): void {
    const around = this.seconds(x);
    const length = Math.min(Math.max((this.to - this.from) * factor, MIN_LENGTH), this.last - this.first);
    const fraction = (around - this.from) / (this.to - this.from);
    this.setView(around - fraction * length, around + (1 - fraction) * length);
    this.isFitted = !this.isZoomed;
  }

  pan(seconds: number): void {
    this.setView(this.from + seconds, this.to + seconds);
  }

  /** Scroll to a time if it is out of view. */
  reveal(seconds: number): void {
    const length = this.to - this.from;
    if (seconds >= this.from && seconds <= this.to) return;
    const start = seconds > this.to ? seconds - PAGE_MARGIN * length : seconds - (1 - PAGE_MARGIN) * length;
    this.setView(start, start + length);
  }

  /** Shift the origin of time; the same motion stays in view. */
  shift(seconds: number): void {
    if (this.isFitted) return;
    this.first += seconds;
    this.last += seconds;
    this.setView(this.from + seconds, this.to + seconds);
  }

  private setView(from: number, to: number): void {
    const length = Math.min(to - from, this.last - this.first);
    this.from = Math.min(Math.max(from, this.first), this.last - length);
    this.to = this.from + length;
    this.changed.emit();
  }
}

/** Pixels between labels and between small ticks, at least. */
const MIN_LABEL_SPACING = 64;
const MIN_TICK_SPACING = 7;
/** Seconds between labels. */
const LABEL_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

export interface Tick {
  seconds: number;
  label: string | null;
}

/** Labelled ticks in view, with small ticks between them: one per frame if there is room. */
export function ticks(axis: Axis, fps: number): Tick[] {
  const step = labelStep(MIN_LABEL_SPACING / axis.pixelsPerSecond);
  const small = smallStep(step, axis, fps);
  return [
    ...multiples(small, axis).map((seconds) => ({ seconds, label: null })),
    ...multiples(step, axis).map((seconds) => ({ seconds, label: formatTick(seconds, step) })),
  ];
}

function smallStep(step: number, axis: Axis, fps: number): number {
  if (axis.pixelsPerSecond / fps >= MIN_TICK_SPACING) return 1 / fps;
  return (step / 5) * axis.pixelsPerSecond >= MIN_TICK_SPACING ? step / 5 : step;
}

function labelStep(min: number): number {
  return LABEL_STEPS.find((step) => step >= min) ?? LABEL_STEPS.at(-1)!;
}

function multiples(step: number, axis: Axis): number[] {
  const first = Math.ceil(axis.start / step - 1e-9);
  const last = Math.floor(axis.end / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step);
}

function formatTick(seconds: number, step: number): string {
  const decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  if (Math.abs(seconds) < 60) return `${seconds.toFixed(decimals)} s`;
  const minutes = Math.trunc(seconds / 60);
  const rest = Math.abs(seconds - 60 * minutes).toFixed(decimals);
  return `${minutes}:${rest.padStart(decimals ? decimals + 3 : 2, "0")}`;
}
