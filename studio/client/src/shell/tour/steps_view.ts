import { element } from "../../core/dom";

/** What the buttons of a step do. */
export interface StepActions {
  back(): void;
  /** Do the step in the user's place or, where it is done already, go on. */
  forward(): void;
  skip(): void;
}

/** The part of the card that shows a step. It is built once, so that the focus stays on its buttons. */
export class StepsView {
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
      element("p", { class: "muted tour-keys" }, element("kbd", {}, "G"), " goes to what is outlined, and back."),
    );
  }

  show(number: number, total: number, text: string): void {
    this.text.textContent = text;
    this.bar.max = total;
    this.bar.value = number;
    this.count.textContent = `${number + 1} of ${total}`;
    this.back.disabled = number === 0;
  }

  /** A step that is done waits for a press; one that is not can be done by the tour. */
  showDone(done: boolean, working: boolean): void {
    const words = done ? "Next" : working ? "Working…" : "Do it for me";
    if (this.forward.textContent === words) return; // writing it again would tell the tour of a change
    this.forward.textContent = words;
    this.forward.classList.toggle("primary", done);
  }

  focus(): void {
    this.forward.focus();
  }
}
