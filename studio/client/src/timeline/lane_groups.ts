import { element } from "../core/dom";
import type { BlendRecipe, Item } from "../core/messages";
import { sourcesOf } from "../core/recipes";
import { Signal } from "../core/signal";
import type { Studio } from "../core/studio";
import { capitalize, percent } from "../core/text";
import type { Axis } from "./axis";
import type { ClipView } from "./clip_view";
import type { Colours } from "./colours";
import { columnCurve, valueAt } from "./curves";
import type { TimelineEditor } from "./editor";
import { LaneGroup } from "./lane_group";
import type { Lane } from "./lanes/lane";
import type { Playhead } from "./playhead";
import { Pointer } from "./pointer";
import type { Ruler } from "./ruler";

/** Up to this many sources have their lanes open at first. */
const MAX_OPEN_SOURCES = 2;
/** Seconds. */
const SAME_TIME = 1e-6;

/** The lanes of the selected clip, and below them those of its sources. */
export class LaneGroups {
  readonly element: HTMLElement;
  readonly easing: HTMLElement;
  /** The lanes have changed. */
  readonly updated = new Signal();
  private readonly empty = element("p", { class: "empty" }, "Select a clip to see its timeline.");
  private readonly line = element("div", { class: "timeline-playhead" });
  private readonly content = element("div", { class: "timeline-groups" });
  private readonly easingSelect: HTMLSelectElement;
  private readonly open = new Map<string, boolean>();
  private readonly pointer: Pointer;
  private groups: LaneGroup[] = [];
  /** The motion that the axis shows, and where the playhead is in it: the frame before edits, and the time. */
  private key = "";
  private frame = 0;
  private seconds = 0;

