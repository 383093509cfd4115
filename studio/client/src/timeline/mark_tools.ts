import { element } from "../core/dom";
import { markFrame, type ClipView } from "./clip_view";
import type { TimelineEditor } from "./editor";
import { marksOf, setMarks, addPlant } from "./edits";
import { DEFAULT_LABEL } from "./lanes/event_lanes";
import { addWeightKey } from "./lanes/weight_lane";

const KINDS = ["heel", "toe", "hand"];

/** Controls that add a mark at the playhead, without a pointer. */
export class MarkTools {
  readonly element: HTMLElement;
  /** Discards all edits of plants and events. */
  readonly reset: HTMLElement;
  private readonly joint = element("select", { "aria-label": "Joint of the new plant" });
  private readonly kind = element(
    "select",
    { "aria-label": "Kind of the new plant" },
    ...KINDS.map((kind) => element("option", { value: kind }, kind)),
  );
  private readonly label = element("input", {
    type: "text",
    value: DEFAULT_LABEL,
    "aria-label": "Label of the new event",
  });
  private readonly keys: HTMLElement;
  private item: string | null = null;

  constructor(
    private readonly editor: TimelineEditor,
    /** Seconds of a clip at the playhead. */
    private readonly timeAtPlayhead: (id: string) => number,
    private readonly say: (text: string) => void,
  ) {
    this.keys = row(button("Add weight key", () => this.addKey()));
    this.reset = row(button("Reset to detected marks", () => this.resetMarks()));
    this.element = element(
      "details",
      { class: "mark-tools" },
      element("summary", {}, "Add at the playhead"),
      this.keys,
      row(
        this.joint,
        this.kind,
        button("Add plant", () => this.addPlant()),
      ),
      row(
        this.label,
        button("Add event", () => this.addEvent()),
      ),
    );
  }

  update(item: string | null): void {
    this.item = item;
    const { view } = this;
    this.element.hidden = view === null;
    this.reset.hidden = !view || view.item.marks === null;
    if (!view) return;
    this.keys.hidden = view.item.recipe.type !== "blend";
    const names = jointsInOrder(view);
    if ([...this.joint.options].map(({ value }) => value).join() === names.join()) return;
    const before = this.joint.value;
    this.joint.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(before)) this.joint.value = before;
  }

  /** The clip as it is now; what is shown may be older by a repaint. */
  private get view(): ClipView | null {
    return this.item === null ? null : this.editor.view(this.item);
  }

  private addPlant(): void {
    const { view } = this;
    if (!view) return;
    const like = { joint: this.joint.value, kind: this.kind.value };
    const marks = marksOf(view);
    const more = addPlant(marks, like, this.frame(view), view.requested.fps, view.requested.lastFrame);
    if (more) this.editor.send(view.item.id, [setMarks(view.item.id, more)]);
    else this.say(`${like.joint} is already planted here; move the playhead elsewhere.`);
  }

  private addEvent(): void {
    const { view } = this;
    if (!view) return;
    const marks = marksOf(view);
    const event = { frame: Math.round(this.frame(view)), label: this.label.value.trim() || DEFAULT_LABEL, joint: "" };
    this.editor.send(view.item.id, [setMarks(view.item.id, { ...marks, events: [...marks.events, event] })]);
  }

  private addKey(): void {
    const { view } = this;
    if (view?.item.recipe.type !== "blend") return;
    this.editor.send(view.item.id, addWeightKey(view, view.item.recipe, this.timeAtPlayhead(view.item.id)));
  }

  private resetMarks(): void {
    const { item } = this;
    if (item !== null) this.editor.send(item, [{ type: "set_marks", item, marks: null }]);
  }

  private frame(view: ClipView): number {
    return markFrame(view, this.timeAtPlayhead(view.item.id));
  }
}

/** All joints, those with plants first. */
function jointsInOrder(view: ClipView): string[] {
  const planted = marksOf(view).plants.map(({ joint }) => joint);
  return [...new Set([...planted, ...view.motion.header.names])];
}

function row(...children: HTMLElement[]): HTMLElement {
  return element("div", { class: "mark-tool" }, ...children);
}

function button(text: string, action: () => void): HTMLButtonElement {
  return element("button", { type: "button", onclick: action }, text);
}
