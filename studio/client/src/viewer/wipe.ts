import { element } from "../core/dom";
import { clamp, roundTo } from "../core/numbers";

const KEY_STEP = 0.02;

/** The line between two clips: left of it the first is seen, right of it the second. */
export class Wipe {
  readonly element: HTMLElement;
  /** Fraction of the width left of the line. */
  at = 0.5;

  constructor(private readonly changed: () => void) {
    this.element = element("div", {
      class: "wipe",
      role: "slider",
      tabindex: 0,
      "aria-label": "Line between the clips",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      onpointerdown: (event: PointerEvent) => this.element.setPointerCapture(event.pointerId),
      onpointermove: (event: PointerEvent) => {
        if (!this.element.hasPointerCapture(event.pointerId)) return;
        const { left, width } = this.element.parentElement!.getBoundingClientRect();
        this.move((event.clientX - left) / width);
      },
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.move(this.at + step);
      },
    });
    this.move(0.5);
  }

  move(to: number): void {
    this.at = clamp(to, 0, 1);
    this.element.style.left = `${roundTo(100 * this.at, 2)}%`;
    this.element.setAttribute("aria-valuenow", String(Math.round(100 * this.at)));
    this.changed();
  }
}