  constructor(
    private readonly studio: Studio,
    private readonly editor: TimelineEditor,
    private readonly axis: Axis,
    private readonly playhead: Playhead,
    private readonly ruler: Ruler,
    private readonly colours: () => Colours,
  ) {
    this.pointer = new Pointer(editor, axis, (group, event) => {
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

  /** The lanes of a clip in the timeline, whether its group is open or not. */
  lanesOf(id: string): Lane[] {
    return this.groups.find((group) => group.id === id)?.allLanes ?? [];
  }

  /** Seconds of a clip at the playhead. */
  timeAtPlayhead(id: string): number {
    return this.groups.find((group) => group.id === id)?.timeAtPlayhead ?? 0;
  }

  /** Move the playhead to a time of a clip, if it is the selected one. */
  goTo(id: string, seconds: number): void {
    if (id === this.groups[0]?.id) this.playhead.seek(seconds);
  }

  draw(): void {
    this.groups.forEach((group) => group.draw());
  }

  /** Remove the selected mark. */
  removeSelected(): void {
    const selected = this.editor.selectedMark;
    const grips = selected ? this.lanesOf(selected.item).flatMap((lane) => lane.grips()) : [];
    const remove = grips.find(({ mark }) => mark === selected?.mark)?.remove;
    if (!selected || !remove) return;
    this.editor.selectMark(null);
    this.editor.send(selected.item, remove());
  }

  private listen(): void {
    const { studio, editor, axis } = this;
    studio.selectionChanged.on(() => {
      this.rebuild();
      axis.fit();
    });
    studio.documentChanged.on(() => this.rebuild());
    editor.changed.on((id) => this.changed(id));
    editor.selectedMarkChanged.on(() => this.draw());
    axis.changed.on(() => this.resize());
    studio.playback.moved.on((seconds) => {
      axis.reveal(seconds);
      this.moved();
    });
  }

  /** Build groups for the present clips, unless they are the same as before. */
  private rebuild(): void {
    const selected = this.studio.selected;
    const ids = selected ? [...new Set([selected.id, ...sourcesOf(selected.recipe)])] : [];
    const isSame = ids.join() === this.groups.map(({ id }) => id).join();
    if (!isSame) {
      this.pointer.cancel();
      this.groups = ids.map((id, n) => this.group(id, n === 0 || ids.length - 1 <= MAX_OPEN_SOURCES));
      this.content.replaceChildren(...(ids.length > 0 ? this.groups.map((group) => group.element) : [this.empty]));
      const mark = this.editor.selectedMark;
      if (mark && !ids.includes(mark.item)) this.editor.selectMark(null);
    }
    this.groups.forEach((group) => this.fill(group));
    this.refresh();
  }

  private group(id: string, open: boolean): LaneGroup {
    const group = new LaneGroup(id, this.editor, this.axis, this.colours, this.open.get(id) ?? open, (isOpen) => {
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

  private fill(group: LaneGroup): void {
    const { error } = this.studio.progressOf(group.id);
    const message = this.studio.motion(group.id) ? "" : "Computing the clip…";
    group.update(this.studio.item(group.id), capitalize(error ?? message));
  }

  private refresh(): void {
    const view = this.groups[0]?.view ?? null;
    this.followTrim(view);
    this.axis.setExtent(...this.extent());
    const recipe = view?.item.recipe;
    this.easing.hidden = recipe?.type !== "blend" || recipe.keys.length === 0;
    if (recipe?.type === "blend") this.easingSelect.value = recipe.easing;
    this.ruler.draw();
    this.moved();
    this.updated.emit();
  }

  /** A trim changes which frame is 0: the playhead and the view stay with the motion. */
  private followTrim(view: ClipView | null): void {
    const name = view ? `${view.item.id} ${view.motion.key}` : "";
    const [before] = this.key.split(" ");
    if (view && name !== this.key && before === view.item.id) {
      const seconds = view.computed.seconds(this.frame);
      const shift = seconds - this.seconds;
      this.key = name;
      if (Math.abs(shift) < SAME_TIME) return;
      this.axis.shift(shift);
      this.studio.playback.seek(seconds);
    }
    this.key = name;
  }

  /** From the first to the last time of all clips, including what was trimmed away. */
  private extent(): [number, number] {
    const times = this.groups.flatMap(({ view }) => {
      if (!view) return [];
      return [0, view.motion.duration, view.computed.seconds(0), view.computed.seconds(view.last)];
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
    const view = this.groups[0]?.view ?? null;
    if (view && this.key === `${view.item.id} ${view.motion.key}`) {
      this.frame = view.computed.frame(time);
      this.seconds = time;
    }
    const x = this.axis.x(time);
    this.line.hidden = view === null || x < 0 || x > this.axis.width;
    this.line.style.transform = `translateX(${x}px)`;
    this.ruler.update();
    this.groups.forEach((group, n) => this.showPlayhead(group, n, view, time));
  }

  /** For a source, show the frame that the blend uses at the playhead, and its weight. */
  private showPlayhead(group: LaneGroup, n: number, view: ClipView | null, time: number): void {
    const frames = view?.motion.arrays["frames"];
    const weights = view?.motion.arrays["weights"];
    const column = n === 0 || !view ? -1 : view.sources.findIndex(({ id }) => id === group.id);
    if (!view || column < 0 || !frames || column >= (frames.shape[1] ?? 0)) return group.showPlayhead(time, null, "");
    const frame = valueAt(columnCurve(view, frames, column), time);
    const weight = weights ? ` · ${percent(valueAt(columnCurve(view, weights, column), time))}` : "";
    const fps = group.view?.computed.fps ?? this.playhead.fps;
    group.showPlayhead(time, frame / fps, `${frame.toFixed(1)}${weight}`);
  }

  private setEasing(easing: BlendRecipe["easing"]): void {
    const item: Item | null = this.studio.selected;
    if (item?.recipe.type === "blend") this.studio.setRecipe(item.id, { ...item.recipe, easing });
  }
}

function easingSelect(change: (easing: BlendRecipe["easing"]) => void): HTMLSelectElement {
  const select = element(
    "select",
    { title: "How weights change between keys", onchange: () => change(select.value as BlendRecipe["easing"]) },
    ...["smooth", "linear", "hold"].map((easing) => element("option", { value: easing }, easing)),
  );
  return select;
}
