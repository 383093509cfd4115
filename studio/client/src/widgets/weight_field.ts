import { element } from "../core/dom";
import { type Point, normalised, padWeights, pointOf, triangleWeights } from "../core/weights";

/** A clip as a corner of the field: what it is called and which figure's colour it has. */
export interface Corner {
  label: string;
  colour: number;
  at: Point;
}

/** Something that weights are chosen with; `onInput` is called while dragging, with weights of sum 1. */
export interface WeightField {
  element: HTMLElement;
  set(weights: number[]): void;
}

const SVG = "http://www.w3.org/2000/svg";
/** What an arrow key moves the handle by, as a share of the field; with Shift ten times as much. */
const KEY_STEP = 0.01;
const TRIANGLE: [Point, Point, Point] = [
  { x: 0.5, y: 0.1 },
  { x: 0.1, y: 0.85 },
  { x: 0.9, y: 0.85 },
];

/** A triangle for three clips, each at a corner. */
export function weightTriangle(corners: Omit<Corner, "at">[], onInput: (weights: number[]) => void): WeightField {
  const placed = corners.map((corner, n) => ({ ...corner, at: TRIANGLE[n]! }));
  return new Field(placed, (point) => triangleWeights(point, TRIANGLE), onInput, true);
}

/** A pad for four clips and more, laid out by what they do. */
export function weightPad(corners: Corner[], onInput: (weights: number[]) => void): WeightField {
  return new Field(
    corners,
    (point) =>
      padWeights(
        point,
        corners.map(({ at }) => at),
      ),
    onInput,
    false,
  );
}

class Field implements WeightField {
  readonly element: HTMLElement;
  private readonly handle: SVGElement;
  private readonly dots: SVGElement[];
  private point: Point = { x: 0.5, y: 0.5 };

  constructor(
    private readonly corners: Corner[],
    private readonly weightsAt: (point: Point) => number[],
    private readonly onInput: (weights: number[]) => void,
    outlined: boolean,
  ) {
    this.handle = shape("circle", { r: 2.6, class: "weight-handle" });
    this.dots = corners.map(({ at, colour }) =>
      shape("circle", {
        cx: 100 * at.x,
        cy: 100 * at.y,
        class: "weight-corner",
        style: `fill: var(--figure-${colour})`,
      }),
    );
    const outline = shape("polygon", {
      points: corners.map(({ at }) => `${100 * at.x},${100 * at.y}`).join(" "),
      class: "weight-outline",
    });
    const drawing = shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
    drawing.append(...(outlined ? [outline] : []), ...this.dots, ...corners.map(label), this.handle);
    this.element = element("div", {
      class: "weight-field",
      role: "slider",
      tabindex: 0,
      "aria-label": "Weights: drag, or use the arrow keys",
    });
    this.element.append(drawing);
    this.listen();
    this.set(corners.map(() => 1));
  }

  set(weights: number[]): void {
    this.point = pointOf(
      weights,
      this.corners.map(({ at }) => at),
    );
    this.show(normalised(weights));
  }

  private move(point: Point): void {
    this.point = { x: clamped(point.x), y: clamped(point.y) };
    const weights = this.weightsAt(this.point);
    this.show(weights);
    this.onInput(weights);
  }

  private show(weights: number[]): void {
    this.handle.setAttribute("cx", String(100 * this.point.x));
    this.handle.setAttribute("cy", String(100 * this.point.y));
    weights.forEach((weight, n) => this.dots[n]?.setAttribute("r", String(1.6 + 3.2 * Math.max(0, weight))));
    const words = this.corners.map(({ label }, n) => `${label} ${Math.round(100 * (weights[n] ?? 0))} %`).join(", ");
    this.element.setAttribute("aria-valuetext", words);
    this.element.setAttribute("aria-valuenow", String(Math.round(100 * Math.max(...weights))));
  }

  private listen(): void {
    const follow = (event: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      this.move({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
    };
    this.element.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // or the drag selects text
      this.element.focus({ preventScroll: true }); // or the panel moves away under the pointer
      this.element.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) follow(event);
    });
    this.element.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 10 * KEY_STEP : KEY_STEP;
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      this.move({ x: this.point.x + step * way[0]!, y: this.point.y + step * way[1]! });
    });
  }
}

function label({ at, label }: Corner): SVGElement {
  const above = at.y < 0.5;
  const anchor = at.x < 0.25 ? "start" : at.x > 0.75 ? "end" : "middle";
  const made = shape("text", {
    x: 100 * Math.min(Math.max(at.x, 0.02), 0.98),
    y: 100 * at.y + (above ? -5.5 : 9),
    "text-anchor": anchor,
    class: "weight-label",
  });
  made.textContent = label;
  return made;
}

function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

function clamped(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
