import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import type { Studio } from "../../core/studio";
import type { RegistrationEditor } from "./editor";
import type { Cell } from "./grid";
import { DistanceMap } from "./map";
import type { Pins } from "./pins";
import { PosePair } from "./poses";

/** The distance map and what is under its cursor: the frames, their distance and both poses. */
export function comparison(studio: Studio, editor: RegistrationEditor, pins: Pins): Section<"blend"> {
  const readout = element("output", { id: "registration-readout", class: "readout" });
  const legend = element("p", { class: "map-legend" });
  const poses = new PosePair();
  const map = new DistanceMap({
    onMove: (cell: Cell) => {
      const { grid } = editor;
      if (!grid) return;
      const [a, b] = grid.frames(cell);
      readout.value = `Pose distance of frames ${a} and ${b}: ${(100 * grid.distance(cell)).toFixed(1)} cm`;
      poses.show(grid, cell);
      pins.setCursor(cell);
    },
    onClick: (cell, pin) => pins.toggle(cell, pin),
    onDelete: (pin) => pins.remove(pin),
  });
  const follow = (): void => {
    const motion = studio.selected && studio.motion(studio.selected.id);
    if (!motion?.arrays["frames"]) return;
    const frame = Math.round(motion.frameAt(studio.playback.time));
    const [a, b] = editor.pair.map((column) => motion.value("frames", frame, column));
    map.follow(a === undefined || b === undefined ? null : [a, b]);
  };
  return {
    element: element("div", { class: "comparison" }, map.canvas, legend, readout, poses.canvas),
    follow,
    repaint: () => {
      map.repaint();
      poses.draw();
    },
    update: () => {
      const { grid, names, options, startFrames } = editor;
      poses.label(names, [`--figure-${editor.clip(0).colour}`, `--figure-${editor.clip(1).colour}`]);
      if (!grid) return;
      map.show(grid, {
        pins: options.pins.map((pin) => editor.reorder(pin)),
        start: startFrames && editor.reorder(startFrames),
        names,
      });
      legend.replaceChildren(
        element("span", { class: "ramp", "aria-hidden": "true" }),
        `${(100 * grid.minDistance).toFixed(0)} to ${(100 * grid.maxDistance).toFixed(0)} cm`,
        element("span", { class: "legend", style: "--dot: var(--accent)" }, "timewarp curve"),
        element("span", { class: "legend", style: "--dot: var(--warn)" }, "best path"),
      );
      follow();
    },
  };
}
