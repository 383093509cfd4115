import type { Quaternion, Vector } from "./rotations";
import { Signal } from "./signal";

/** A joint that can be rotated or moved in the viewport. */
export interface GizmoTarget {
  /** The id of the clip. */
  item: string;
  mode: "rotate" | "translate";
  /** World position in metres, and world rotation. */
  position: Vector;
  rotation: Quaternion;
}

/** Where the gizmo was dragged to. */
export interface GizmoDrag {
  phase: "start" | "move" | "end";
  position: Vector;
  rotation: Quaternion;
}

/** The gizmo of the viewport, as panels use it: a panel sets its target, the viewport reports how it is dragged. */
export class GizmoControl {
  readonly changed = new Signal<GizmoTarget | null>();
  readonly dragged = new Signal<GizmoDrag>();
  private current: GizmoTarget | null = null;

  get target(): GizmoTarget | null {
    return this.current;
  }

  set target(target: GizmoTarget | null) {
    if (target === null && this.current === null) return;
    this.current = target;
    this.changed.emit(target);
  }
}
