import { element } from "../core/dom";

/** A canvas at the resolution of the screen, drawn at most once per repaint. */
export class PaintedCanvas {
  readonly canvas = element("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private width = 0;
  private height = 0;
  /** Request a redraw. */
  readonly draw = oncePerRepaint(() => this.drawNow());

  constructor(private readonly paint: (context: CanvasRenderingContext2D, width: number, height: number) => void) {}

  /** Set the size in CSS pixels. */
  resize(width: number, height: number): void {
    if (width !== this.width || height !== this.height) {
      [this.width, this.height] = [width, height];
      this.canvas.style.height = `${height}px`;
    }
    this.draw();
  }

  private drawNow(): void {
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (wide === 0 || high === 0) return;
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      [this.canvas.width, this.canvas.height] = [wide, high];
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.paint(this.context, this.width, this.height);
  }
}

/** Combine all calls before the next repaint into one. */
export function oncePerRepaint(action: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(() => {
      isPending = false;
      action();
    });
  };
}
