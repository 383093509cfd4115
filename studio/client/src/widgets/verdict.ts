import { element } from "../core/dom";
import type { ShownVerdict } from "../core/messages";
import { capitalize } from "../core/text";

const LOOKS = { good: "good", doubtful: "warn", unfit: "bad" };

/** How well clips match: the level, why, what to do about it, and the figure behind "Why?". */
export class VerdictLine {
  readonly element = element("div", { class: "verdict" });
  private readonly line = element("p", { class: "status", role: "status" });
  private readonly level = element("strong");
  private readonly words = element("span");
  private readonly figure = element("p", { class: "muted" });
  private readonly why = element("details", { class: "report" }, element("summary", {}, "Why?"), this.figure);

  constructor() {
    this.element.append(this.line, this.why);
  }

  /** Shows a verdict. */
  show({ fit, level, reason, remedy, figure }: ShownVerdict): void {
    this.line.className = `status ${LOOKS[fit]}`;
    this.level.textContent = capitalize(level);
    this.words.textContent = `: ${reason}.${remedy === "" ? "" : ` ${capitalize(remedy)}.`}`;
    if (this.level.parentElement !== this.line) this.line.replaceChildren(this.level, this.words);
    this.figure.textContent = `${capitalize(figure)}.`;
    this.why.hidden = figure === "";
  }

  /** Says something instead: that the clips are compared, or what went wrong. */
  say(text: string, bad = false): void {
    this.line.className = bad ? "status bad" : "status";
    this.line.textContent = text;
    this.why.hidden = true;
  }
}
