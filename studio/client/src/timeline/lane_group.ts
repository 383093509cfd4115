import { element } from "../core/dom";
import type { Item } from "../core/messages";
import type { Axis } from "./axis";
import { PaintedCanvas } from "./canvas";
import type { ClipView } from "./clip_view";
import type { Colours } from "./colours";
import type { TimelineEditor } from "./editor";
import { type Grip, gripAt } from "./grips";
import { clipLane } from "./lanes/clip_lane";
import { eventLanes } from "./lanes/event_lanes";
import type { Lane } from "./lanes/lane";
import { plantLanes } from "./lanes/plant_lanes";
import { timingLane } from "./lanes/timing_lane";
import { fixedWeightLane, weightLane } from "./lanes/weight_lane";

/** What is under the pointer: a lane, a time on it, and a grip if there is one. */
export interface LaneHit {
  lane: Lane;
  grip: Grip | null;
  seconds: number;
}

/** The lanes of one clip: labels on the left, one canvas for all lanes on the right. */
export class LaneGroup {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** What the lanes show, or null until the clip has motion. */
  view: ClipView | null = null;
  /** All lanes; a closed group shows only the first. */
  allLanes: Lane[] = [];
  /** Seconds of this clip at the playhead. */
  timeAtPlayhead = 0;
  private lanes: Lane[] = [];
  private readonly name = element("span", { class: "timeline-name" });
  private readonly swatch = element("span", { class: "timeline-swatch" });
  private readonly reading = element("span", { class: "timeline-reading" });
  private readonly labels = element("div", { class: "timeline-labels" });
  private readonly message = element("p", { class: "timeline-state muted" });
  private readonly needle = element("div", { class: "timeline-needle", hidden: true });
  private readonly painted = new PaintedCanvas((context) => this.paint(context));
  private readonly toggle: HTMLButtonElement;
  private item: Item | null = null;
  private readouts: { lane: Lane; element: HTMLElement }[] = [];

  constructor(
    readonly id: string,
    private readonly editor: TimelineEditor,
    private readonly axis: Axis,
    private readonly colours: () => Colours,
    private open: boolean,
    onToggled: (open: boolean) => void,
  ) {
    this.canvas = this.painted.canvas;
    this.canvas.setAttribute("aria-hidden", "true"); // the list of marks serves keyboard and screen readers
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

  /** Build the lanes again; `message` says what went wrong, or why there is no motion yet. */
  update(item = this.item, message = this.message.textContent ?? ""): void {
    this.item = item;
    this.view = this.editor.view(this.id);
    this.name.textContent = item?.name ?? "";
    this.swatch.style.background = `var(--figure-${item?.colour ?? 0})`;
    this.toggle.title = item?.name ?? "";
    this.toggle.setAttribute("aria-expanded", String(this.open));
    this.message.textContent = message;
    this.allLanes = this.view ? lanesOf(this.view) : [];
    this.lanes = this.open ? this.allLanes : this.allLanes.slice(0, 1);
    this.buildLabels();
    this.resize();
  }

  resize(): void {
    this.painted.resize(
      this.axis.width,
      this.lanes.reduce((sum, { height }) => sum + height, 0),
    );
  }

  draw(): void {
    this.painted.draw();
  }

  /** Show the values at the playhead, which is at `seconds` of the selected clip. For a source, `own` is its time that
   * the selected clip uses then, and `reading` says more. */
  showPlayhead(seconds: number, own: number | null, reading: string): void {
    for (const { lane, element: text } of this.readouts) text.textContent = lane.readout!(seconds);
    this.timeAtPlayhead = own ?? seconds;
    this.reading.textContent = reading;
    this.needle.hidden = own === null;
    if (own !== null) this.needle.style.transform = `translateX(${this.axis.x(own)}px)`;
  }

  /** Find what is at a pixel of the canvas. */
  hitTest(x: number, y: number): LaneHit | null {
    let top = 0;
    for (const lane of this.lanes) {
      if (y >= top && y < top + lane.height) {
        return { lane, grip: gripAt(lane.grips(), this.axis, x, y - top), seconds: this.axis.seconds(x) };
      }
      top += lane.height;
    }
    return null;
  }

  private buildLabels(): void {
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
    const mark = this.editor.selectedMark;
    const selected = mark?.item === this.id ? mark.mark : null;
    let top = 0;
    for (const lane of this.lanes) {
      context.save();
      context.translate(0, top);
      lane.draw({ context, axis: this.axis, colours: this.colours(), height: lane.height, selected });
      context.restore();
      top += lane.height;
    }
  }
}

/** All lanes of a clip, from top to bottom. */
export function lanesOf(view: ClipView): Lane[] {
  const recipe = view.item.recipe;
  const weights = recipe.type === "blend" ? weightLane(view, recipe) : fixedWeightLane(view);
  const lanes = [clipLane(view), weights, timingLane(view), ...plantLanes(view), ...eventLanes(view)];
  return lanes.filter((lane) => lane !== null);
}
