import { LatestRequest } from "../../core/latest_request";
import type { JointKey, WarpHeader, WarpRecipe } from "../../core/messages";
import type { Motion } from "../../core/motion";
import { roundTo } from "../../core/numbers";
import type { Pack, Table } from "../../core/packs";
import type { View } from "../../core/panel";
import type { Quaternion, Vector } from "../../core/rotations";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import { type KeyKind, sortKeys, suggestKind } from "./keys";

/** Decimals of seconds to which key times are rounded. */
export const TIME_DECIMALS = 4;

/** What the sections of the panel share: the warp, the chosen joint and kind of key, and the joint's curves. */
export class WarpEditor {
  /** The joint, the kind of key or the curves changed. */
  readonly changed = new Signal();
  joint = "";
  kind: KeyKind = "rotate";
  /** Curves of the joint that was last asked for. */
  curves: Pack<WarpHeader> | null = null;
  private view: View<"warp"> | null = null;
  private readonly request: LatestRequest<Pack<WarpHeader>>;

  constructor(
    readonly studio: Studio,
    busy: (isBusy: boolean) => void,
  ) {
    this.request = new LatestRequest({
      key: () => this.view && this.motion && `${this.view.item.id} ${this.motion.key} ${this.joint}`,
      subject: () => this.view && `${this.view.item.id} ${this.joint}`,
      ask: () =>
        studio.server.pack<WarpHeader>(`./api/warp/${this.view!.item.id}?joint=${encodeURIComponent(this.joint)}`),
      receive: (curves) => {
        this.curves = curves;
        this.changed.emit();
      },
      fail: (error) => studio.sayErrorAbout(this.view?.item.id ?? "", error),
      busy,
    });
  }

  /** Show a warp as it is now. A joint that the clip does not have is replaced by the root. */
  update(view: View<"warp">): void {
    if (view.item.id !== this.view?.item.id) this.curves = null;
    this.view = view;
    const names = this.motion?.header.names ?? [];
    if (names.length > 0 && !names.includes(this.joint)) this.joint = names[0]!;
    void this.request.update();
  }

  get recipe(): WarpRecipe {
    return this.view!.recipe;
  }

  /** Whether the clip is mirrored, which happens after its keys are applied. */
  get isMirrored(): boolean {
    return this.view!.item.edit.mirror;
  }

  /** Whether the warp itself is trimmed, reversed or changed in speed. */
  get isRetimed(): boolean {
    const { trim, speed, reverse } = this.view!.item.edit;
    return trim !== null || speed !== null || reverse;
  }

  get itemId(): string | null {
    return this.view?.item.id ?? null;
  }

  get motion(): Motion | null {
    return this.view && this.studio.motion(this.view.item.id);
  }

  choose(joint: string, kind: KeyKind | null = null): void {
    const header = this.motion?.header;
    this.kind = kind ?? (header ? suggestKind(header, joint, this.kind) : this.kind);
    const root = header?.names[0];
    this.joint = this.kind === "move" && root !== undefined ? root : joint;
    void this.request.update();
    this.changed.emit();
  }

  change(fields: Partial<WarpRecipe>): void {
    this.view?.change(fields);
  }

  /** Change the keys; they are stored in order of time. */
  setKeys(keys: JointKey[]): void {
    this.change({ keys: sortKeys(keys) });
  }

  /** The frame of the clip at the playhead. */
  get frame(): number {
    return this.motion?.frameAt(this.studio.playback.time) ?? 0;
  }

  /** The curves, unless they still belong to another joint. */
  get jointCurves(): Pack<WarpHeader> | null {
    return this.curves?.header.joint === this.joint ? this.curves : null;
  }

  /** Seconds of the source at the playhead; null until they are known. The same for all joints. */
  get sourceTime(): number | null {
    return this.interpolate(this.curves?.arrays["source_times"])?.[0] ?? null;
  }

  /** A vector of the joint at the playhead, or null. */
  vector(name: string): Vector | null {
    return this.interpolate(this.jointCurves?.arrays[name]) as Vector | null;
  }

  /** A rotation of the joint at the nearest frame, or null. */
  rotation(name: string): Quaternion | null {
    const table = this.jointCurves?.arrays[name];
    if (!table || table.shape[0] === 0) return null;
    const row = Math.min(Math.round(this.frame), table.shape[0]! - 1);
    return [...table.values.subarray(4 * row, 4 * row + 4)] as Quaternion;
  }

  /** The time that a new key at the playhead gets: the nearest frame of the source. */
  get keyTime(): number | null {
    const time = this.sourceTime;
    if (time === null || !this.curves) return null;
    const { source_fps, source_duration } = this.curves.header;
    return roundTo(Math.min(Math.round(time * source_fps) / source_fps, source_duration), TIME_DECIMALS);
  }

  /** The index of the key of the chosen joint and kind at the playhead; -1 if there is none. */
  get keyIndex(): number {
    const time = this.sourceTime;
    if (time === null || !this.curves) return -1;
    const tolerance = 0.51 / this.curves.header.source_fps;
    return this.recipe.keys.findIndex(
      (key) => key.kind === this.kind && this.isOfJoint(key) && Math.abs(key.time - time) < tolerance,
    );
  }

  /** The key of the chosen joint and kind at the playhead. */
  get key(): JointKey | null {
    return this.recipe.keys[this.keyIndex] ?? null;
  }

  /** Move the playhead to where the clip shows a time of its source. */
  seekSource(time: number): void {
    const times = this.curves?.arrays["source_times"]?.values;
    const fps = this.motion?.header.fps;
    if (!times || !fps) return;
    this.studio.playback.pause();
    this.studio.playback.seek(findCrossing(times, time) / fps);
  }

  /** A row of an array at the playhead, interpolated between frames. */
  private interpolate(table: Table | undefined): number[] | null {
    if (!table || table.shape[0] === 0) return null;
    const width = table.shape[1] ?? 1;
    const last = table.shape[0]! - 1;
    const first = Math.min(Math.floor(this.frame), last);
    const next = Math.min(first + 1, last);
    const fraction = Math.min(this.frame, last) - first;
    return Array.from({ length: width }, (_, n) => {
      const a = table.values[first * width + n]!;
      return a + fraction * (table.values[next * width + n]! - a);
    });
  }

  private isOfJoint({ joint }: JointKey): boolean {
    return joint === this.joint || (joint === "" && this.joint === this.motion?.header.names[0]);
  }
}

/** The index, with a fraction, at which monotonic values pass a target; the nearest value if they do not. */
export function findCrossing(values: ArrayLike<number>, target: number): number {
  let nearest = 0;
  for (let n = 0; n < values.length; n++) {
    const next = values[n + 1];
    if (Math.abs(values[n]! - target) < Math.abs(values[nearest]! - target)) nearest = n;
    if (next === undefined || next === values[n]) continue;
    const fraction = (target - values[n]!) / (next - values[n]!);
    if (fraction >= 0 && fraction < 1) return n + fraction;
  }
  return nearest;
}
