import { element } from "../../core/dom";
import type { Document, StudioState } from "../../core/messages";
import { load, store } from "../../core/storage";
import type { Studio } from "../../core/studio";
import { iconButton } from "../../widgets/buttons";
import { placeCard, StepView, taskList } from "./card";
import { firstInView, Guide, onAnyChange } from "./guide";
import { type Step, stepsToAddClips, type Task } from "./tasks";

const FOCUSABLE = "button, input, select, canvas, [tabindex]";

let running: Tour | null = null;

/** Show the tour once, when the built-in project is opened. */
export function offerTour(studio: Studio): void {
  if (load("tour", false)) return;
  const stop = studio.documentChanged.on((document) => {
    stop();
    if (isBuiltIn(document)) startTour(studio);
  });
}

/** Show the tour with all its tasks. */
export function startTour(studio: Studio): void {
  running?.end();
  running = new Tour(studio);
}

/** A card that guides through tasks: it points at a control and moves on once the user has used it. The page stays
 * usable in any other way, too. Esc ends the tour. */
class Tour {
  private readonly title = element("h3", {});
  private readonly body = element("div", {});
  private readonly card = element("div", { class: "tour", role: "dialog", "aria-label": "Tour" });
  private readonly frame = element("div", { class: "tour-frame", "aria-hidden": "true" });
  private readonly view = new StepView({
    back: () => this.back(),
    forward: () => this.forward(),
    skip: () => this.showTasks(null, true),
  });
  private readonly guide: Guide;
  private readonly finished = new Set(load<string[]>("tour.done", []));
  private readonly stops: (() => void)[];
  private task: Task | null = null;
  private steps: Step[] = [];
  private number = 0;
  /** The step was already done when it came up, so the user decides when to go on. */
  private waits = false;
  /** Controls that the tour has clicked for this step; null unless it does the step itself. */
  private pressed: Element[] | null = null;
  /** The state of the server when the tour last acted on this step. */
  private actedOn: StudioState | null = null;

  constructor(private readonly studio: Studio) {
    this.guide = new Guide(studio);
    const close = iconButton("close", "Close the tour", () => this.end());
    this.card.append(element("header", {}, this.title, close), this.body);
    this.card.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
    document.body.append(this.frame, this.card);
    const shortcut = {
      id: "tour.go",
      keys: ["G"],
      label: "Move between the tour and the control it points at",
      group: "General",
      action: () => this.moveFocus(),
    };
    this.stops = [
      onAnyChange(studio, () => this.follow()),
      studio.shortcuts.register(shortcut),
      studio.spoke.on(({ kind }) => {
        if (kind === "error") this.pressed = null; // try again
      }),
    ];
    this.showTasks(null, true);
  }

  end(): void {
    store("tour", true);
    this.stops.forEach((stop) => stop());
    this.card.remove();
    this.frame.remove();
    running = null;
  }

  private get step(): Step | null {
    return this.task ? (this.steps[this.number] ?? null) : null;
  }

  private get target(): HTMLElement | null {
    return this.step ? firstInView(this.step.at) : null;
  }

  private showTasks(last: Task | null, focus: boolean): void {
    this.task = null;
    this.title.textContent = last?.title ?? "Tour";
    this.body.replaceChildren(
      taskList(
        this.finished,
        last,
        (task) => this.start(task),
        () => this.end(),
      ),
    );
    placeCard(this.card, this.frame, null);
    if (focus) this.focus();
  }

  private start(task: Task): void {
    this.task = task;
    this.guide.start();
    this.steps = [...stepsToAddClips(this.studio, task.needs), ...task.steps];
    this.title.textContent = task.title;
    this.body.replaceChildren(this.view.element);
    this.show(0);
    this.view.focus();
  }

  private show(number: number): void {
    this.number = number;
    this.pressed = this.actedOn = null;
    const step = this.step!;
    this.waits = step.isDone(this.guide);
    this.view.show(number, this.steps.length, step.text);
    this.target?.scrollIntoView({ block: "nearest" });
    this.follow();
  }

  /** After any change: go on if the step is done, and stay beside its control. */
  private follow(): void {
    const { step } = this;
    if (!step) return placeCard(this.card, this.frame, null);
    const done = step.isDone(this.guide);
    if (!done) this.waits = false;
    if (done && !this.waits) return this.next();
    if (!done && this.pressed) this.press();
    this.view.showDone(done, this.pressed !== null);
    placeCard(this.card, this.frame, this.target);
  }

  private next(): void {
    if (this.number + 1 < this.steps.length) return this.show(this.number + 1);
    const task = this.task!;
    this.finished.add(task.id);
    store("tour.done", [...this.finished]);
    // Leave the focus alone if the user works in the page.
    this.showTasks(task, this.card.contains(document.activeElement));
  }

  private back(): void {
    if (this.number > 0) this.show(this.number - 1);
  }

  private forward(): void {
    if (this.waits) return this.next();
    if (this.pressed) return; // already doing it
    this.pressed = [];
    this.press();
    this.follow();
  }

  /** Do the step: click the control it points at, then whatever that leads to. */
  private press(): void {
    const { step, target } = this;
    if (!step || !this.pressed) return;
    if (step.act && target === firstInView(step.at.slice(0, 1))) {
      const { state } = this.studio;
      if (state !== this.actedOn && step.act(this.guide)) this.actedOn = state;
      return;
    }
    if (!target || this.pressed.includes(target) || target.matches(":disabled")) return;
    this.pressed.push(target);
    target.click();
  }

  /** Move the focus between the card and the control it points at. */
  private moveFocus(): void {
    const { target } = this;
    if (!this.card.contains(document.activeElement)) this.focus();
    else (target?.matches(FOCUSABLE) ? target : target?.querySelector<HTMLElement>(FOCUSABLE))?.focus();
  }

  private focus(): void {
    if (this.task) this.view.focus();
    else this.body.querySelector<HTMLElement>(".primary")?.focus();
  }
}

/** Whether this is the project that the studio starts with. */
function isBuiltIn({ items }: Document): boolean {
  return items.length > 0 && items.every(({ recipe }) => recipe.type !== "file");
}
