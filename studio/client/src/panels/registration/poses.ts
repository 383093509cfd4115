import { element } from "../../core/dom";
import type { Cell, Grid } from "./grid";

const HEIGHT = 108;
const LABEL = 18;
const MARGIN = 6;
/** View angle in radians, a little off the side view, so that left and right limbs can be told apart. */
const VIEW_ANGLE = 0.6;

interface DrawnPose {
  positions: Float32Array;
  parents: number[];
  colour: string;
}

/** The poses of two frames: each by itself, and the second aligned with the first. */
export class PosePair {
  readonly canvas = element("canvas", { class: "pose-pair", height: HEIGHT, "aria-hidden": "true" });
  private shown: { grid: Grid; cell: Cell } | null = null;
  private colours: [string, string] = ["--figure-0", "--figure-1"];
  private names: [string, string] = ["", ""];

  constructor() {
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  show(grid: Grid, cell: Cell): void {
    this.shown = { grid, cell };
    this.draw();
  }

  /** Set the names of the clips and the tokens of their colours. */
  label(names: [string, string], colours: [string, string]): void {
    this.names = names;
    this.colours = colours;
    this.draw();
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    if (!width || !this.shown) return;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = HEIGHT * devicePixelRatio;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(devicePixelRatio, devicePixelRatio);
    const style = getComputedStyle(this.canvas);
    const { grid, cell } = this.shown;
    const [one, other] = this.colours.map((token) => style.getPropertyValue(token)) as [string, string];
    const a = { positions: grid.poseA(cell), parents: grid.header.a.parents, colour: one };
    const b = { positions: grid.poseB(cell), parents: grid.header.b.parents, colour: other };
    const aligned = { ...b, positions: grid.alignedB(cell) };
    const columns: [string, DrawnPose[], number][] = [
      [this.names[0], [a], grid.facingA(cell)],
      [this.names[1], [b], grid.facingB(cell)],
      ["aligned", [a, aligned], grid.facingA(cell)],
    ];
    const scale = (HEIGHT - LABEL - 2 * MARGIN) / Math.max(heightOf(a.positions), heightOf(b.positions));
    columns.forEach(([label, bodies, facing], n) => {
      const middle = (n + 0.5) * (width / 3);
      pen.font = `11px ${style.fontFamily}`;
      pen.textAlign = "center";
      pen.textBaseline = "top";
      pen.fillStyle = style.getPropertyValue("--muted");
      pen.fillText(label, middle, 2, width / 3 - 8);
      const about = bodies[0]!.positions;
      for (const body of bodies) drawBody(pen, body, { middle, scale, facing, about });
    });
  }
}

interface PoseView {
  middle: number;
  scale: number;
  facing: number;
  /** The pose that is centred in the column and stands on the ground. */
  about: Float32Array;
}

function drawBody(pen: CanvasRenderingContext2D, { positions, parents, colour }: DrawnPose, view: PoseView): void {
  const { middle, scale, facing, about } = view;
  // The figure faces right, turned a little towards the viewer.
  const [x, z] = [Math.sin(facing + VIEW_ANGLE), Math.cos(facing + VIEW_ANGLE)];
  const across = (values: Float32Array, joint: number): number => values[3 * joint]! * x + values[3 * joint + 2]! * z;
  const centre = across(about, 0);
  const ground = lowest(about);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.lineCap = "round";
  pen.beginPath();
  parents.forEach((parent, joint) => {
    if (parent < 0) return;
    for (const [n, end] of [parent, joint].entries()) {
      const at = middle + scale * (across(positions, end) - centre);
      const height = HEIGHT - MARGIN - scale * (positions[3 * end + 1]! - ground);
      if (n === 0) pen.moveTo(at, height);
      else pen.lineTo(at, height);
    }
  });
  pen.stroke();
}

function lowest(positions: Float32Array): number {
  let low = Infinity;
  for (let n = 1; n < positions.length; n += 3) low = Math.min(low, positions[n]!);
  return low;
}

function heightOf(positions: Float32Array): number {
  let high = -Infinity;
  for (let n = 1; n < positions.length; n += 3) high = Math.max(high, positions[n]!);
  return Math.max(high - lowest(positions), 1e-3);
}
