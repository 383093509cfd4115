import { element } from "../core/dom";
import type { Item } from "../core/messages";
import type { Axis } from "./axis";
import type { Desk } from "./desk";
import { type Grip, gripAt } from "./grips";
import type { Inks } from "./inks";
import type { Lane } from "./lanes/lane";
import { lanesOf } from "./lanes";
import type { Shown } from "./shown";
import { Surface } from "./surface";

/** A lane and a place on it, under the pointer. */
export interface Spot {
  lane: Lane;
  grip: Grip | null;
  seconds: number;
}

/** The lanes of one clip: labels on the left, one canvas for all lanes on the right. */
export class Group {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** What the lanes are made from, or null until the clip has motion. */
  shown: Shown | null = null;
  /** All lanes; those that are shown are the first one only while the group is closed. */
  allLanes: Lane[] = [];
  /** Seconds of this clip that are under the playhead. */
  moment = 0;
  private lanes: Lane[] = [];
  private readonly name = element("span", { class: "timeline-name" });
  private readonly swatch = element("span", { class: "timeline-swatch" });
  private readonly reading = element("span", { class: "timeline-reading" });
  private readonly labels = element("div", { class: "timeline-labels" });
  private readonly message = element("p", { class: "timeline-state muted" });
  private readonly needle = element("div", { class: "timeline-needle", hidden: true });
  private readonly surface = new Surface((context) => this.paint(context));
  private readonly toggle: HTMLButtonElement;
  private item: Item | null = null;
  private readouts: { lane: Lane; element: HTMLElement }[] = [];

  constructor(
    readonly id: string,
    private readonly desk: Desk,
    private readonly axis: Axis,
    private readonly inks: () => Inks,
    private open: boolean,
    onToggled: (open: boolean) => void,
  ) {
    this.canvas = this.surface.canvas;
    this.canvas.setAttribute("aria-hidden", "true"); // the list of marks is the same for keyboard and screen reader
    this.toggle = element("button", {
      class: "timeline-toggle",
      type: "button",
      onclick: () => {
        this.open = !this.open;
        onToggled(this.open);
        this.update();
      },
    });
    this.toggle.append(this.swatch, this.name);
    this.element = element(
      "div",
      { class: "timeline-group", "data-item": id },
      element(
        "div",
        { class: "timeline-side" },
        element("div", { class: "timeline-head" }, this.toggle, this.reading),
        this.labels,
      ),
      element("div", { class: "timeline-lanes" }, this.canvas, this.needle, this.message),
    );
  }

  /** Make the lanes anew; `message` says what is wrong, or why there is no motion yet. */
  update(item = this.item, message = this.message.textContent ?? ""): void {
    this.item = item;
    this.shown = this.desk.shown(this.id);
    this.name.textContent = item?.name ?? "";
    this.swatch.style.background = `var(--figure-${item?.colour ?? 0})`;
    this.toggle.title = item?.name ?? "";
    this.toggle.setAttribute("aria-expanded", String(this.open));
    this.message.textContent = message;
    this.allLanes = this.shown ? lanesOf(this.shown) : [];
    this.lanes = this.open ? this.allLanes : this.allLanes.slice(0, 1);
    this.label();
    this.resize();
  }

  resize(): void {
    this.surface.resize(
      this.axis.width,
      this.lanes.reduce((sum, { height }) => sum + height, 0),
    );
  }

  draw(): void {
    this.surface.draw();
  }

  /** Say what is under the playhead, which is at `seconds` of the selected clip. Of a source, `own` is the moment of
   * it that goes into the selected clip then, and `reading` tells more. */
  read(seconds: number, own: number | null, reading: string): void {
    for (const { lane, element: text } of this.readouts) text.textContent = lane.readout!(seconds);
    this.moment = own ?? seconds;
    this.reading.textContent = reading;
    this.needle.hidden = own === null;
    if (own !== null) this.needle.style.transform = `translateX(${this.axis.x(own)}px)`;
  }

  /** What is at a pixel of the canvas. */
  spotAt(x: number, y: number): Spot | null {
    let top = 0;
    for (const lane of this.lanes) {
      if (y >= top && y < top + lane.height) {
        return { lane, grip: gripAt(lane.grips(), this.axis, x, y - top), seconds: this.axis.seconds(x) };
      }
      top += lane.height;
    }
    return null;
  }

  private label(): void {
    this.readouts = [];
    const rows = this.lanes.slice(1).map((lane) => {
      const text = element("span", { class: "timeline-label-text" }, lane.label);
      const row = element(
        "div",
        { class: "timeline-label", title: lane.title, style: `height:${lane.height}px` },
        text,
      );
      if (lane.readout) {
        const reading = element("span", { class: "timeline-reading" });
        row.append(reading);
        this.readouts.push({ lane, element: reading });
      }
      return row;
    });
    this.labels.replaceChildren(...rows);
  }

  private paint(context: CanvasRenderingContext2D): void {
    const chosen = this.desk.chosen;
    const selected = chosen?.item === this.id ? chosen.mark : null;
    let top = 0;
    for (const lane of this.lanes) {
      context.save();
      context.translate(0, top);
      lane.draw({ context, axis: this.axis, inks: this.inks(), height: lane.height, selected });
      context.restore();
      top += lane.height;
    }
  }
}
