import { clamp } from "../core/numbers";
import { Signal } from "../core/signal";

/** How much is drawn; each level costs less than the previous one. */
export interface Detail {
  onionPoses: number;
  pixelRatio: number;
  /** Whether figures other than the selected one are bodies as well, and not sticks. */
  otherBodies?: boolean;
  shadows?: boolean;
  /** Triangles of a skinned mesh, at most about; all by default. */
  maxTriangles?: number;
}

/** One thing goes at a time: device pixels, bodies of others, shadows, then pixels. They cost most where the CPU draws,
 * so characters of games (about 7,000 triangles) keep all of theirs, and only large meshes are simplified. */
export const LEVELS: Detail[] = [
  { onionPoses: 13, pixelRatio: 2, otherBodies: true, shadows: true },
  { onionPoses: 13, pixelRatio: 1, otherBodies: true, shadows: true },
  { onionPoses: 9, pixelRatio: 1, shadows: true },
  { onionPoses: 7, pixelRatio: 1 },
  { onionPoses: 5, pixelRatio: 0.85, maxTriangles: 30_000 },
  { onionPoses: 3, pixelRatio: 0.7, maxTriangles: 15_000 },
  { onionPoses: 3, pixelRatio: 0.5, maxTriangles: 8_000 },
];
/** What is drawn while nothing moves: a picture that stays can take its time. */
export const STILL: Detail = { onionPoses: 13, pixelRatio: 2, shadows: true };
/** Levels of the viewer, all of whose figures are bodies. */
export const BODY_LEVELS: Detail[] = [
  { onionPoses: 13, pixelRatio: 2 },
  { onionPoses: 13, pixelRatio: 1 },
  { onionPoses: 9, pixelRatio: 0.75 },
  { onionPoses: 5, pixelRatio: 0.75 },
];
export const MAX_ONION_POSES = LEVELS[0]!.onionPoses;
/** The level to begin with where the CPU draws: without bodies of others. */
const SOFTWARE_LEVEL = 2;

/** Milliseconds per repaint that are too slow (under 28 per second), and fast enough to try more detail. */
const SLOW = 36;
const FAST = 21;
/** Repaints observed before detail is lowered or raised. Few to lower it: at one picture per second, every one is felt. */
const REPAINTS_TO_LOWER = 3;
const REPAINTS_TO_RAISE = 90;
/** Repaints after a change of detail that do not count: buffers and shaders are made anew. */
const REPAINTS_TO_SETTLE = 1;
/** A level costs about this many times what the next one does: the slower it is, the more levels go at once. */
const LEVEL_FACTOR = 1.7;
const MAX_STEP = 3;
/** Each time that more detail turned out too slow, the next attempt waits this many times longer, up to a limit. */
const BACKOFF = 2;
const MAX_BACKOFF = 32;
/** Milliseconds; a longer gap is a hidden tab or a debugger, not slow drawing. */
const MAX_GAP = 4000;

/** Lowers the detail when repaints take too long, and tries to raise it when there is time. */
export class DetailControl {
  readonly changed = new Signal();
  level: number;
  /** Running mean of the milliseconds between repaints. */
  private interval = 0;
  private readonly recent: number[] = [];
  private settling = 0;
  private fast = 0;
  private backoff = 1;
  private wasRaised = false;

  constructor(
    isSoftware: boolean,
    private readonly levels: Detail[] = LEVELS,
  ) {
    this.level = isSoftware ? SOFTWARE_LEVEL : 0;
  }

  /** Recent repaints per second; 0 before anything has moved. */
  get fps(): number {
    return this.interval === 0 ? 0 : 1000 / this.interval;
  }

  get detail(): Detail {
    return this.levels[this.level]!;
  }

  /** Whether less is drawn of the main figure than there is. */
  get isLowered(): boolean {
    return this.detail.maxTriangles !== undefined;
  }

  /** Begin with a level that fits, if one picture takes `duration` milliseconds now. */
  guess(duration: number): void {
    if (duration > SLOW) this.lower(duration);
  }

  /** Record a repaint that came `passed` milliseconds after the previous one. */
  record(passed: number): void {
    if (passed <= 0 || passed > MAX_GAP) return;
    this.interval = this.interval === 0 ? passed : this.interval + 0.1 * (passed - this.interval);
    if (this.settling > 0) {
      this.settling--;
      return;
    }
    this.recent.push(passed);
    if (this.recent.length < REPAINTS_TO_LOWER) return;
    const median = [...this.recent].sort((a, b) => a - b)[REPAINTS_TO_LOWER >> 1]!;
    this.recent.length = 0;
    if (median > SLOW) this.lower(median);
    else if (median < FAST) this.tryRaising();
    else this.fast = 0;
  }

  private lower(duration: number): void {
    this.fast = 0;
    if (this.wasRaised) this.backoff = Math.min(BACKOFF * this.backoff, MAX_BACKOFF);
    const steps = Math.ceil(Math.log(duration / SLOW) / Math.log(LEVEL_FACTOR));
    this.setLevel(this.level + clamp(steps, 1, MAX_STEP));
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
    this.recent.length = 0;
    this.settling = REPAINTS_TO_SETTLE;
    this.changed.emit();
  }
}
