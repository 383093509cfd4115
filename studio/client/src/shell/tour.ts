import { element } from "../core/dom";
import { read, write } from "../core/memory";
import type { Document } from "../core/messages";
import type { Studio } from "../core/studio";
import { iconButton } from "../widgets/button";
import { contents } from "./tour/contents";
import { Guide, seen } from "./tour/guide";
import { preparing } from "./tour/needs";
import { place } from "./tour/place";
import { onAnyChange } from "./tour/pulse";
import type { Step, Task } from "./tour/step";
import { StepsView } from "./tour/steps_view";

const FOCUSABLE = "button, input, select, canvas, [tabindex]";

let running: Tour | null = null;

/** Show the tour once, to whoever opens the built-in motions. */
export function offerTour(studio: Studio): void {
  if (read("tour", false)) return;
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

/** A card that leads through tasks: it points at a control and goes on as soon as the user has used it. It takes
 * nothing from the page, so that everything can be done in any other way, too. Esc ends it. */
class Tour {
  private readonly title = element("h3", {});
  private readonly body = element("div", {});
  private readonly card = element("div", { class: "tour", role: "dialog", "aria-label": "Tour" });
  private readonly frame = element("div", { class: "tour-frame", "aria-hidden": "true" });
  private readonly view = new StepsView({
    back: () => this.back(),
    forward: () => this.forward(),
    skip: () => this.showContents(null, true),
  });
  private readonly guide: Guide;
  private readonly finished = new Set(read<string[]>("tour.done", []));
  private readonly stops: (() => void)[];
  private task: Task | null = null;
  private steps: Step[] = [];
  private number = 0;
  /** The step was done before it was come to: going on is up to the user. */
  private waits = false;
  /** Controls that the tour has pressed for this step; null while it does nothing. */
  private pressed: Element[] | null = null;
  /** The document that the step was done to by the tour. */
  private actedOn: Document | null = null;

  constructor(private readonly studio: Studio) {
    this.guide = new Guide(studio);
    const close = iconButton("close", "Close the tour", () => this.end());
    this.card.append(element("header", {}, this.title, close), this.body);
    this.card.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
    document.body.append(this.frame, this.card);
    const go = {
      id: "tour.go",
      keys: ["G"],
      label: "From the tour to what it points at, and back",
      group: "Page",
      action: () => this.go(),
    };
    this.stops = [
      onAnyChange(studio, () => this.follow()),
      studio.shortcuts.register(go),
      studio.spoke.on(({ kind }) => {
        if (kind === "error") this.pressed = null; // it can be tried again
      }),
    ];
    this.showContents(null, true);
  }

  end(): void {
    write("tour", true);
    this.stops.forEach((stop) => stop());
    this.card.remove();
    this.frame.remove();
    running = null;
  }

  private get step(): Step | null {
    return this.task ? (this.steps[this.number] ?? null) : null;
  }

  private get target(): HTMLElement | null {
    return this.step ? seen(this.step.at) : null;
  }

  private showContents(last: Task | null, focus: boolean): void {
    this.task = null;
    this.title.textContent = last?.title ?? "Tour";
    this.body.replaceChildren(
      contents(
        this.finished,
        last,
        (task) => this.begin(task),
        () => this.end(),
      ),
    );
    place(this.card, this.frame, null);
    if (focus) this.focus();
  }

  private begin(task: Task): void {
    this.task = task;
    this.guide.begin();
    this.steps = [...preparing(this.studio, task.needs), ...task.steps];
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

  /** Something changed: go on if the step is done, and stay beside what it is about. */
  private follow(): void {
    const { step } = this;
    if (!step) return place(this.card, this.frame, null);
    const done = step.isDone(this.guide);
    if (!done) this.waits = false;
    if (done && !this.waits) return this.next();
    if (!done && this.pressed) this.press();
    this.view.showDone(done, this.pressed !== null);
    place(this.card, this.frame, this.target);
  }

  private next(): void {
    if (this.number + 1 < this.steps.length) return this.show(this.number + 1);
    const task = this.task!;
    this.finished.add(task.id);
    write("tour.done", [...this.finished]);
    // Whoever works in the page goes on there.
    this.showContents(task, this.card.contains(document.activeElement));
  }

  private back(): void {
    if (this.number > 0) this.show(this.number - 1);
  }

  private forward(): void {
    if (this.waits) return this.next();
    if (this.pressed) return; // on its way
    this.pressed = [];
    this.press();
    this.follow();
  }

  /** Do the step: press what is pointed at, and then what that leads to. */
  private press(): void {
    const { step, target } = this;
    if (!step || !this.pressed) return;
    if (step.act && target === seen(step.at.slice(0, 1))) {
      const { document } = this.studio;
      if (document !== this.actedOn && step.act(this.guide)) this.actedOn = document;
      return;
    }
    if (!target || this.pressed.includes(target) || target.matches(":disabled")) return;
    this.pressed.push(target);
    target.click();
  }

  /** From the card to what it points at, and back. */
  private go(): void {
    const { target } = this;
    if (!this.card.contains(document.activeElement)) this.focus();
    else (target?.matches(FOCUSABLE) ? target : target?.querySelector<HTMLElement>(FOCUSABLE))?.focus();
  }

  private focus(): void {
    if (this.task) this.view.focus();
    else this.body.querySelector<HTMLElement>(".primary")?.focus();
  }
}

/** Whether this is the project that the studio begins with. */
function isBuiltIn({ items }: Document): boolean {
  return items.length > 0 && items.every(({ recipe }) => recipe.type !== "file");
}
