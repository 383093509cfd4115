import type { Item } from "../core/messages";
import type { Motion } from "../core/motion";
import type { EditedTime } from "./edited_time";

/** A source of a clip, as its curves are drawn. */
export interface Source {
  id: string;
  name: string;
  colour: number;
}

/** Everything that the lanes of a clip show. */
export interface ClipView {
  /** The clip, including edits that are being dragged. */
  item: Item;
  /** Its motion as last computed, and the edits of that time. The axis shows these: during a change they lag behind
   * the document. */
  motion: Motion;
  computed: EditedTime;
  /** The edits that `item` has now. */
  requested: EditedTime;
  /** The last frame of the untrimmed clip. */
  last: number;
  sources: Source[];
}

/** Seconds at which a frame of plants and events is shown; they count frames of the requested edits. */
export function markSeconds({ computed, requested }: ClipView, frame: number): number {
  return computed.seconds(requested.before(frame));
}

/** The frame of plants and events at a time. */
export function markFrame({ computed, requested }: ClipView, seconds: number): number {
  return requested.after(computed.frame(seconds));
}

export function frameText(frame: number, fps: number): string {
  return `frame ${frameNumber(frame)}, ${(frame / fps).toFixed(2)} seconds`;
}

/** A frame number; whole ones without decimals. */
export function frameNumber(frame: number): string {
  return Number.isInteger(frame) ? String(frame) : frame.toFixed(1);
}
