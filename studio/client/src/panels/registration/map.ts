import { element } from "../../core/dom";
import type { RegisteredClip } from "../../core/messages";
import type { Cell, Frames, Grid } from "./grid";

const HEIGHT = 196;
const LEFT = 44;
const BOTTOM = 34;
const MARGIN = 6;
/** Pixels from a pin within which a click removes it. */
const PIN_RADIUS = 8;
/** Cells that an arrow key moves the cursor by with Shift. */
const LARGE_STEP = 10;

/** What is drawn over the grid besides its own curve. */
export interface MapMarks {
  pins: Frames[];
  start: Frames | null;
  names: [string, string];
}

/** What the user does with the map. */
export interface MapActions {
  /** The cursor moved to another cell. */
  onMove: (cell: Cell) => void;
  /** A click or Enter; `pin` is the index of the pin at the cell, if there is one. */
  onClick: (cell: Cell, pin: number | null) => void;
  /** Delete with the cursor on a pin. */
  onDelete: (pin: number) => void;
}

/** The distance grid as a heat map with the path and the curve, and a cursor for pointer and keyboard. */
export class DistanceMap {
  readonly canvas = element("canvas", {
    class: "distance-map",
    height: HEIGHT,
    tabindex: 0,
    role: "application",
    "aria-label": "Frame distances",
    "aria-describedby": "registration-readout",
  });
  private grid: Grid | null = null;
  private heatMap: HTMLCanvasElement | null = null;
  private marks: MapMarks = { pins: [], start: null, names: ["", ""] };
  private cursor: Cell = { row: 0, column: 0 };
  private playing: Frames | null = null;

