import { element } from "../../core/dom";
import type { RegisteredClip } from "../../core/messages";
import type { Cell, Frames, Grid } from "./grid";
import { painted } from "./heat";

const HEIGHT = 196;
const LEFT = 44;
const BOTTOM = 34;
const MARGIN = 6;
/** Pixels within which a pin is meant rather than the place beside it. */
const REACH = 8;
const FAR_STEP = 10;

/** What is drawn over the grid besides its own curve. */
export interface Marked {
  pins: Frames[];
  start: Frames | null;
  names: [string, string];
}

/** What the user does with the map. */
export interface MapActions {
  /** The cell under the pointer or the cursor changed. */
  looked(cell: Cell): void;
  /** A click or Enter; `pin` is the number of a pin that is there. */
  chosen(cell: Cell, pin: number | null): void;
  /** Delete with the cursor here. */
  removed(pin: number): void;
}

/** The distance grid as a heat map with path and curve on it, and a cursor for pointer and keys. */
export class DistanceMap {
  readonly canvas = element("canvas", {
    class: "distance-map",
    height: HEIGHT,
    tabindex: 0,
    role: "application",
    "aria-label": "Distances of frames",
    "aria-describedby": "registration-readout",
  });
  private grid: Grid | null = null;
  private picture: HTMLCanvasElement | null = null;
  private marked: Marked = { pins: [], start: null, names: ["", ""] };
  private cursor: Cell = { row: 0, column: 0 };
  private playing: Frames | null = null;

