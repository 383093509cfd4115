import { element } from "../core/dom";
import { clamp } from "../core/numbers";
import { traceValues } from "./curve_trace";

/** A curve over time: one value per frame. */
export interface Curve {
  values: number[];
  /** A colour token, such as "--accent". */
  colour: string;
  label: string;
  faint?: boolean;
  /** The fraction of the width that the curve spans; all of it by default. */
  span?: number;
}

const HEIGHT = 84;
const LEFT = 40;
const MARGIN = 6;

/** Curves over the length of a clip, with the playhead; clicking moves the playhead. */
export class CurvePlot {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly legend = element("figcaption");
  // A layer of its own: the curves are not drawn again while it moves.
  private readonly playhead = element("div", { class: "curve-playhead" });
  private curves: Curve[] = [];
  private range: [number, number] = [0, 1];
  private unit = "";

  constructor(title: string, onSeek: (fraction: number) => void) {
    this.canvas = element("canvas", { height: HEIGHT, class: "curve-canvas", "aria-hidden": "true" });
    this.canvas.addEventListener("pointerdown", ({ offsetX }) => {
      onSeek(clamp((offsetX - LEFT) / (this.canvas.clientWidth - LEFT - MARGIN), 0, 1));
    });
    this.playhead.style.left = `${LEFT}px`;
    this.playhead.style.right = `${MARGIN}px`;
    const area = element("div", { class: "curve-area" }, this.canvas, this.playhead);
    this.element = element("figure", { class: "curve-plot", "aria-label": title }, this.legend, area);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.legend.textContent = title;
  }

  set(title: string, unit: string, curves: Curve[]): void {
    this.curves = curves;
    this.range = rangeOf(curves);
    this.unit = unit;
    this.legend.replaceChildren(
      title,
      ...curves.map(({ label, colour }) => element("span", { class: "legend", style: `--dot: var(${colour})` }, label)),
    );
    this.draw();
  }

  /** Put the playhead at a fraction of the length. */
  seek(fraction: number): void {
    this.playhead.style.transform = `translateX(${100 * fraction}%)`;
  }

  /** Draw the curves, again where their size or the colours of the page have changed. */
  draw(): void {
    const width = this.canvas.clientWidth;
    const ratio = devicePixelRatio;
    if (!width) return;
    this.canvas.width = width * ratio;
    this.canvas.height = HEIGHT * ratio;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const [low, high] = this.range;
    const y = (value: number): number => HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
    this.drawAxis(pen, style, y, width);
    for (const curve of this.curves) drawCurve(pen, style, curve, width - LEFT - MARGIN, y);
  }

  private drawAxis(
    pen: CanvasRenderingContext2D,
    style: CSSStyleDeclaration,
    y: (value: number) => number,
    width: number,
  ): void {
    const [low, high] = this.range;
    pen.font = `11px ${style.fontFamily}`;
    pen.fillStyle = style.getPropertyValue("--muted");
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of this.range) {
      pen.fillText(formatValue(value, high - low), LEFT - 5, clamp(y(value), 7, HEIGHT - 7));
      pen.beginPath();
      pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
      pen.lineTo(width - MARGIN, Math.round(y(value)) + 0.5);
      pen.stroke();
    }
    pen.fillText(this.unit, LEFT - 5, HEIGHT / 2);
  }
}

/** Draw a curve over a width in pixels; `y` converts a value to pixels. */
function drawCurve(
  pen: CanvasRenderingContext2D,
  style: CSSStyleDeclaration,
  { values, colour, faint, span = 1 }: Curve,
  width: number,
  y: (value: number) => number,
): void {
  pen.strokeStyle = style.getPropertyValue(colour);
  pen.globalAlpha = faint ? 0.55 : 1;
  pen.setLineDash(faint ? [4, 3] : []);
  pen.lineWidth = 1.5;
  pen.beginPath();
  const last = values.length - 1;
  const x = (index: number): number => LEFT + (span * width * index) / Math.max(1, last);
  traceValues(pen, { value: (index) => values[index]!, x, y }, 0, last, span * width);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** The smallest and the largest value of all curves; zero is always between them. */
function rangeOf(curves: Curve[]): [number, number] {
  let [low, high] = [0, 0];
  for (const { values } of curves) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return high > low ? [low, high] : [low, low + 1];
}

/** A value to two digits of the range that is drawn, so that it fits beside the plot. */
function formatValue(value: number, range: number): string {
  const decimals = clamp(1 - Math.floor(Math.log10(range)), 0, 4);
  return String(Number(value.toFixed(decimals)));
}