  constructor(private readonly actions: MapActions) {
    this.canvas.addEventListener("pointermove", (event) => this.moveTo(this.cellAt(event)));
    this.canvas.addEventListener("click", (event) => this.click(this.cellAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("focus", () => this.draw());
    this.canvas.addEventListener("blur", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  show(grid: Grid, marks: MapMarks): void {
    const isNew = grid !== this.grid;
    if (isNew) this.heatMap = null;
    if (!this.grid || axes(this.grid) !== axes(grid)) this.cursor = this.sameFrames(grid) ?? grid.middle;
    this.grid = grid;
    this.setMarks(marks);
    if (isNew) this.actions.onMove(this.cursor);
  }

  /** The cell of another grid of the same clips that shows what is under the cursor now, if it has one. */
  private sameFrames(grid: Grid): Cell | null {
    if (!this.grid || items(this.grid) !== items(grid)) return null;
    const { row, column } = grid.cellOf(this.grid.frames(this.cursor));
    const cell = { row: Math.round(row), column: Math.round(column) };
    const inside = cell.row >= 0 && cell.row < grid.rows && cell.column >= 0 && cell.column < grid.columns;
    return inside ? cell : null;
  }

  private setMarks(marks: MapMarks): void {
    this.marks = marks;
    const [a, b] = marks.names;
    this.canvas.setAttribute(
      "aria-label",
      `Frame distances of ${a} and ${b}. The arrow keys move the cursor, Enter pins the frames under it, Delete removes a pin.`,
    );
    this.draw();
  }

  /** Show the frames that the blend uses at the playhead; null shows nothing. */
  follow(frames: Frames | null): void {
    this.playing = frames;
    this.draw();
  }

  /** Draw with other colours. */
  repaint(): void {
    this.heatMap = null;
    this.draw();
  }

  private moveTo(cell: Cell | null): void {
    if (!cell || (cell.row === this.cursor.row && cell.column === this.cursor.column)) return;
    this.cursor = cell;
    this.draw();
    this.actions.onMove(cell);
  }

  private click(cell: Cell | null): void {
    if (!cell) return;
    this.moveTo(cell);
    this.actions.onClick(cell, this.pinAt(cell));
  }

  private key(event: KeyboardEvent): void {
    const by = event.shiftKey ? LARGE_STEP : 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [by, 0],
      ArrowDown: [-by, 0],
      ArrowLeft: [0, -by],
      ArrowRight: [0, by],
    };
    const step = steps[event.key];
    if (!this.grid) return;
    const pin = this.pinAt(this.cursor);
    if (step)
      this.moveTo(this.grid.clampCell({ row: this.cursor.row + step[0], column: this.cursor.column + step[1] }));
    else if (event.key === "Enter") this.click(this.cursor);
    else if (event.key === "Delete" || event.key === "Backspace") {
      if (pin !== null) this.actions.onDelete(pin);
    } else return;
    event.preventDefault();
  }

  private cellAt({ offsetX, offsetY }: PointerEvent | MouseEvent): Cell | null {
    if (!this.grid) return null;
    const { width, height } = this.inner();
    const [x, y] = [(offsetX - LEFT) / width, (HEIGHT - BOTTOM - offsetY) / height];
    if (x < 0 || x > 1 || y < 0 || y > 1) return null;
    return this.grid.clampCell({ row: Math.floor(y * this.grid.rows), column: Math.floor(x * this.grid.columns) });
  }

  /** The index of the pin at a cell, or close to it. */
  private pinAt(cell: Cell): number | null {
    const here = this.pixel(cell);
    const distances = this.marks.pins.map((frames) => {
      const there = this.pixel(this.grid!.cellOf(frames));
      return Math.hypot(there.x - here.x, there.y - here.y);
    });
    const nearest = distances.indexOf(Math.min(...distances));
    return nearest >= 0 && distances[nearest]! <= PIN_RADIUS ? nearest : null;
  }

  private inner(): { width: number; height: number } {
    return { width: this.canvas.clientWidth - LEFT - MARGIN, height: HEIGHT - BOTTOM - MARGIN };
  }

  /** The pixel at which the centre of a cell is drawn; fractions lie between cells. */
  private pixel({ row, column }: { row: number; column: number }): { x: number; y: number } {
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
    this.heatMap ??= drawHeatMap(this.grid, style);
    pen.drawImage(this.heatMap, LEFT, MARGIN, inner.width, inner.height);
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
    const { a, b } = this.grid!.header;
    const [rowName, columnName] = this.marks.names;
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
    for (const frame of a.strikes) this.tick(pen, this.pixel({ row: (frame - a.first) / a.step, column: 0 }).y, null);
    for (const frame of b.strikes) this.tick(pen, null, this.pixel({ row: 0, column: (frame - b.first) / b.step }).x);
    pen.stroke();
  }

  /** A tick at the edge of the grid, for a foot strike. */
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
    const { a, b } = this.grid!.header;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    for (const [i, j] of frames) {
      const { x, y } = this.pixel({ row: (i - a.first) / a.step, column: (j - b.first) / b.step });
      pen.lineTo(x, y);
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  private drawCursor(pen: CanvasRenderingContext2D, colour: string, inner: { width: number; height: number }): void {
    const { x, y } = this.pixel(this.cursor);
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
      const { x, y } = this.pixel(this.grid!.cellOf(frames));
      pen.fillStyle = style.getPropertyValue(colour);
      pen.strokeStyle = style.getPropertyValue("--bg");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(x, y, size, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    };
    if (this.playing) dot(this.playing, "--text", 4);
    for (const pin of this.marks.pins) dot(pin, "--bad", 5);
    if (this.marks.start) dot(this.marks.start, "--good", 5);
  }
}

/** What the rows and columns of a grid stand for. */
function axes({ header: { a, b } }: Grid): string {
  return JSON.stringify([a, b].map(({ item, first, step, cells }) => [item, first, step, cells]));
}

function items({ header: { a, b } }: Grid): string {
  return JSON.stringify([a.item, b.item]);
}

function lastOf({ first, step, cells }: RegisteredClip): number {
  return first + (cells - 1) * step;
}

/** The grid as an image, a pixel per cell with the first row at the bottom; the colour of the page means similar. */
function drawHeatMap(grid: Grid, style: CSSStyleDeclaration): HTMLCanvasElement {
  const { rows, columns } = grid;
  const canvas = element("canvas", { width: columns, height: rows });
  const pen = canvas.getContext("2d")!;
  const [near, far] = [colourOf(pen, style, "--bg"), colourOf(pen, style, "--muted")];
  const image = pen.createImageData(columns, rows);
  const range = grid.maxDistance - grid.minDistance;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const fraction = range > 0 ? (grid.distance({ row, column }) - grid.minDistance) / range : 0;
      const at = 4 * ((rows - 1 - row) * columns + column);
      for (let n = 0; n < 3; n++) image.data[at + n] = near[n]! + fraction * (far[n]! - near[n]!);
      image.data[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** Red, green and blue of a colour token. */
function colourOf(pen: CanvasRenderingContext2D, style: CSSStyleDeclaration, token: string): Uint8ClampedArray {
  pen.fillStyle = style.getPropertyValue(token);
  pen.fillRect(0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data;
}
