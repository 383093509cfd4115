import { element } from "../core/dom";
import type { BlendRecipe, Item } from "../core/messages";
import { sourcesOf } from "../core/recipes";
import { Signal } from "../core/signal";
import type { Studio } from "../core/studio";
import type { Axis } from "./axis";
import { columnCurve, valueAt } from "./blend_rows";
import type { Desk } from "./desk";
import { Group } from "./group";
import type { Inks } from "./inks";
import type { Lane } from "./lanes/lane";
import type { Playhead } from "./playhead";
import { Pointer } from "./pointer";
import type { Ruler } from "./ruler";
import type { Shown } from "./shown";

/** Sources of a blend whose lanes are open at first; of more, only the bars are shown. */
const OPEN_SOURCES = 2;
/** Seconds that are no change of place. */
const SAME_TIME = 1e-6;

/** The lanes of the selected clip, and below them those of the clips that it is made of. */
export class GroupStack {
  readonly element: HTMLElement;
  readonly easing: HTMLElement;
  /** The lanes show something else. */
  readonly updated = new Signal();
  private readonly empty = element("p", { class: "empty" }, "Select a clip to see its timeline.");
  private readonly line = element("div", { class: "timeline-playhead" });
  private readonly content = element("div", { class: "timeline-groups" });
  private readonly easingSelect: HTMLSelectElement;
  private readonly open = new Map<string, boolean>();
  private readonly pointer: Pointer;
  private groups: Group[] = [];
  /** The motion that the axis shows, and where the playhead is in it: the frame before edits, and the time. */
  private key = "";
  private frame = 0;
  private seconds = 0;

  constructor(
    private readonly studio: Studio,
    private readonly desk: Desk,
    private readonly axis: Axis,
    private readonly playhead: Playhead,
    private readonly ruler: Ruler,
    private readonly inks: () => Inks,
  ) {
    this.pointer = new Pointer(desk, axis, (group, event) => {
      if (group === this.groups[0]) ruler.scrub(event, group.canvas);
    });
    const scale = element(
      "div",
      { class: "timeline-scale" },
      element("div", { class: "timeline-side" }),
      ruler.element,
    );
    this.element = element("div", { class: "timeline-content" }, scale, this.content, this.line);
    this.easingSelect = easingSelect((easing) => this.setEasing(easing));
    this.easing = element("label", { class: "timeline-field" }, "Easing", this.easingSelect);
    this.listen();
    this.rebuild();
  }

  /** The lanes of a clip that is shown, whether its group is open or not. */
  lanesOf(id: string): Lane[] {
    return this.groups.find((group) => group.id === id)?.allLanes ?? [];
  }

  /** Seconds of a clip that are under the playhead. */
  momentOf(id: string): number {
    return this.groups.find((group) => group.id === id)?.moment ?? 0;
  }

  /** Put the playhead to a moment of a clip, if that is the one which plays. */
  goTo(id: string, seconds: number): void {
    if (id === this.groups[0]?.id) this.playhead.seek(seconds);
  }

  draw(): void {
    this.groups.forEach((group) => group.draw());
  }

  /** Remove the mark that is selected. */
  removeChosen(): void {
    const chosen = this.desk.chosen;
    const grips = chosen ? this.lanesOf(chosen.item).flatMap((lane) => lane.grips()) : [];
    const removed = grips.find(({ mark }) => mark === chosen?.mark)?.removed;
    if (!chosen || !removed) return;
    this.desk.choose(null);
    this.desk.send(chosen.item, removed());
  }

  private listen(): void {
    const { studio, desk, axis } = this;
    studio.selectionChanged.on(() => {
      this.rebuild();
      axis.fit();
    });
    studio.documentChanged.on(() => this.rebuild());
    desk.changed.on((id) => this.changed(id));
    desk.chosenChanged.on(() => this.draw());
    axis.changed.on(() => this.resize());
    studio.playback.moved.on((seconds) => {
      axis.reveal(seconds);
      this.moved();
    });
  }

  /** Groups for the clips that are shown now; those that were there stay. */
  private rebuild(): void {
    const selected = this.studio.selected;
    const ids = selected ? [...new Set([selected.id, ...sourcesOf(selected.recipe)])] : [];
    const isSame = ids.join() === this.groups.map(({ id }) => id).join();
    if (!isSame) {
      this.pointer.drop();
      this.groups = ids.map((id, n) => this.group(id, n === 0 || ids.length - 1 <= OPEN_SOURCES));
      this.content.replaceChildren(...(ids.length > 0 ? this.groups.map((group) => group.element) : [this.empty]));
      if (this.desk.chosen && !ids.includes(this.desk.chosen.item)) this.desk.choose(null);
    }
    this.groups.forEach((group) => this.fill(group));
    this.refresh();
  }

