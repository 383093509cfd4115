import { element } from "../../core/dom";
import type { Table } from "../../core/packs";
import type { Studio } from "../../core/studio";
import { type Curve, CurvePlot } from "../../widgets/curve_plot";
import type { WarpDesk } from "./desk";
import type { Section } from "./panel";

const AXES = [
  { label: "x", colour: "--figure-7" },
  { label: "y", colour: "--figure-5" },
  { label: "z", colour: "--figure-0" },
];

/** The chosen joint over time: before the warp, dashed, and after it. */
export function jointPlot(studio: Studio, desk: WarpDesk): Section {
  const seek = (share: number): void => studio.playback.seek(share * studio.playback.duration);
  const plot = new CurvePlot("", seek);
  const follow = (): void => {
    const { time, duration } = studio.playback;
    plot.seek(duration ? time / duration : 0);
  };
  return {
    element: element("section", {}, element("h3", {}, "Before and after"), plot.element),
    update() {
      const arrays = desk.current?.arrays;
      const moves = desk.kind === "reach" || desk.kind === "move";
      const names = moves ? ["original_places", "warped_places"] : ["original", "warped"];
      const [before, after] = names.map((name) => arrays?.[name]);
      if (!before || !after) return;
      const factor = moves ? 1 : 180 / Math.PI;
      plot.set(`${desk.joint} (before: dashed)`, moves ? "m" : "°", [
        ...AXES.map(
          (axis, n) => ({ ...axis, label: "", values: column(before, n, factor), faint: true }) satisfies Curve,
        ),
        ...AXES.map((axis, n) => ({ ...axis, values: column(after, n, factor) }) satisfies Curve),
      ]);
      follow();
    },
    follow,
  };
}

function column({ shape, values }: Table, n: number, factor: number): number[] {
  const width = shape[1]!;
  return Array.from({ length: shape[0]! }, (_, row) => values[row * width + n]! * factor);
}
