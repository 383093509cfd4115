import type { Marks, Plant, PlantMark } from "../../core/messages";
import type { Grip } from "../grips";
import { figureInk } from "../inks";
import { marksOf, movedPlant, setMarks, withNewPlant, withPlant, withoutPlant } from "../marks";
import { frameNumber, frameText, markFrame, markSeconds, type Shown } from "../shown";
import { inView, lazily, type Lane, type Picture } from "./lane";

const HEIGHT = 16;
const [TOP, BOTTOM] = [3, 13];
/** A plant that slides farther than this is underlined as a warning, metres. In captured motion three quarters of the
 * plants slide less. */
const SLIDES = 0.035;

interface Numbered {
  plant: PlantMark;
  index: number;
  slides: boolean;
}

type Part = "start" | "end" | "whole";

/** Lanes of bars: one lane for each joint and kind that stays put at times. */
export function plantLanes(shown: Shown): Lane[] {
  const marks = marksOf(shown.item, shown.motion.head);
  const slides = slidesOf(shown.motion.head.plants);
  const rows = new Map<string, Numbered[]>();
  marks.plants.forEach((plant, index) => {
    const name = `${plant.joint}\n${plant.kind}`;
    if (!rows.has(name)) rows.set(name, []);
    rows.get(name)!.push({ plant, index, slides: (slides.get(nameOf(plant)) ?? 0) > SLIDES });
  });
  // In the order of the skeleton, so that lanes stay where they are whatever is moved.
  const place = (row: Numbered[]) => shown.motion.head.names.indexOf(row[0]!.plant.joint);
  const ordered = [...rows.values()].sort((a, b) => place(a) - place(b));
  return ordered.map((row) => plantLane(shown, marks, row));
}

function plantLane(shown: Shown, marks: Marks, row: Numbered[]): Lane {
  const { joint, kind } = row[0]!.plant;
  const { fps, lastFrame } = shown.wanted;
  return {
    label: `${joint} ${kind}`,
    title: `${joint} ${kind}: drag bars and their edges, double click to add one`,
    height: HEIGHT,
    grips: lazily(() => row.flatMap((numbered) => plantGrips(shown, marks, numbered))),
    draw: (picture) => row.forEach((numbered) => drawPlant(picture, shown, numbered)),
    added: (seconds) => {
      const more = withNewPlant(marks, { joint, kind }, markFrame(shown, seconds), fps, lastFrame);
      return more ? [setMarks(shown.item.id, more)] : [];
    },
  };
}

function plantGrips(shown: Shown, marks: Marks, { plant, index, slides }: Numbered): Grip[] {
  const { fps, lastFrame } = shown.wanted;
  const move = (part: Part, frames: number) => [
    setMarks(shown.item.id, withPlant(marks, index, movedPlant(plant, part, frames, lastFrame))),
  ];
  const common = {
    mark: `plant ${index}`,
    name: `${plant.joint} ${plant.kind}`,
    seconds: markSeconds(shown, plant.start),
    removed: () => [setMarks(shown.item.id, withoutPlant(marks, index))],
  };
  const span = `from ${frameText(plant.start, fps)}, to ${frameText(plant.end, fps)}${slides ? ", slides" : ""}`;
  const grip = (part: Part, from: number, to: number): Grip => ({
    ...common,
    part,
    text: part === "whole" ? span : frameText(from, fps),
    value: part === "whole" ? "" : frameNumber(from),
    area: { from: markSeconds(shown, from), to: markSeconds(shown, to), top: 0, bottom: HEIGHT },
    kind: part === "whole" ? "bar" : "edge",
    dragged: ({ frames }) => move(part, frames),
    nudged: (steps) => move(part, steps),
  });
  return [
    grip("whole", plant.start, plant.end),
    grip("start", plant.start, plant.start),
    grip("end", plant.end, plant.end),
  ];
}

function drawPlant(picture: Picture, shown: Shown, { plant, index, slides }: Numbered): void {
  const { context, axis, inks } = picture;
  const [from, to] = [markSeconds(shown, plant.start), markSeconds(shown, plant.end)];
  if (!inView(axis, from, to)) return;
  const left = axis.x(from);
  const width = Math.max(2, axis.x(to) - left);
  context.fillStyle = figureInk(inks, shown.item.colour);
  context.beginPath();
  context.roundRect(left, TOP, width, BOTTOM - TOP, 2);
  context.fill();
  if (slides) {
    context.fillStyle = inks.bad;
    context.fillRect(left, BOTTOM, width, 2);
  }
  if (picture.selected !== `plant ${index}`) return;
  context.strokeStyle = inks.text;
  context.lineWidth = 2;
  context.stroke();
  context.lineWidth = 1;
}

/** How far each plant slides, as measured when the clip was made; those that have changed since are not there. */
function slidesOf(plants: Plant[]): Map<string, number> {
  return new Map(plants.map((plant) => [nameOf(plant), plant.slide]));
}

function nameOf({ joint, kind, start, end }: PlantMark): string {
  return [joint, kind, start, end].join("\n");
}
