import { element } from "../core/dom";
import type { Desk } from "./desk";
import { NEW_LABEL } from "./lanes/event_lanes";
import { keyAdded } from "./lanes/weight_lane";
import { marksOf, setMarks, withNewPlant } from "./marks";
import { markFrame, type Shown } from "./shown";

const KINDS = ["heel", "toe", "hand"];

/** What adds a mark at the playhead, without a pointer. */
export class MarkTools {
  readonly element: HTMLElement;
  /** What takes all edits of plants and events back. */
  readonly found: HTMLElement;
  private readonly joint = element("select", { "aria-label": "Joint of the new plant" });
  private readonly kind = element(
    "select",
    { "aria-label": "Kind of the new plant" },
    ...KINDS.map((kind) => element("option", { value: kind }, kind)),
  );
  private readonly label = element("input", { type: "text", value: NEW_LABEL, "aria-label": "Label of the new event" });
  private readonly keys: HTMLElement;
  private shown: Shown | null = null;

  constructor(
    private readonly desk: Desk,
    /** Seconds of a clip that are under the playhead. */
    private readonly momentOf: (id: string) => number,
    private readonly say: (text: string) => void,
  ) {
    this.keys = row(button("Add weight key", () => this.addKey()));
    this.found = row(button("Back to the plants that were found", () => this.useFound()));
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

  update(shown: Shown | null): void {
    this.shown = shown;
    this.element.hidden = shown === null;
    this.found.hidden = !shown || shown.item.marks === null;
    if (!shown) return;
    this.keys.hidden = shown.item.recipe.type !== "blend";
    const names = jointsInOrder(shown);
    if ([...this.joint.options].map(({ value }) => value).join() === names.join()) return;
    const before = this.joint.value;
    this.joint.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(before)) this.joint.value = before;
  }

  private addPlant(): void {
    const { shown } = this;
    if (!shown) return;
    const like = { joint: this.joint.value, kind: this.kind.value };
    const marks = marksOf(shown.item, shown.motion.head);
    const more = withNewPlant(marks, like, this.frame(shown), shown.wanted.fps, shown.wanted.lastFrame);
    if (more) this.desk.send(shown.item.id, [setMarks(shown.item.id, more)]);
    else this.say(`${like.joint} is planted here already: move the playhead to where it is not.`);
  }

  private addEvent(): void {
    const { shown } = this;
    if (!shown) return;
    const marks = marksOf(shown.item, shown.motion.head);
    const event = { frame: Math.round(this.frame(shown)), label: this.label.value.trim() || NEW_LABEL, joint: "" };
    this.desk.send(shown.item.id, [setMarks(shown.item.id, { ...marks, events: [...marks.events, event] })]);
  }

  private addKey(): void {
    const { shown } = this;
    if (shown?.item.recipe.type !== "blend") return;
    this.desk.send(shown.item.id, keyAdded(shown, shown.item.recipe, this.momentOf(shown.item.id)));
  }

  private useFound(): void {
    const id = this.shown?.item.id;
    if (id !== undefined) this.desk.send(id, [{ type: "set_marks", item: id, marks: null }]);
  }

  private frame(shown: Shown): number {
    return markFrame(shown, this.momentOf(shown.item.id));
  }
}

/** All joints, those that have plants first. */
function jointsInOrder({ item, motion }: Shown): string[] {
  const planted = marksOf(item, motion.head).plants.map(({ joint }) => joint);
  return [...new Set([...planted, ...motion.head.names])];
}

function row(...children: HTMLElement[]): HTMLElement {
  return element("div", { class: "mark-tool" }, ...children);
}

function button(text: string, action: () => void): HTMLButtonElement {
  return element("button", { type: "button", onclick: action }, text);
}
