import { element } from "../core/dom";
import { clamp } from "../core/numbers";

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
  private curves: Curve[] = [];
  private unit = "";
  private fraction = 0;

  constructor(title: string, onSeek: (fraction: number) => void) {
    this.canvas = element("canvas", { height: HEIGHT, class: "curve-canvas", "aria-hidden": "true" });
    this.canvas.addEventListener("pointerdown", ({ offsetX }) => {
      onSeek(clamp((offsetX - LEFT) / (this.canvas.clientWidth - LEFT - MARGIN), 0, 1));
    });
    this.element = element("figure", { class: "curve-plot", "aria-label": title }, this.legend, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.legend.textContent = title;
  }

  set(title: string, unit: string, curves: Curve[]): void {
    this.curves = curves;
    this.unit = unit;
    this.legend.replaceChildren(
      title,
      ...curves.map(({ label, colour }) => element("span", { class: "legend", style: `--dot: var(${colour})` }, label)),
    );
    this.draw();
  }

  /** Put the playhead at a fraction of the length. */
  seek(fraction: number): void {
    this.fraction = fraction;
    this.draw();
  }

  private draw(): void {
    const width = this.canvas.clientWidth;
    const ratio = devicePixelRatio;
    if (!width) return;
    this.canvas.width = width * ratio;
    this.canvas.height = HEIGHT * ratio;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const [low, high] = range(this.curves);
    const x = (fraction: number): number => LEFT + fraction * (width - LEFT - MARGIN);
    const y = (value: number): number => HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
    this.drawAxis(pen, style, low, high, y, width);
    for (const curve of this.curves) drawCurve(pen, style, curve, x, y);
    pen.strokeStyle = style.getPropertyValue("--text");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(this.fraction), 0);
    pen.lineTo(x(this.fraction), HEIGHT);
    pen.stroke();
  }

  private drawAxis(
    pen: CanvasRenderingContext2D,
    style: CSSStyleDeclaration,
    low: number,
    high: number,
    y: (value: number) => number,
    width: number,
  ): void {
    pen.font = `11px ${style.fontFamily}`;
    pen.fillStyle = style.getPropertyValue("--muted");
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of [low, high]) {
      pen.fillText(formatValue(value, high - low), LEFT - 5, clamp(y(value), 7, HEIGHT - 7));
      pen.beginPath();
      pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
      pen.lineTo(width - MARGIN, Math.round(y(value)) + 0.5);
      pen.stroke();
    }
    pen.fillText(this.unit, LEFT - 5, HEIGHT / 2);
  }
}

function drawCurve(
  pen: CanvasRenderingContext2D,
  style: CSSStyleDeclaration,
  { values, colour, faint, span = 1 }: Curve,
  x: (fraction: number) => number,
  y: (value: number) => number,
): void {
  pen.strokeStyle = style.getPropertyValue(colour);
  pen.globalAlpha = faint ? 0.55 : 1;
  pen.setLineDash(faint ? [4, 3] : []);
  pen.lineWidth = 1.5;
  pen.beginPath();
  // Two values per pixel are enough to see, and keep long clips fast.
  const step = Math.max(1, Math.floor(values.length / (2 * pen.canvas.clientWidth)));
  for (let n = 0; n < values.length; n += step) {
    pen.lineTo(x((span * n) / Math.max(1, values.length - 1)), y(values[n]!));
  }
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function range(curves: Curve[]): [number, number] {
  let [low, high] = [0, 0];
  for (const { values } of curves)
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high > low ? [low, high] : [low, low + 1];
}

/** A value to two digits of the range that is drawn, so that it fits beside the plot. */
function formatValue(value: number, range: number): string {
  const decimals = clamp(1 - Math.floor(Math.log10(range)), 0, 4);
  return String(Number(value.toFixed(decimals)));
}
