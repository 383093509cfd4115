import { element } from "../core/dom";
import type { Axis } from "./axis";

/** The scroll bar under the lanes: the browser's own, over an element as long as the whole axis. */
export class Scrollbar {
  readonly element: HTMLElement;
  private readonly inside = element("div", { class: "timeline-scroll-inside" });
  private expected = 0;

  constructor(private readonly axis: Axis) {
    this.element = element("div", { class: "timeline-scroll", tabindex: -1 }, this.inside);
    this.element.addEventListener("scroll", () => this.follow());
    axis.changed.on(() => this.update());
  }

  private update(): void {
    const { axis } = this;
    const [first, last] = axis.extent;
    const width = this.element.clientWidth;
    const long = width * ((last - first) / (axis.end - axis.start));
    this.element.classList.toggle("is-idle", !axis.isZoomed);
    this.inside.style.width = `${axis.isZoomed ? long : 0}px`;
    this.expected = Math.round(((axis.start - first) / (last - first)) * long);
    this.element.scrollLeft = this.expected;
  }

  private follow(): void {
    // Scrolling by the axis itself also fires an event, up to a pixel off.
    if (Math.abs(this.element.scrollLeft - this.expected) <= 1 || !this.axis.isZoomed) return;
    const [first, last] = this.axis.extent;
    const start = first + (this.element.scrollLeft / this.inside.clientWidth) * (last - first);
    this.axis.pan(start - this.axis.start);
  }
}

/** Zoom per pixel of the wheel, and pixels per line and page of it. */
const ZOOM_PER_PIXEL = 0.002;
const LINE = 16;
const PAGE = 400;

/** The wheel over the lanes: zooms around the pointer with Ctrl, scrolls in time with Shift, on the ruler or if there is
 * nothing to scroll vertically, and otherwise scrolls the lanes. Pixels are counted in `scale`. */
export function attachWheel(body: HTMLElement, scale: HTMLElement, axis: Axis): void {
  body.addEventListener(
    "wheel",
    (event) => {
      const unit = [1, LINE, PAGE][event.deltaMode] ?? 1;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        axis.zoom(Math.exp(event.deltaY * unit * ZOOM_PER_PIXEL), event.clientX - scale.getBoundingClientRect().left);
        return;
      }
      const scrolls = body.scrollHeight > body.clientHeight && !scale.contains(event.target as Node);
      const along = event.deltaX + (event.shiftKey || !scrolls ? event.deltaY : 0);
      if (along === 0) return;
      event.preventDefault();
      axis.pan((along * unit) / axis.pixelsPerSecond);
    },
    { passive: false },
  );
}
