import type { Quaternion, Vector } from "./rotations";
import { Signal } from "./signal";

/** Something that can be taken hold of in the viewport: turned, or moved. */
export interface Grip {
  /** The clip whose figure it belongs to. */
  item: string;
  mode: "turn" | "move";
  /** In the world of the clip, metres. */
  place: Vector;
  rotation: Quaternion;
}

/** Where a grip was dragged to. */
export interface Dragged {
  phase: "begun" | "moved" | "ended";
  place: Vector;
  rotation: Quaternion;
}

/** The one handle of the viewport: a panel says what it is on, the viewport tells how it is dragged. */
export class Handle {
  readonly changed = new Signal<Grip | null>();
  readonly dragged = new Signal<Dragged>();
  private shown: Grip | null = null;

  get grip(): Grip | null {
    return this.shown;
  }

  show(grip: Grip | null): void {
    if (grip === null && this.shown === null) return;
    this.shown = grip;
    this.changed.emit(grip);
  }
}
