import type { Item, JointKey, WarpHead, WarpRecipe } from "../../core/messages";
import type { Motion } from "../../core/motion";
import type { Pack } from "../../core/packs";
import type { Quaternion, Vector } from "../../core/rotations";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import { inOrder, type KeyKind, suggestedKind } from "./keys";

/** A warp and what it is, as long as it is selected. */
export interface Shown {
  item: Item;
  recipe: WarpRecipe;
  motion: Motion | null;
}

/** What the sections of the panel share: the joint and the kind of key that are chosen, and the joint's curves. */
export class WarpDesk {
  /** The joint, the kind or the curves are other ones. */
  readonly changed = new Signal();
  joint = "";
  kind: KeyKind = "rotate";
  curves: Pack<WarpHead> | null = null;
  private asked = "";

  constructor(
    private readonly studio: Studio,
    /** Whether somebody looks; curves are fetched only then. */
    private readonly isSeen: () => boolean,
  ) {}

  /** The selected warp, or null where something else is selected. */
  get shown(): Shown | null {
    const item = this.studio.selected;
    if (item?.recipe.type !== "warp") return null;
    return { item, recipe: item.recipe, motion: this.studio.motion(item.id) };
  }

  choose(joint: string, kind: KeyKind | null = null): void {
    const motion = this.shown?.motion;
    this.kind = kind ?? (motion ? suggestedKind(motion.head, joint, this.kind) : this.kind);
    const root = motion?.head.names[0];
    this.joint = this.kind === "move" && root !== undefined ? root : joint;
    void this.fetch();
    this.changed.emit();
  }

  /** Bring the curves up to date with the motion; a joint that the clip does not have is left for its root. */
  async fetch(): Promise<void> {
    const shown = this.shown;
    if (!shown?.motion) {
      this.curves = null;
      this.asked = "";
      return;
    }
    const { names } = shown.motion.head;
    if (!names.includes(this.joint)) this.joint = names[0] ?? "";
    const wanted = `${shown.item.id} ${shown.motion.key} ${this.joint}`;
    if (wanted === this.asked || !this.isSeen()) return;
    this.asked = wanted;
    try {
      const pack = await this.studio.server.pack<WarpHead>(
        `./api/warp/${shown.item.id}?joint=${encodeURIComponent(this.joint)}`,
      );
      if (this.asked !== wanted) return; // another joint was chosen meanwhile
      this.curves = pack;
      this.changed.emit();
    } catch (error) {
      if (this.asked === wanted) this.asked = "";
      if (!this.studio.progressOf(shown.item.id).error) this.studio.sayErrorAbout(shown.item.id, error);
    }
  }

  /** The frame of the clip at the playhead. */
  get frame(): number {
    return this.shown?.motion?.frameAt(this.studio.playback.time) ?? 0;
  }

  /** Seconds of the source at the playhead; null until they are known. */
  get sourceTime(): number | null {
    return this.value("source_times")?.[0] ?? null;
  }

  /** The curves, unless they are still those of the joint before. */
  get current(): Pack<WarpHead> | null {
    return this.curves?.head.joint === this.joint ? this.curves : null;
  }

  /** The row of an array of the curves at the playhead, or null. */
  value(name: string): number[] | null {
    // All joints show the same moments.
    const table = (name === "source_times" ? this.curves : this.current)?.arrays[name];
    if (!table || table.shape[0] === 0) return null;
    const width = table.shape[1] ?? 1;
    const last = table.shape[0]! - 1;
    const first = Math.min(Math.floor(this.frame), last);
    const share = Math.min(this.frame, last) - first;
    const next = Math.min(first + 1, last);
    return Array.from({ length: width }, (_, n) => {
      const a = table.values[first * width + n]!;
      return a + share * (table.values[next * width + n]! - a);
    });
  }

  vector(name: string): Vector | null {
    return this.value(name) as Vector | null;
  }

  rotation(name: string): Quaternion | null {
    const table = this.current?.arrays[name];
    if (!table || table.shape[0] === 0) return null;
    const row = Math.min(Math.round(this.frame), table.shape[0]! - 1);
    return [...table.values.subarray(4 * row, 4 * row + 4)] as Quaternion;
  }

  /** The time that a new key at the playhead gets: the nearest frame of the source. */
  get keyTime(): number | null {
    const time = this.sourceTime;
    if (time === null || !this.curves) return null;
    const { source_fps, source_duration } = this.curves.head;
    return rounded(Math.min(Math.round(time * source_fps) / source_fps, source_duration));
  }

  /** The number of the key of the chosen joint and kind at the playhead; -1 where there is none. */
  get keyNumber(): number {
    const time = this.sourceTime;
    const shown = this.shown;
    if (time === null || !shown || !this.curves) return -1;
    const near = 0.51 / this.curves.head.source_fps;
    return shown.recipe.keys.findIndex(
      (key) => key.kind === this.kind && this.isOfJoint(key) && Math.abs(key.time - time) < near,
    );
  }

  /** Put the playhead where the clip shows a moment of its source. */
  seekSource(time: number): void {
    const times = this.curves?.arrays["source_times"]?.values;
    const fps = this.shown?.motion?.head.fps;
    if (!times || !fps) return;
    this.studio.playback.pause();
    this.studio.playback.seek(frameOf(times, time) / fps);
  }

  change(part: Partial<WarpRecipe>): void {
    // What follows faster than answers come must not undo what was changed before.
    const item = this.studio.selected;
    const latest = item && this.studio.item(item.id)?.recipe;
    if (item && latest?.type === "warp") this.studio.setRecipe(item.id, { ...latest, ...part });
  }

  /** Put keys in the order of time. */
  setKeys(keys: JointKey[]): void {
    this.change({ keys: inOrder(keys) });
  }

  private isOfJoint({ joint }: JointKey): boolean {
    return joint === this.joint || (joint === "" && this.joint === this.shown?.motion?.head.names[0]);
  }
}

/** Tenths of a millisecond: as near as keys may be. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1e4) / 1e4;
}

/** The frame, also between two, at which times that go one way pass a value. */
function frameOf(times: Float32Array, wanted: number): number {
  let best = 0;
  for (let n = 0; n < times.length; n++) {
    const next = times[n + 1];
    if (Math.abs(times[n]! - wanted) < Math.abs(times[best]! - wanted)) best = n;
    if (next === undefined || next === times[n]) continue;
    const share = (wanted - times[n]!) / (next - times[n]!);
    if (share >= 0 && share < 1) return n + share;
  }
  return best;
}
