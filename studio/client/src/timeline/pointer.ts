import type { Edit } from "../core/messages";
import type { Axis } from "./axis";
import type { TimelineEditor } from "./editor";
import type { Drag, Grip } from "./grips";
import type { LaneGroup } from "./lane_group";

/** A drag in progress. */
interface DragState {
  group: LaneGroup;
  grip: Grip;
  /** Where it started. */
  x: number;
  y: number;
  height: number;
  /** What releasing it would send. */
  edits: Edit[];
  hasMoved: boolean;
}

/** Pixels that the pointer may move during a click. */
const MAX_CLICK_MOVE = 3;

/** Drags marks with the pointer: a drag is shown at once, and sent when it is released. */
export class Pointer {
  private drag: DragState | null = null;

  constructor(
    private readonly editor: TimelineEditor,
    private readonly axis: Axis,
    /** Called when there is nothing to drag under the pointer. */
    private readonly scrub: (group: LaneGroup, event: PointerEvent) => void,
  ) {
    editor.interrupted.on((id) => {
      if (this.drag?.group.id === id) this.drag = null;
    });
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
  }

  attach(group: LaneGroup): void {
    const canvas = group.canvas;
    canvas.addEventListener("pointerdown", (event) => this.press(group, event));
    canvas.addEventListener("pointermove", (event) => this.move(group, event));
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("dblclick", (event) => this.add(group, event));
  }

  private press(group: LaneGroup, event: PointerEvent): void {
    if (event.button !== 0) return;
    const hit = group.hitTest(event.offsetX, event.offsetY);
    this.editor.selectMark(hit?.grip ? { item: group.id, mark: hit.grip.mark } : null);
    if (!hit?.grip) return this.scrub(group, event);
    group.canvas.setPointerCapture(event.pointerId);
    const { offsetX: x, offsetY: y } = event;
    this.drag = { group, grip: hit.grip, x, y, height: hit.lane.height, edits: [], hasMoved: false };
    this.editor.preview(group.id, []);
  }

  private move(group: LaneGroup, event: PointerEvent): void {
    if (!this.drag) return this.hover(group, event);
    const { drag } = this;
    drag.hasMoved ||= Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) > MAX_CLICK_MOVE;
    if (!drag.hasMoved) return;
    drag.edits = drag.grip.drag(this.dragOf(drag, event));
    this.editor.preview(drag.group.id, drag.edits);
  }

  private dragOf(drag: DragState, event: PointerEvent): Drag {
    const fps = this.editor.view(drag.group.id)?.computed.fps ?? 1;
    const seconds = this.axis.seconds(event.offsetX) - this.axis.seconds(drag.x);
    return { frames: seconds * fps, up: (drag.y - event.offsetY) / drag.height };
  }

  private release(): void {
    const { drag } = this;
    this.drag = null;
    if (drag) this.editor.send(drag.group.id, drag.hasMoved ? drag.edits : []);
  }

  /** Cancel the drag and leave everything as it was. */
  cancel(): void {
    const { drag } = this;
    this.drag = null;
    if (drag) this.editor.cancel(drag.group.id);
  }

  private hover(group: LaneGroup, event: PointerEvent): void {
    const grip = group.hitTest(event.offsetX, event.offsetY)?.grip;
    const cursors = { edge: "ew-resize", bar: "grab", point: "move" };
    group.canvas.style.cursor = grip ? cursors[grip.kind] : "";
    group.canvas.title = grip ? `${grip.name}: ${grip.text}` : "";
  }

  private add(group: LaneGroup, event: MouseEvent): void {
    const hit = group.hitTest(event.offsetX, event.offsetY);
    if (hit && !hit.grip && hit.lane.add) this.editor.send(group.id, hit.lane.add(hit.seconds));
  }
}
