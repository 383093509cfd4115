import { element } from "../../core/dom";
import type { Cell, Frames, Grid } from "./grid";
import { DistanceMap, type Marked } from "./map";
import { PosePair } from "./poses";
import type { Stated } from "./stated";
import { compared, type RegistrationView, reordered } from "./view";

/** The map with what lies under its cursor: the frames, how far apart they are, and both poses. */
export interface Comparison {
  element: HTMLElement;
  update(view: RegistrationView): void;
  show(view: RegistrationView, grid: Grid): void;
  follow(frames: Frames | null): void;
  repaint(): void;
}

export function comparison(stated: Stated): Comparison {
  let grid: Grid | null = null;
  const readout = element("output", { id: "registration-readout", class: "readout" });
  const scale = element("p", { class: "map-legend" });
  const poses = new PosePair();

  const looked = (cell: Cell): void => {
    if (!grid) return;
    const [a, b] = grid.frames(cell);
    readout.value = `Frames ${a} and ${b} are ${(100 * grid.distance(cell)).toFixed(1)} cm apart`;
    poses.show(grid, cell);
    stated.look(grid, cell);
  };
  const map = new DistanceMap({
    looked,
    chosen: (cell, pin) => grid && stated.choose(grid, cell, pin),
    removed: (pin) => stated.remove(pin),
  });
  return {
    element: element("div", { class: "comparison" }, map.canvas, scale, readout, poses.canvas),
    update(next) {
      poses.name(names(next), [token(next, 0), token(next, 1)]);
      if (grid) map.mark(markedOf(next));
    },
    show(next, found) {
      grid = found;
      map.show(found, markedOf(next));
      scale.replaceChildren(
        element("span", { class: "ramp", "aria-hidden": "true" }),
        `${(100 * found.nearest).toFixed(0)} to ${(100 * found.farthest).toFixed(0)} cm`,
        element("span", { class: "legend", style: "--dot: var(--accent)" }, "curve"),
        element("span", { class: "legend", style: "--dot: var(--warn)" }, "best path"),
      );
    },
    follow: (frames) => map.follow(frames),
    repaint: () => {
      map.repaint();
      poses.draw();
    },
  };
}

function names(view: RegistrationView): [string, string] {
  return [compared(view, 0).name, compared(view, 1).name];
}

function token(view: RegistrationView, which: 0 | 1): string {
  return `--figure-${compared(view, which).colour}`;
}

function markedOf(view: RegistrationView): Marked {
  const { pins, start } = view.options;
  return {
    pins: pins.map((pin) => reordered(view, pin)),
    start: start ? reordered(view, start) : null,
    names: names(view),
  };
}
