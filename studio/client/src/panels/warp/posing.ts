import { element } from "../../core/dom";
import type { Dragged } from "../../core/handle";
import { exp, inverse, log, multiply, type Quaternion, type Vector } from "../../core/rotations";
import type { Studio } from "../../core/studio";
import type { WarpDesk } from "./desk";
import { EASE, type KeyKind } from "./keys";

/** What a joint has, or would have, at the playhead: the numbers of a key of the chosen kind. */
export function valueAt(desk: WarpDesk): number[] | null {
  const { shown } = desk;
  if (!shown) return null;
  const key = shown.recipe.keys[desk.keyNumber];
  if (key && key.value.length !== 4) return key.value;
  // Strength multiplies what keys add, so a key that is to keep what is seen gets the share that is left.
  const { amount } = shown.recipe;
  switch (desk.kind) {
    case "rotate":
      return divided(desk.vector("turn"), amount);
    case "move":
      return divided(desk.vector("shift"), amount);
    case "orient":
      return desk.vector("warped");
    case "reach":
      return desk.vector("warped_places");
    case "scale":
      return [1];
  }
}

/** Set the key of the chosen joint and kind at the playhead, a new one unless there is one. */
export function setValue(desk: WarpDesk, value: number[]): void {
  const { shown, keyTime, keyNumber } = desk;
  if (!shown || keyTime === null) return;
  const rounded = value.map((number) => Math.round(number * 1e5) / 1e5);
  const old = shown.recipe.keys[keyNumber];
  const others = shown.recipe.keys.filter((_, n) => n !== keyNumber);
  const key = old ?? { time: keyTime, joint: desk.joint, kind: desk.kind, ease: EASE };
  desk.setKeys([...others, { ...key, value: rounded }]);
}

/** The gizmo of the viewport follows the chosen joint, and what is done with it becomes a key. */
export function poseByHandle(studio: Studio, desk: WarpDesk, isSeen: () => boolean): void {
  let drag: Drag | null = null;
  let waiting: number[] | null = null;
  let moved = false;

  const show = (): void => {
    if (!drag) studio.handle.show(isSeen() ? gripOf(studio, desk) : null);
  };
  const send = (value: number[]): void => {
    const id = desk.shown?.item.id;
    // One at a time while dragging: a clip that is still being made would be given up again and again.
    if (drag && id !== undefined && studio.progressOf(id).working) waiting = value;
    else setValue(desk, value);
  };
  studio.handle.dragged.on((dragged) => {
    if (dragged.phase === "begun") {
      studio.playback.pause();
      [drag, waiting, moved] = [Drag.of(desk, dragged), null, false];
    } else if (drag && dragged.phase === "moved") {
      moved = true;
      send(drag.value(dragged));
    } else if (drag) {
      const value = drag.value(dragged);
      [drag, waiting] = [null, null];
      if (moved) setValue(desk, value); // a click alone sets no key
      show();
    }
  });
  studio.itemChanged.on((id) => {
    if (waiting === null || id !== desk.shown?.item.id || studio.progressOf(id).working) return;
    const value = waiting;
    waiting = null;
    send(value);
  });
  desk.changed.on(show);
  studio.playback.moved.on(show);
  studio.selectionChanged.on(show);
  studio.documentChanged.on(show);
}

/** Taking hold of the gizmo: what was there then, so that what is dragged adds to it. */
class Drag {
  private constructor(
    private readonly kind: KeyKind,
    private readonly start: Dragged,
    private readonly before: Vector,
    private readonly local: Quaternion,
    private readonly amount: number,
  ) {}

  static of(desk: WarpDesk, start: Dragged): Drag | null {
    const { shown } = desk;
    const before = valueAt(desk);
    const local = desk.vector("warped");
    if (!shown || !before || !local) return null;
    return new Drag(desk.kind, start, before as Vector, exp(local), shown.recipe.amount || 1);
  }

  value({ place, rotation }: Dragged): number[] {
    const { start, before, amount } = this;
    const turned = multiply(inverse(start.rotation), rotation);
    switch (this.kind) {
      case "rotate": {
        const all = before.map((number) => number * amount) as Vector;
        return log(multiply(exp(all), turned)).map((number) => number / amount);
      }
      case "orient":
        return log(multiply(this.local, turned));
      case "move":
        return before.map((number, n) => number + (place[n]! - start.place[n]!) / amount);
      default:
        return place;
    }
  }
}

function gripOf(studio: Studio, desk: WarpDesk) {
  const { shown, kind } = desk;
  const rotation = desk.rotation("world");
  const place = desk.vector("warped_places");
  // A mirrored clip is mirrored after its keys were applied: what is seen is not where they act.
  if (!shown || !rotation || !place || shown.recipe.preset !== null || shown.item.edit.mirror || kind === "scale")
    return null;
  if (studio.selected?.id !== shown.item.id) return null;
  const target = kind === "reach" ? shown.recipe.keys[desk.keyNumber]?.value : undefined;
  const mode = kind === "rotate" || kind === "orient" ? ("turn" as const) : ("move" as const);
  return { item: shown.item.id, mode, place: (target as Vector | undefined) ?? place, rotation };
}

function divided(vector: Vector | null, amount: number): number[] | null {
  return vector && vector.map((number) => (amount === 0 ? 0 : number / amount));
}

/** A line that says why there is nothing to take hold of, where that is so. */
export function gizmoHint(): { element: HTMLElement; update(desk: WarpDesk): void } {
  const line = element("p", { class: "warp-hint" });
  return {
    element: line,
    update({ shown, kind }) {
      const mirrored = shown?.item.edit.mirror ?? false;
      line.textContent = mirrored
        ? "This clip is mirrored after its keys: type numbers, or take the mirror off to use the handle in the viewport."
        : kind === "scale"
          ? "Above 1 exaggerates how the joint moves, below 1 calms it."
          : kind === "rotate" || kind === "orient"
            ? "Turn the rings in the viewport, or type degrees about the joint's own axes."
            : "Drag the arrows in the viewport, or type metres.";
    },
  };
}
