import { element } from "../core/dom";
import { clamp } from "../core/numbers";
import { type Axis, ticks } from "./axis";
import { PaintedCanvas } from "./canvas";
import type { Colours } from "./colours";
import type { Playhead } from "./playhead";

const HEIGHT = 24;
const PAGE = 10;

/** The scale of the time axis, which is also the slider of the playhead. */
export class Ruler {
  readonly element: HTMLElement;
  private readonly paintedCanvas: PaintedCanvas;

  constructor(
    private readonly axis: Axis,
    private readonly colours: () => Colours,
    private readonly playhead: Playhead,
  ) {
    this.paintedCanvas = new PaintedCanvas((context, width) => this.paint(context, width));
    this.paintedCanvas.canvas.setAttribute("aria-hidden", "true");
    this.element = element("div", {
      class: "timeline-ruler",
      role: "slider",
      tabindex: 0,
      "aria-label": "Playhead",
      "aria-valuemin": 0,
      onpointerdown: (event: PointerEvent) => this.press(event),
      onkeydown: (event: KeyboardEvent) => this.key(event),
    });
    this.element.append(this.paintedCanvas.canvas);
    this.update();
  }

  resize(): void {
    this.paintedCanvas.resize(this.axis.width, HEIGHT);
  }

  draw(): void {
    this.paintedCanvas.draw();
  }

  /** Update the position of the playhead for screen readers. */
  update(): void {
    this.element.setAttribute("aria-valuemax", String(this.playhead.lastFrame));
    this.element.setAttribute("aria-valuenow", String(this.playhead.frame));
    this.element.setAttribute("aria-valuetext", this.playhead.text);
  }

  /** Move the playhead with the pointer until it is released; pixels are counted in `area`. */
  scrub(event: PointerEvent, area: HTMLElement): void {
    if (event.button !== 0) return;
    const left = area.getBoundingClientRect().left;
    // Beyond the edge, every move of the pointer would scroll the view.
    const x = (clientX: number) => clamp(clientX - left, this.axis.x(this.axis.start), this.axis.x(this.axis.end));
    const go = ({ clientX }: PointerEvent) => this.playhead.seek(this.axis.seconds(x(clientX)));
    const stop = new AbortController();
    area.setPointerCapture(event.pointerId);
    area.addEventListener("pointermove", go, { signal: stop.signal });
    for (const end of ["pointerup", "pointercancel"] as const) {
      area.addEventListener(end, () => stop.abort(), { signal: stop.signal });
    }
    go(event);
  }

  private press(event: PointerEvent): void {
    this.scrub(event, this.element);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowRight: event.shiftKey ? PAGE : 1,
      ArrowUp: 1,
      ArrowLeft: event.shiftKey ? -PAGE : -1,
      ArrowDown: -1,
      PageUp: PAGE,
      PageDown: -PAGE,
      Home: -Infinity,
      End: Infinity,
    };
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.playhead.step(by);
  }

  private paint(context: CanvasRenderingContext2D, width: number): void {
    const colours = this.colours();
    context.font = colours.font;
    context.textBaseline = "top";
    for (const { seconds, label } of ticks(this.axis, this.playhead.fps)) {
      const x = Math.round(this.axis.x(seconds)) + 0.5;
      context.strokeStyle = label === null ? colours.line : colours.muted;
      context.beginPath();
      context.moveTo(x, label === null ? HEIGHT - 5 : HEIGHT - 9);
      context.lineTo(x, HEIGHT);
      context.stroke();
      if (label === null) continue;
      context.fillStyle = colours.muted;
      context.textAlign = x < 16 ? "left" : x > width - 20 ? "right" : "center";
      // The first label stands beside the playhead, not under it.
      context.fillText(label, x < 16 ? x + 5 : x, 1);
    }
  }
}
