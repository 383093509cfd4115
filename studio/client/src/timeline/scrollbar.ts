import { element } from "../core/dom";
import type { Axis } from "./axis";

/** The bar under the lanes that scrolls in time: the browser's own, over something as long as the whole axis. */
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
    // What the axis itself has set comes back as an event, too, up to a pixel.
    if (Math.abs(this.element.scrollLeft - this.expected) <= 1 || !this.axis.isZoomed) return;
    const [first, last] = this.axis.extent;
    const start = first + (this.element.scrollLeft / this.inside.clientWidth) * (last - first);
    this.axis.pan(start - this.axis.start);
  }
}
