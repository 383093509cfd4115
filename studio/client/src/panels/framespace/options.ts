import { element } from "../../core/dom";
import { checkbox, numberField } from "../../widgets/fields";
import type { SpaceDesk } from "./desk";
import type { Section } from "./panel";
import { closed } from "./vertices";

/** How many cycles the curve lasts, whether it closes, and whether arms go their own way. */
export function spaceOptions(desk: SpaceDesk): Section {
  const cycles = numberField("Cycles", { min: 1, step: 1 }, (value) => {
    if (value !== null && value > 0)
      desk.change({ cycles: desk.shown?.recipe.loop ? Math.max(1, Math.round(value)) : value });
  });
  const loop = checkbox("Loop: end where it begins", (checked) => close(desk, checked));
  const polyline = checkbox("Straight from vertex to vertex", (checked) => desk.change({ polyline: checked }));
  const decoupled = checkbox("Arms keep their own time", (checked) =>
    desk.change(checked ? { decoupled: true } : { decoupled: false, upper: null }),
  );
  const upper = checkbox("Arms follow a curve of their own", (checked) => {
    const recipe = desk.shown?.recipe;
    if (!recipe) return;
    armsNext = checked;
    desk.change(checked ? { decoupled: true, upper: recipe.curve } : { upper: null });
  });
  /** Whether the curve of the arms is edited once there is one. */
  let armsNext = false;
  const fields = [cycles, loop, polyline, decoupled, upper];
  return {
    element: element("section", {}, ...fields.map((field) => field.element)),
    update() {
      const recipe = desk.shown?.recipe;
      if (!recipe) return;
      cycles.set(recipe.cycles);
      loop.set(recipe.loop);
      polyline.set(recipe.polyline);
      decoupled.set(recipe.decoupled);
      upper.set(recipe.upper !== null);
      if (!armsNext || !recipe.upper) return;
      armsNext = false;
      desk.edit("upper");
    },
  };
}

/** A loop takes whole cycles and curves that end where they begin. */
function close(desk: SpaceDesk, loop: boolean): void {
  const recipe = desk.shown?.recipe;
  if (!recipe) return;
  if (!loop) return desk.change({ loop });
  const { curve, upper, cycles } = recipe;
  desk.change({ loop, curve: closed(curve), upper: upper && closed(upper), cycles: Math.max(1, Math.round(cycles)) });
}
