import type { Edit } from "../core/messages";
import type { Axis } from "./axis";
import type { Desk } from "./desk";
import type { Drag, Grip } from "./grips";
import type { Group } from "./group";

interface Held {
  group: Group;
  grip: Grip;
  /** Where it was taken hold of, and what letting go would send. */
  x: number;
  y: number;
  height: number;
  edits: Edit[];
  moved: boolean;
}

/** Pixels that a press may move and still be a click. */
const CLICK = 3;

/** Taking hold of marks with the pointer: what is dragged is only shown, and sent once when it is let go. */
export class Pointer {
  private held: Held | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly axis: Axis,
    /** Follows a press where there is nothing to take hold of. */
    private readonly scrub: (group: Group, event: PointerEvent) => void,
  ) {
    desk.interrupted.on((id) => {
      if (this.held?.group.id === id) this.held = null;
    });
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.drop();
    });
  }

  attach(group: Group): void {
    const canvas = group.canvas;
    canvas.addEventListener("pointerdown", (event) => this.press(group, event));
    canvas.addEventListener("pointermove", (event) => this.move(group, event));
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("dblclick", (event) => this.add(group, event));
  }

  private press(group: Group, event: PointerEvent): void {
    if (event.button !== 0) return;
    const spot = group.spotAt(event.offsetX, event.offsetY);
    this.desk.choose(spot?.grip ? { item: group.id, mark: spot.grip.mark } : null);
    if (!spot?.grip) return this.scrub(group, event);
    group.canvas.setPointerCapture(event.pointerId);
    const { offsetX: x, offsetY: y } = event;
    this.held = { group, grip: spot.grip, x, y, height: spot.lane.height, edits: [], moved: false };
    this.desk.preview(group.id, []);
  }

  private move(group: Group, event: PointerEvent): void {
    if (!this.held) return this.hover(group, event);
    const { held } = this;
    held.moved ||= Math.hypot(event.offsetX - held.x, event.offsetY - held.y) > CLICK;
    if (!held.moved) return;
    held.edits = held.grip.dragged(this.dragOf(held, event));
    this.desk.preview(held.group.id, held.edits);
  }

  private dragOf(held: Held, event: PointerEvent): Drag {
    const fps = this.desk.shown(held.group.id)?.made.fps ?? 1;
    const seconds = this.axis.seconds(event.offsetX) - this.axis.seconds(held.x);
    return { frames: seconds * fps, up: (held.y - event.offsetY) / held.height };
  }

  private release(): void {
    const held = this.held;
    this.held = null;
    if (held) this.desk.send(held.group.id, held.moved ? held.edits : []);
  }

  /** Let go of what is held and leave it as it was. */
  drop(): void {
    const held = this.held;
    this.held = null;
    if (held) this.desk.cancel(held.group.id);
  }

  private hover(group: Group, event: PointerEvent): void {
    const grip = group.spotAt(event.offsetX, event.offsetY)?.grip;
    const cursors = { edge: "ew-resize", bar: "grab", point: "move" };
    group.canvas.style.cursor = grip ? cursors[grip.kind] : "";
    group.canvas.title = grip ? `${grip.name}: ${grip.text}` : "";
  }

  private add(group: Group, event: MouseEvent): void {
    const spot = group.spotAt(event.offsetX, event.offsetY);
    if (spot && !spot.grip && spot.lane.added) this.desk.send(group.id, spot.lane.added(spot.seconds));
  }
}
