import { element } from "../../core/dom";
import { type Task, TASKS } from "./tasks";

const WELCOME =
  "Motionloom blends and edits motion. Each task takes about a minute, and the tour waits for you at every step.";

/** The list of tasks that the card shows between them, with the next one to do. */
export function taskList(
  finished: Set<string>,
  last: Task | null,
  start: (task: Task) => void,
  end: () => void,
): HTMLElement {
  const next = nextTask(finished, last);
  const rows = TASKS.map((task) => {
    const state = finished.has(task.id) ? "done" : task === next ? "next" : "";
    const row = element("button", { type: "button", class: "plain tour-task", onclick: () => start(task) });
    row.append(element("span", {}, task.title), element("small", {}, state));
    return element("li", {}, row);
  });
  const button = (label: string, action: () => void): HTMLElement =>
    element("button", { type: "button", class: "primary", onclick: action }, label);
  const startOrClose = next
    ? button(`Start: ${lowerFirst(next.title)}`, () => start(next))
    : button("Close the tour", end);
  return element(
    "div",
    {},
    element("p", { role: "status" }, last ? `Done. ${last.result}` : WELCOME),
    element("ol", { class: "tour-tasks" }, ...rows),
    element("div", { class: "buttons" }, startOrClose),
  );
}

/** The next unfinished task after the last one, starting over at the end. */
function nextTask(finished: Set<string>, last: Task | null): Task | null {
  const after = last ? TASKS.indexOf(last) + 1 : 0;
  const inOrder = [...TASKS.slice(after), ...TASKS.slice(0, after)];
  return inOrder.find(({ id }) => !finished.has(id)) ?? null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What the buttons of a step do. */
export interface StepActions {
  back(): void;
  /** Do the step for the user, or go on if it is already done. */
  forward(): void;
  skip(): void;
}

/** The part of the card that shows a step. It is built once, so that its buttons keep the focus. */
export class StepView {
  private readonly text = element("p", { role: "status" });
  private readonly bar = element("progress", { "aria-label": "Steps done" });
  private readonly count = element("span", { class: "muted" });
  private readonly back: HTMLButtonElement;
  private readonly forward: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(actions: StepActions) {
    this.back = element("button", { type: "button", onclick: () => actions.back() }, "Back");
    this.forward = element("button", { type: "button", onclick: () => actions.forward() });
    const skip = element(
      "button",
      { type: "button", class: "plain", title: "Leave this task", onclick: () => actions.skip() },
      "Skip",
    );
    this.element = element(
      "div",
      {},
      this.text,
      element("div", { class: "tour-progress" }, this.bar, this.count),
      element("div", { class: "buttons" }, this.back, this.forward, skip),
      element(
        "p",
        { class: "muted tour-keys" },
        element("kbd", {}, "G"),
        " moves between this card and the outlined control.",
      ),
    );
  }

  show(number: number, total: number, text: string): void {
    this.text.textContent = text;
    this.bar.max = total;
    this.bar.value = number;
    this.count.textContent = `${number + 1} of ${total}`;
    this.back.disabled = number === 0;
  }

  /** Offer to go on from a step that is done, or to do it for the user. */
  showDone(done: boolean, working: boolean): void {
    const label = done ? "Next" : working ? "Working…" : "Do it for me";
    if (this.forward.textContent === label) return; // writing it again would count as a change of the page
    this.forward.textContent = label;
    this.forward.classList.toggle("primary", done);
  }

  focus(): void {
    this.forward.focus();
  }
}

/** Pixels between the card, the control it points at, and the edges of the window. */
const GAP = 16;
/** Pixels by which the outline is larger than the control. */
const OUTSET = 4;

/** The parts of the page; the card is placed beside one of them, so that it covers nothing in it. */
const PARTS = ".layout > header, .left, .right, .bottom";

/** Outline a control and put the card beside its part of the page; without a control, into the corner of the window that
 * is farthest from clips and figures. */
export function placeCard(card: HTMLElement, frame: HTMLElement, control: HTMLElement | null): void {
  if (frame.hidden !== (control === null)) frame.hidden = control === null; // setting it again would count as a change
  if (!control) {
    moveTo(card, innerWidth - card.offsetWidth - GAP, innerHeight - card.offsetHeight - GAP);
    return;
  }
  const box = control.getBoundingClientRect();
  moveTo(frame, box.x - OUTSET, box.y - OUTSET);
  setStyle(frame, "width", box.width + 2 * OUTSET);
  setStyle(frame, "height", box.height + 2 * OUTSET);
  const { offsetWidth: width, offsetHeight: height } = card;
  const part = control.closest(PARTS)?.getBoundingClientRect() ?? box;
  const x = beside(Math.min(part.left, box.left), Math.max(part.right, box.right), width, innerWidth);
  const y = beside(Math.min(part.top, box.top), Math.max(part.bottom, box.bottom), height, innerHeight);
  const along = (start: number, size: number, room: number): number =>
    Math.max(GAP, Math.min(start, room - size - GAP));
  moveTo(
    card,
    x ?? along(box.left, width, innerWidth),
    x === null && y !== null ? y : along(box.top, height, innerHeight),
  );
}

/** Position along one axis after a part or before it; null where there is no room. */
function beside(start: number, end: number, size: number, room: number): number | null {
  if (end + size + 2 * GAP <= room) return end + GAP;
  return start >= size + 2 * GAP ? start - size - GAP : null;
}

function moveTo(box: HTMLElement, x: number, y: number): void {
  setStyle(box, "left", x);
  setStyle(box, "top", y);
}

function setStyle(box: HTMLElement, name: "left" | "top" | "width" | "height", pixels: number): void {
  box.style[name] = `${Math.round(pixels)}px`;
}
