import { clamp } from "../core/numbers";
import { Signal } from "../core/signal";
import type { ShapeName } from "./shape";

/** How much is drawn; each level costs less than the previous one. */
export interface Detail {
  capsules: boolean;
  onionPoses: number;
  pixelRatio: number;
  /** Whether figures other than the selected one are bodies as well, and not sticks. */
  otherBodies?: boolean;
  shadows?: boolean;
}

export const LEVELS: Detail[] = [
  { capsules: true, onionPoses: 13, pixelRatio: 2, otherBodies: true, shadows: true },
  { capsules: true, onionPoses: 13, pixelRatio: 1, otherBodies: true, shadows: true },
  { capsules: true, onionPoses: 9, pixelRatio: 1, otherBodies: false, shadows: true },
  { capsules: true, onionPoses: 5, pixelRatio: 0.75 },
  { capsules: false, onionPoses: 3, pixelRatio: 0.7 },
];
/** Levels that never draw bodies as sticks: they lower the resolution instead. */
export const BODY_LEVELS: Detail[] = [
  { capsules: true, onionPoses: 13, pixelRatio: 2 },
  { capsules: true, onionPoses: 13, pixelRatio: 1 },
  { capsules: true, onionPoses: 9, pixelRatio: 0.75 },
  { capsules: true, onionPoses: 5, pixelRatio: 0.75 },
];
export const MAX_ONION_POSES = LEVELS[0]!.onionPoses;

/** Milliseconds per repaint that are too slow (under 28 per second), and fast enough to try more detail. */
const SLOW = 36;
const FAST = 21;
/** Repaints observed before detail is lowered or raised. */
const REPAINTS_TO_LOWER = 12;
const REPAINTS_TO_RAISE = 90;
/** Each time that more detail turned out too slow, the next attempt waits this many times longer, up to a limit. */
const BACKOFF = 2;
const MAX_BACKOFF = 32;
/** Milliseconds; a longer gap is a hidden tab or a debugger, not slow drawing. */
const MAX_GAP = 1000;

/** Lowers the detail when repaints take too long, and tries to raise it when there is time. */
export class DetailControl {
  readonly changed = new Signal();
  level: number;
  /** Running mean of the milliseconds between repaints. */
  private interval = 0;
  private readonly recent: number[] = [];
  private fast = 0;
  private backoff = 1;
  private wasRaised = false;

  constructor(
    isSoftware: boolean,
    private readonly levels: Detail[] = LEVELS,
  ) {
    this.level = isSoftware ? 1 : 0;
  }

  /** Recent repaints per second; 0 before anything has moved. */
  get fps(): number {
    return this.interval === 0 ? 0 : 1000 / this.interval;
  }

  get detail(): Detail {
    return this.levels[this.level]!;
  }

  shape(wanted: ShapeName): ShapeName {
    return this.detail.capsules ? wanted : "sticks";
  }

  /** Record a repaint that came `passed` milliseconds after the previous one. */
  record(passed: number): void {
    if (passed <= 0 || passed > MAX_GAP) return;
    this.interval = this.interval === 0 ? passed : this.interval + 0.1 * (passed - this.interval);
    this.recent.push(passed);
    if (this.recent.length < REPAINTS_TO_LOWER) return;
    const median = [...this.recent].sort((a, b) => a - b)[REPAINTS_TO_LOWER >> 1]!;
    this.recent.length = 0;
    if (median > SLOW) this.lower();
    else if (median < FAST) this.tryRaising();
    else this.fast = 0;
  }

  private lower(): void {
    this.fast = 0;
    if (this.wasRaised) this.backoff = Math.min(BACKOFF * this.backoff, MAX_BACKOFF);
    this.setLevel(this.level + 1);
    this.wasRaised = false;
  }

  private tryRaising(): void {
    this.fast += REPAINTS_TO_LOWER;
    if (this.fast < REPAINTS_TO_RAISE * this.backoff) return;
    this.fast = 0;
    this.setLevel(this.level - 1);
    this.wasRaised = true;
  }

  private setLevel(level: number): void {
    const next = clamp(level, 0, this.levels.length - 1);
    if (next === this.level) return;
    this.level = next;
    this.changed.emit();
  }
}
