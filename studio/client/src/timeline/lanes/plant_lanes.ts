import type { Marks, PlantSpan, PlantMark } from "../../core/messages";
import { frameNumber, frameText, markFrame, markSeconds, type ClipView } from "../clip_view";
import { figureColour } from "../colours";
import { marksOf, movePlant, setMarks, addPlant, removePlant, replacePlant } from "../edits";
import type { Grip } from "../grips";
import { inView, type Lane, lazy, type LaneCanvas } from "./lane";

const HEIGHT = 16;
const [TOP, BOTTOM] = [3, 13];
/** Metres of sliding above which a plant is underlined as a warning. In captured motion, three quarters of the plants
 * slide less. */
const MAX_SLIDE = 0.035;

interface IndexedPlant {
  plant: PlantMark;
  index: number;
  slides: boolean;
}

type Part = "start" | "end" | "whole";

/** Plants as bars, one lane per joint and kind. */
export function plantLanes(view: ClipView): Lane[] {
  const marks = marksOf(view);
  const slides = slidesOf(view.motion.header.plants);
  const rows = new Map<string, IndexedPlant[]>();
  marks.plants.forEach((plant, index) => {
    const name = `${plant.joint}\n${plant.kind}`;
    if (!rows.has(name)) rows.set(name, []);
    rows.get(name)!.push({ plant, index, slides: (slides.get(nameOf(plant)) ?? 0) > MAX_SLIDE });
  });
  // In the order of the skeleton, so that lanes do not change places.
  const order = (row: IndexedPlant[]) => view.motion.header.names.indexOf(row[0]!.plant.joint);
  const sorted = [...rows.values()].sort((a, b) => order(a) - order(b));
  return sorted.map((row) => plantLane(view, marks, row));
}

function plantLane(view: ClipView, marks: Marks, row: IndexedPlant[]): Lane {
  const { joint, kind } = row[0]!.plant;
  const { fps, lastFrame } = view.requested;
  return {
    label: `${joint} ${kind}`,
    title: `${joint} ${kind}: drag bars or their edges; double-click to add one`,
    height: HEIGHT,
    grips: lazy(() => row.flatMap((indexed) => plantGrips(view, marks, indexed))),
    draw: (canvas) => row.forEach((indexed) => drawPlant(canvas, view, indexed)),
    add: (seconds) => {
      const more = addPlant(marks, { joint, kind }, markFrame(view, seconds), fps, lastFrame);
      return more ? [setMarks(view.item.id, more)] : [];
    },
  };
}

function plantGrips(view: ClipView, marks: Marks, { plant, index, slides }: IndexedPlant): Grip[] {
  const { fps, lastFrame } = view.requested;
  const move = (part: Part, frames: number) => [
    setMarks(view.item.id, replacePlant(marks, index, movePlant(plant, part, frames, lastFrame))),
  ];
  const common = {
    mark: `plant ${index}`,
    name: `${plant.joint} ${plant.kind}`,
    seconds: markSeconds(view, plant.start),
    remove: () => [setMarks(view.item.id, removePlant(marks, index))],
  };
  const span = `from ${frameText(plant.start, fps)}, to ${frameText(plant.end, fps)}${slides ? ", slides" : ""}`;
  const grip = (part: Part, from: number, to: number): Grip => ({
    ...common,
    part,
    text: part === "whole" ? span : frameText(from, fps),
    value: part === "whole" ? "" : frameNumber(from),
    area: { from: markSeconds(view, from), to: markSeconds(view, to), top: 0, bottom: HEIGHT },
    kind: part === "whole" ? "bar" : "edge",
    drag: ({ frames }) => move(part, frames),
    nudge: (steps) => move(part, steps),
  });
  return [
    grip("whole", plant.start, plant.end),
    grip("start", plant.start, plant.start),
    grip("end", plant.end, plant.end),
  ];
}

function drawPlant(canvas: LaneCanvas, view: ClipView, { plant, index, slides }: IndexedPlant): void {
  const { context, axis, colours } = canvas;
  const [from, to] = [markSeconds(view, plant.start), markSeconds(view, plant.end)];
  if (!inView(axis, from, to)) return;
  const left = axis.x(from);
  const width = Math.max(2, axis.x(to) - left);
  context.fillStyle = figureColour(colours, view.item.colour);
  context.beginPath();
  context.roundRect(left, TOP, width, BOTTOM - TOP, 2);
  context.fill();
  if (slides) {
    context.fillStyle = colours.bad;
    context.fillRect(left, BOTTOM, width, 2);
  }
  if (canvas.selected !== `plant ${index}`) return;
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.stroke();
  context.lineWidth = 1;
}

/** How far each plant slides, as measured when the clip was computed; plants changed since then are missing. */
function slidesOf(plants: PlantSpan[]): Map<string, number> {
  return new Map(plants.map((plant) => [nameOf(plant), plant.slide]));
}

function nameOf({ joint, kind, start, end }: PlantMark): string {
  // Frames that went through an edit and back are rounded.
  return [joint, kind, start.toFixed(3), end.toFixed(3)].join("\n");
}