  private group(id: string, open: boolean): Group {
    const group = new Group(id, this.desk, this.axis, this.inks, this.open.get(id) ?? open, (isOpen) => {
      this.open.set(id, isOpen);
      this.refresh();
    });
    this.pointer.attach(group);
    return group;
  }

  private changed(id: string): void {
    const group = this.groups.find((one) => one.id === id);
    if (!group) return;
    this.fill(group);
    this.refresh();
  }

  private fill(group: Group): void {
    const { error } = this.studio.progressOf(group.id);
    const waiting = this.studio.motion(group.id) ? "" : "Making the clip …";
    group.update(this.studio.item(group.id), error ?? waiting);
  }

  private refresh(): void {
    const shown = this.groups[0]?.shown ?? null;
    this.keepPlace(shown);
    this.axis.setExtent(...this.extent());
    const recipe = shown?.item.recipe;
    this.easing.hidden = recipe?.type !== "blend" || recipe.keys.length === 0;
    if (recipe?.type === "blend") this.easingSelect.value = recipe.easing;
    this.ruler.draw();
    this.moved();
    this.updated.emit();
  }

  /** When a clip was trimmed its frames count from elsewhere: the playhead and the view stay with the motion. */
  private keepPlace(shown: Shown | null): void {
    const name = shown ? `${shown.item.id} ${shown.motion.key}` : "";
    const [before] = this.key.split(" ");
    if (shown && name !== this.key && before === shown.item.id) {
      const seconds = shown.made.seconds(this.frame);
      const shift = seconds - this.seconds;
      this.key = name;
      if (Math.abs(shift) < SAME_TIME) return;
      this.axis.shift(shift);
      this.studio.playback.seek(seconds);
    }
    this.key = name;
  }

  /** From the first to the last moment of anything that is shown, with what was trimmed away. */
  private extent(): [number, number] {
    const times = this.groups.flatMap(({ shown }) => {
      if (!shown) return [];
      return [0, shown.motion.duration, shown.made.seconds(0), shown.made.seconds(shown.last)];
    });
    return [Math.min(0, ...times), Math.max(0, ...times) || 1];
  }

  private resize(): void {
    this.ruler.resize();
    this.groups.forEach((group) => group.resize());
    this.moved();
  }

  private moved(): void {
    const { time } = this.studio.playback;
    const shown = this.groups[0]?.shown ?? null;
    if (shown && this.key === `${shown.item.id} ${shown.motion.key}`) {
      this.frame = shown.made.frame(time);
      this.seconds = time;
    }
    const x = this.axis.x(time);
    this.line.hidden = shown === null || x < 0 || x > this.axis.width;
    this.line.style.transform = `translateX(${x}px)`;
    this.ruler.read();
    this.groups.forEach((group, n) => this.readGroup(group, n, shown, time));
  }

  /** Of a source: the frame that goes into the blend now, and how much it counts. */
  private readGroup(group: Group, n: number, shown: Shown | null, time: number): void {
    const frames = shown?.motion.arrays["frames"];
    const weights = shown?.motion.arrays["weights"];
    const column = n === 0 || !shown ? -1 : shown.sources.findIndex(({ id }) => id === group.id);
    if (!shown || column < 0 || !frames || column >= (frames.shape[1] ?? 0)) return group.read(time, null, "");
    const frame = valueAt(columnCurve(shown, frames, column), time);
    const weight = weights ? ` · ${Math.round(100 * valueAt(columnCurve(shown, weights, column), time))} %` : "";
    const fps = group.shown?.made.fps ?? this.playhead.fps;
    group.read(time, frame / fps, `${frame.toFixed(1)}${weight}`);
  }

  private setEasing(easing: BlendRecipe["easing"]): void {
    const item: Item | null = this.studio.selected;
    if (item?.recipe.type === "blend") this.studio.setRecipe(item.id, { ...item.recipe, easing });
  }
}

function easingSelect(change: (easing: BlendRecipe["easing"]) => void): HTMLSelectElement {
  const select = element(
    "select",
    { title: "How weights go from key to key", onchange: () => change(select.value as BlendRecipe["easing"]) },
    ...["smooth", "linear", "hold"].map((easing) => element("option", { value: easing }, easing)),
  );
  return select;
}
