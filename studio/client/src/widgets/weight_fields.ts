import { element, svgElement } from "../core/dom";
import { clamp } from "../core/numbers";
import { percent } from "../core/text";
import { labelPositions, normalize, padWeights, type Point, triangleWeights, weightedPoint } from "../core/weights";

/** A clip as a corner of the field: its name, the number of its colour, and where it is. */
export interface Corner {
  label: string;
  colour: number;
  at: Point;
}

/** A control to choose weights with; calls `onInput` with weights of sum 1 while dragging. */
export interface WeightField {
  element: HTMLElement;
  set: (weights: number[]) => void;
}

/** Fraction of the field that an arrow key moves the handle by; ten times as much with Shift. */
const KEY_STEP = 0.01;
const TRIANGLE: [Point, Point, Point] = [
  { x: 0.5, y: 0.1 },
  { x: 0.1, y: 0.85 },
  { x: 0.9, y: 0.85 },
];

/** A triangle for three clips, each at a corner. */
export function weightTriangle(corners: Omit<Corner, "at">[], onInput: (weights: number[]) => void): WeightField {
  const positioned = corners.map((corner, n) => ({ ...corner, at: TRIANGLE[n]! }));
  return new Field(positioned, (point) => triangleWeights(point, TRIANGLE), onInput, true);
}

/** A pad for four or more clips, laid out by the caller. */
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
    this.handle = svgElement("circle", { r: 2.6, class: "weight-handle" });
    this.dots = corners.map(({ at, colour }) =>
      svgElement("circle", {
        cx: 100 * at.x,
        cy: 100 * at.y,
        class: "weight-corner",
        style: `fill: var(--figure-${colour})`,
      }),
    );
    const outline = svgElement("polygon", {
      points: corners.map(({ at }) => `${100 * at.x},${100 * at.y}`).join(" "),
      class: "weight-outline",
    });
    const drawing = svgElement(
      "svg",
      { viewBox: "0 0 100 100", "aria-hidden": "true" },
      ...(outlined ? [outline] : []),
      ...this.dots,
      ...cornerLabels(corners),
      this.handle,
    );
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
    this.point = weightedPoint(
      weights,
      this.corners.map(({ at }) => at),
    );
    this.show(normalize(weights));
  }

  private move(point: Point): void {
    this.point = { x: clamp(point.x, 0, 1), y: clamp(point.y, 0, 1) };
    const weights = this.weightsAt(this.point);
    this.show(weights);
    this.onInput(weights);
  }

  private show(weights: number[]): void {
    this.handle.setAttribute("cx", String(100 * this.point.x));
    this.handle.setAttribute("cy", String(100 * this.point.y));
    weights.forEach((weight, n) => this.dots[n]?.setAttribute("r", String(1.6 + 3.2 * Math.max(0, weight))));
    const text = this.corners.map(({ label }, n) => `${label} ${percent(weights[n] ?? 0)}`).join(", ");
    this.element.setAttribute("aria-valuetext", text);
    this.element.setAttribute("aria-valuenow", String(Math.round(100 * Math.max(...weights))));
  }

  private listen(): void {
    const follow = (event: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      this.move({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
    };
    this.element.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // or dragging selects text
      this.element.focus({ preventScroll: true }); // or the panel scrolls away under the pointer
      this.element.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) follow(event);
    });
    this.element.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 10 * KEY_STEP : KEY_STEP;
      const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!direction) return;
      event.preventDefault();
      this.move({ x: this.point.x + step * direction[0]!, y: this.point.y + step * direction[1]! });
    });
  }
}

function cornerLabels(corners: Corner[]): SVGElement[] {
  return labelPositions(corners).map(({ x, y, anchor, text }, n) => {
    const label = svgElement("text", { x, y, "text-anchor": anchor, class: "weight-label" });
    label.textContent = text;
    const tooltip = svgElement("title", {});
    tooltip.textContent = corners[n]!.label;
    label.append(tooltip);
    return label;
  });
}

/** A slider for two clips: all of the first on the left, all of the second on the right. */
export function weightSlider(
  [first, second]: [Omit<Corner, "at">, Omit<Corner, "at">],
  onInput: (weights: number[]) => void,
): WeightField {
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.001,
    "aria-label": `Weights: ${first.label} to ${second.label}`,
    oninput: () => choose(slider.valueAsNumber),
  });
  const describe = (fraction: number): void =>
    slider.setAttribute(
      "aria-valuetext",
      `${percent(1 - fraction)} ${first.label}, ${percent(fraction)} ${second.label}`,
    );
  const choose = (fraction: number): void => {
    describe(fraction);
    onInput([1 - fraction, fraction]);
  };
  return {
    element: element("div", { class: "weight-slider" }, sliderEnd(first), slider, sliderEnd(second)),
    set: (weights) => {
      const fraction = normalize(weights)[1]!;
      slider.value = String(fraction);
      describe(fraction);
    },
  };
}

function sliderEnd({ label, colour }: Omit<Corner, "at">): HTMLElement {
  return element("span", { class: "weight-end", style: `--dot: var(--figure-${colour})`, title: label }, label);
}
