import type { GizmoDrag, GizmoTarget } from "../../core/gizmo";
import { removeAt, roundTo } from "../../core/numbers";
import { exp, inverse, log, multiply, type Quaternion, type Vector } from "../../core/rotations";
import type { WarpEditor } from "./editor";
import { EASE, type KeyKind } from "./keys";

/** Decimals to which values of keys are rounded. */
const VALUE_DECIMALS = 5;

/** The numbers that a key of the chosen kind has at the playhead, or would have to keep the present pose. */
export function valueAtPlayhead(editor: WarpEditor): number[] | null {
  const { key, recipe } = editor;
  if (key && key.value.length !== 4) return key.value;
  // Strength multiplies what keys add, so a key that keeps the present pose is divided by it.
  const divide = (vector: Vector | null): number[] | null =>
    vector && vector.map((number) => (recipe.amount === 0 ? 0 : number / recipe.amount));
  switch (editor.kind) {
    case "rotate":
      return divide(editor.vector("key_rotation"));
    case "move":
      return divide(editor.vector("key_offset"));
    case "orient":
      return editor.vector("warped");
    case "reach":
      return editor.vector("warped_positions");
    case "scale":
      return [1];
  }
}

/** Set the value of the key of the chosen joint and kind at the playhead; adds a key if there is none. */
export function setKeyValue(editor: WarpEditor, value: number[]): void {
  const { keyTime, keyIndex, recipe } = editor;
  if (keyTime === null) return;
  const key = editor.key ?? { time: keyTime, joint: editor.joint, kind: editor.kind, ease: EASE };
  const rounded = value.map((number) => roundTo(number, VALUE_DECIMALS));
  editor.setKeys([...removeAt(recipe.keys, keyIndex), { ...key, value: rounded }]);
}

/** The connection between the panel and the gizmo of the viewport. */
export interface GizmoPosing {
  /** Put the gizmo at the chosen joint. */
  update: () => void;
  hide: () => void;
  dispose: () => void;
}

/** Put the gizmo of the viewport at the chosen joint, and turn drags into keys. */
export function poseWithGizmo(editor: WarpEditor): GizmoPosing {
  const { studio } = editor;
  let drag: Drag | null = null;
  let pending: number[] | null = null;
  let hasMoved = false;

  const update = (): void => {
    if (!drag) studio.gizmo.target = targetOf(editor);
  };
  const isComputing = (): boolean => editor.itemId !== null && studio.progressOf(editor.itemId).working;
  const send = (value: number[]): void => {
    // One at a time while dragging: otherwise the computation would be restarted again and again.
    if (drag && isComputing()) pending = value;
    else setKeyValue(editor, value);
  };
  const stops = [
    studio.gizmo.dragged.on((event) => {
      if (event.phase === "start") {
        studio.playback.pause();
        [drag, pending, hasMoved] = [Drag.start(editor, event), null, false];
      } else if (drag && event.phase === "move") {
        hasMoved = true;
        send(drag.value(event));
      } else if (drag) {
        const value = drag.value(event);
        [drag, pending] = [null, null];
        if (hasMoved) setKeyValue(editor, value); // a click alone sets no key
        update();
      }
    }),
    studio.itemChanged.on((id) => {
      if (pending === null || id !== editor.itemId || isComputing()) return;
      const value = pending;
      pending = null;
      send(value);
    }),
  ];
  const hide = (): void => {
    drag = null;
    studio.gizmo.target = null;
  };
  return {
    update,
    hide,
    dispose: () => {
      hide();
      stops.forEach((stop) => stop());
    },
  };
}

/** A drag of the gizmo, relative to the pose at its start. */
class Drag {
  private constructor(
    private readonly kind: KeyKind,
    private readonly origin: GizmoDrag,
    private readonly before: Vector,
    private readonly localRotation: Quaternion,
    private readonly amount: number,
  ) {}

  static start(editor: WarpEditor, origin: GizmoDrag): Drag | null {
    const before = valueAtPlayhead(editor);
    const local = editor.vector("warped");
    if (!before || !local) return null;
    return new Drag(editor.kind, origin, before as Vector, exp(local), editor.recipe.amount || 1);
  }

  /** The value of the key that the drag leads to. */
  value({ position, rotation }: GizmoDrag): number[] {
    const { origin, before, amount } = this;
    const turned = multiply(inverse(origin.rotation), rotation);
    switch (this.kind) {
      case "rotate": {
        const applied = before.map((number) => number * amount) as Vector;
        return log(multiply(exp(applied), turned)).map((number) => number / amount);
      }
      case "orient":
        return log(multiply(this.localRotation, turned));
      case "move":
        return before.map((number, n) => number + (position[n]! - origin.position[n]!) / amount);
      default:
        return position;
    }
  }
}

function targetOf(editor: WarpEditor): GizmoTarget | null {
  const { kind, key, recipe, itemId } = editor;
  const rotation = editor.rotation("world");
  const position = editor.vector("warped_positions");
  // A mirrored clip is mirrored after its keys, so what is seen is not where they act.
  if (!rotation || !position || recipe.preset !== null || editor.isMirrored || kind === "scale") return null;
  if (itemId === null || editor.studio.selected?.id !== itemId) return null;
  const mode = kind === "rotate" || kind === "orient" ? "rotate" : "translate";
  const reached = kind === "reach" && key ? (key.value as Vector) : position;
  return { item: itemId, mode, position: reached, rotation };
}
