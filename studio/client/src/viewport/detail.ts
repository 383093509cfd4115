import { Signal } from "../core/signal";
import type { ShapeName } from "./shape";

/** How much is drawn; each level costs less than the one before. */
export interface Detail {
  capsules: boolean;
  onionPoses: number;
  pixelRatio: number;
}

export const LEVELS: Detail[] = [
  { capsules: true, onionPoses: 13, pixelRatio: 2 },
  { capsules: true, onionPoses: 13, pixelRatio: 1 },
  { capsules: false, onionPoses: 9, pixelRatio: 1 },
  { capsules: false, onionPoses: 5, pixelRatio: 1 },
  { capsules: false, onionPoses: 3, pixelRatio: 0.7 },
];
export const MOST_ONION_POSES = LEVELS[0]!.onionPoses;

/** Milliseconds per picture that are too many (under 28 pictures a second), and few enough to try for more. */
const SLOW = 36;
const FAST = 21;
/** Pictures that are looked at before detail drops, or rises. */
const PICTURES_TO_DROP = 12;
const PICTURES_TO_RISE = 90;
/** After a rise that failed the next one waits this many times longer, up to a limit. */
const PATIENCE = 2;
const MOST_PATIENT = 32;
/** A longer gap is a hidden tab or a debugger, not drawing. */
const GAP = 1000;

/** Watches how long pictures take, drops detail where they take too long, and tries for more when there is time. */
export class DetailWatch {
  readonly changed = new Signal();
  level: number;
  /** Milliseconds from one picture to the next, of late. */
  private interval = 0;
  private readonly recent: number[] = [];
  private fast = 0;
  private waiting = 1;
  private justRose = false;

  constructor(isSoftware: boolean) {
    this.level = isSoftware ? 1 : 0;
  }

  /** Pictures per second, of late; 0 where nothing has moved yet. */
  get fps(): number {
    return this.interval === 0 ? 0 : 1000 / this.interval;
  }

  get detail(): Detail {
    return LEVELS[this.level]!;
  }

  shape(wanted: ShapeName): ShapeName {
    return this.detail.capsules ? wanted : "sticks";
  }

  /** Take note of a picture that came `passed` milliseconds after the one before. */
  note(passed: number): void {
    if (passed <= 0 || passed > GAP) return;
    this.interval = this.interval === 0 ? passed : this.interval + 0.1 * (passed - this.interval);
    this.recent.push(passed);
    if (this.recent.length < PICTURES_TO_DROP) return;
    const middle = [...this.recent].sort((a, b) => a - b)[PICTURES_TO_DROP >> 1]!;
    this.recent.length = 0;
    if (middle > SLOW) this.drop();
    else if (middle < FAST) this.hope();
    else this.fast = 0;
  }

  private drop(): void {
    this.fast = 0;
    if (this.justRose) this.waiting = Math.min(PATIENCE * this.waiting, MOST_PATIENT);
    this.go(this.level + 1);
    this.justRose = false;
  }

  private hope(): void {
    this.fast += PICTURES_TO_DROP;
    if (this.fast < PICTURES_TO_RISE * this.waiting) return;
    this.fast = 0;
    this.go(this.level - 1);
    this.justRose = true;
  }

  private go(level: number): void {
    const next = Math.min(Math.max(level, 0), LEVELS.length - 1);
    if (next === this.level) return;
    this.level = next;
    this.changed.emit();
  }
}