  constructor(private readonly actions: MapActions) {
    this.canvas.addEventListener("pointermove", (event) => this.lookAt(this.cellAt(event)));
    this.canvas.addEventListener("click", (event) => this.choose(this.cellAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("focus", () => this.draw());
    this.canvas.addEventListener("blur", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  get cell(): Cell {
    return this.cursor;
  }

  show(grid: Grid, marked: Marked): void {
    const sameAxes = this.grid !== null && axes(this.grid) === axes(grid);
    if (grid !== this.grid) this.picture = null;
    this.grid = grid;
    if (!sameAxes) this.cursor = grid.middle;
    this.mark(marked);
    this.actions.looked(this.cursor);
  }

  mark(marked: Marked): void {
    this.marked = marked;
    const [a, b] = marked.names;
    this.canvas.setAttribute(
      "aria-label",
      `Distances of the frames of ${a} and ${b}. Arrow keys move the cursor, Enter pins the frames under it, Delete removes a pin.`,
    );
    this.draw();
  }

  /** Show where the blend is while it plays; null shows nothing. */
  follow(frames: Frames | null): void {
    this.playing = frames;
    this.draw();
  }

  /** Colours changed. */
  repaint(): void {
    this.picture = null;
    this.draw();
  }

  private lookAt(cell: Cell | null): void {
    if (!cell || (cell.row === this.cursor.row && cell.column === this.cursor.column)) return;
    this.cursor = cell;
    this.draw();
    this.actions.looked(cell);
  }

  private choose(cell: Cell | null): void {
    if (!cell) return;
    this.lookAt(cell);
    this.actions.chosen(cell, this.pinAt(cell));
  }

  private key(event: KeyboardEvent): void {
    const by = event.shiftKey ? FAR_STEP : 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [by, 0],
      ArrowDown: [-by, 0],
      ArrowLeft: [0, -by],
      ArrowRight: [0, by],
    };
    const step = steps[event.key];
    if (!this.grid) return;
    const pin = this.pinAt(this.cursor);
    if (step) this.lookAt(this.grid.clamped({ row: this.cursor.row + step[0], column: this.cursor.column + step[1] }));
    else if (event.key === "Enter") this.choose(this.cursor);
    else if (event.key === "Delete" || event.key === "Backspace") {
      if (pin !== null) this.actions.removed(pin);
    } else return;
    event.preventDefault();
  }

  private cellAt({ offsetX, offsetY }: PointerEvent | MouseEvent): Cell | null {
    if (!this.grid) return null;
    const { width, height } = this.inner();
    const [x, y] = [(offsetX - LEFT) / width, (HEIGHT - BOTTOM - offsetY) / height];
    if (x < 0 || x > 1 || y < 0 || y > 1) return null;
    return this.grid.clamped({ row: Math.floor(y * this.grid.rows), column: Math.floor(x * this.grid.columns) });
  }

  /** The pin that is drawn at a cell, or close by. */
  private pinAt(cell: Cell): number | null {
    const here = this.spot(cell);
    const spans = this.marked.pins.map((frames) => {
      const there = this.spot(this.grid!.place(frames));
      return Math.hypot(there.x - here.x, there.y - here.y);
    });
    const nearest = spans.indexOf(Math.min(...spans));
    return nearest >= 0 && spans[nearest]! <= REACH ? nearest : null;
  }

  private inner(): { width: number; height: number } {
    return { width: this.canvas.clientWidth - LEFT - MARGIN, height: HEIGHT - BOTTOM - MARGIN };
  }

  /** Where the middle of a cell, or a place between cells, is drawn. */
  private spot({ row, column }: { row: number; column: number }): { x: number; y: number } {
    const { width, height } = this.inner();
    const { rows, columns } = this.grid!;
    return { x: LEFT + ((column + 0.5) / columns) * width, y: HEIGHT - BOTTOM - ((row + 0.5) / rows) * height };
  }

  private draw(): void {
    const ratio = devicePixelRatio;
    const width = this.canvas.clientWidth;
    if (!width || !this.grid) return;
    this.canvas.width = width * ratio;
    this.canvas.height = HEIGHT * ratio;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const inner = this.inner();
    this.picture ??= painted(this.grid, style);
    pen.drawImage(this.picture, LEFT, MARGIN, inner.width, inner.height);
    this.drawAxes(pen, style);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, MARGIN, inner.width, inner.height);
    pen.clip();
    this.drawLine(pen, this.grid.path, style.getPropertyValue("--warn"), 1.5, [4, 3]);
    this.drawLine(pen, this.grid.timewarp, style.getPropertyValue("--accent"), 2, []);
    this.drawCursor(pen, style.getPropertyValue("--text"), inner);
    pen.restore();
    this.drawMarks(pen, style);
  }

  private drawAxes(pen: CanvasRenderingContext2D, style: CSSStyleDeclaration): void {
    const { width, height } = this.inner();
    const { a, b } = this.grid!.head;
    const [rowName, columnName] = this.marked.names;
    const base = HEIGHT - BOTTOM;
    pen.font = `11px ${style.fontFamily}`;
    pen.fillStyle = style.getPropertyValue("--muted");
    pen.textBaseline = "top";
    pen.textAlign = "left";
    pen.fillText(String(Math.round(b.first)), LEFT, base + 5);
    pen.textAlign = "right";
    pen.fillText(String(Math.round(lastOf(b))), LEFT + width, base + 5);
    pen.fillText(String(Math.round(lastOf(a))), LEFT - 7, MARGIN);
    pen.textBaseline = "bottom";
    pen.fillText(String(Math.round(a.first)), LEFT - 7, base);
    pen.textAlign = "center";
    pen.fillText(`frame of ${columnName}`, LEFT + width / 2, HEIGHT - 2, width);
    pen.save();
    pen.translate(12, MARGIN + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(`frame of ${rowName}`, 0, 0, height);
    pen.restore();
    pen.strokeStyle = style.getPropertyValue("--text");
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const frame of a.strikes) this.tick(pen, this.spot({ row: (frame - a.first) / a.step, column: 0 }).y, null);
    for (const frame of b.strikes) this.tick(pen, null, this.spot({ row: 0, column: (frame - b.first) / b.step }).x);
    pen.stroke();
  }

  /** A strike at the edge of the grid. */
  private tick(pen: CanvasRenderingContext2D, y: number | null, x: number | null): void {
    const base = HEIGHT - BOTTOM;
    if (y !== null && y > MARGIN && y < base) {
      pen.moveTo(LEFT - 5, y);
      pen.lineTo(LEFT, y);
    }
    if (x !== null && x > LEFT && x < LEFT + this.inner().width) {
      pen.moveTo(x, base);
      pen.lineTo(x, base + 5);
    }
  }

  private drawLine(
    pen: CanvasRenderingContext2D,
    frames: Frames[],
    colour: string,
    width: number,
    dash: number[],
  ): void {
    const { a, b } = this.grid!.head;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    for (const [i, j] of frames) {
      const { x, y } = this.spot({ row: (i - a.first) / a.step, column: (j - b.first) / b.step });
      pen.lineTo(x, y);
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  private drawCursor(pen: CanvasRenderingContext2D, colour: string, inner: { width: number; height: number }): void {
    const { x, y } = this.spot(this.cursor);
    pen.strokeStyle = colour;
    pen.globalAlpha = document.activeElement === this.canvas ? 1 : 0.55;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(LEFT, y);
    pen.lineTo(LEFT + inner.width, y);
    pen.moveTo(x, MARGIN);
    pen.lineTo(x, MARGIN + inner.height);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  private drawMarks(pen: CanvasRenderingContext2D, style: CSSStyleDeclaration): void {
    const dot = (frames: Frames, colour: string, size: number): void => {
      const { x, y } = this.spot(this.grid!.place(frames));
      pen.fillStyle = style.getPropertyValue(colour);
      pen.strokeStyle = style.getPropertyValue("--bg");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(x, y, size, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    };
    if (this.playing) dot(this.playing, "--text", 4);
    for (const pin of this.marked.pins) dot(pin, "--bad", 5);
    if (this.marked.start) dot(this.marked.start, "--good", 5);
  }
}

/** What the rows and columns of a grid stand for. */
function axes({ head: { a, b } }: Grid): string {
  return JSON.stringify([a, b].map(({ item, first, step, cells }) => [item, first, step, cells]));
}

function lastOf({ first, step, cells }: RegisteredClip): number {
  return first + (cells - 1) * step;
}
