import { element } from "../../core/dom";
import { rounded } from "./desk";

/** A moment of the source and when it happens in the result, seconds. */
export type Pair = [number, number];

const SVG = "http://www.w3.org/2000/svg";
const RAILS = ["Before", "After"] as const;
/** Room beyond the longer rail, so that the last moment can be moved later. */
const ROOM = 1.25;

/** Two rails of time, one above the other, with pairs whose ends can be dragged or moved by keys. */
export class PairStrip {
  readonly element: HTMLElement;
  private readonly field = element("div", { class: "pair-field" });
  private readonly lines = document.createElementNS(SVG, "svg");
  private readonly heads = RAILS.map(() => element("span", { class: "pair-head", "aria-hidden": "true" }));
  private handles: HTMLElement[] = [];
  private pairs: Pair[] = [];
  /** Pairs while one is dragged. */
  private held: Pair[] | null = null;
  private sourceEnd = 1;
  private span = 1;
  private frame = 1 / 30;

  constructor(private readonly onChange: (pairs: Pair[]) => void) {
    this.lines.setAttribute("viewBox", "0 0 100 100");
    this.lines.setAttribute("preserveAspectRatio", "none");
    this.lines.setAttribute("aria-hidden", "true");
    this.field.append(this.lines, ...this.heads);
    this.field.addEventListener("dblclick", (event) => this.addAt(event));
    this.element = element(
      "div",
      { class: "pair-strip" },
      element("div", { class: "pair-names" }, ...RAILS.map((name) => element("span", {}, name))),
      this.field,
    );
  }

  show(pairs: Pair[], sourceEnd: number, longest: number, frame: number): void {
    this.sourceEnd = sourceEnd;
    this.frame = frame;
    // The scale stays while somebody drags, or the end would run away from the pointer.
    if (!this.held)
      this.span = Math.max(longest, ...pairs.map(([, after]) => after), frame) * (pairs.length ? ROOM : 1);
    const same = pairs.length === this.pairs.length;
    this.pairs = pairs;
    if (!same) this.build();
    this.place(this.held ?? pairs);
  }

  seek(source: number, shown: number): void {
    [source, shown].forEach((time, rail) => {
      this.heads[rail]!.style.left = `${(100 * time) / this.span}%`;
    });
  }

  add(pair: Pair): void {
    const kept = this.pairs.filter(
      ([source, after]) => Math.abs(source - pair[0]) > this.frame / 2 && Math.abs(after - pair[1]) > this.frame / 2,
    );
    this.onChange([...kept, pair].sort((a, b) => a[0] - b[0]));
  }

  private build(): void {
    const focused = this.handles.indexOf(document.activeElement as HTMLElement);
    this.handles.forEach((handle) => handle.remove());
    this.handles = this.pairs.flatMap((_, n) => [this.handle(n, 0), this.handle(n, 1)]);
    this.field.append(...this.handles);
    if (focused >= 0) this.handles[Math.min(focused, this.handles.length - 1)]?.focus();
  }

  private handle(n: number, rail: 0 | 1): HTMLElement {
    const made = element("span", {
      class: `pair-handle rail-${rail}`,
      role: "slider",
      tabindex: 0,
      "aria-label": `Moment ${n + 1}, ${RAILS[rail].toLowerCase()}`,
    });
    made.addEventListener("pointerdown", (event) => {
      made.setPointerCapture(event.pointerId);
      this.held = this.pairs;
    });
    made.addEventListener("pointermove", (event) => {
      if (!made.hasPointerCapture(event.pointerId)) return;
      this.held = this.moved(n, rail, this.timeAt(event));
      this.place(this.held);
    });
    made.addEventListener("pointerup", () => {
      const done = this.held;
      this.held = null;
      if (done && done !== this.pairs) this.onChange(done);
    });
    made.addEventListener("keydown", (event) => this.key(event, n, rail));
    return made;
  }

  private key(event: KeyboardEvent, n: number, rail: 0 | 1): void {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === "Delete") this.onChange(this.pairs.filter((_, other) => other !== n));
    else if (step)
      this.onChange(this.moved(n, rail, this.pairs[n]![rail] + step * this.frame * (event.shiftKey ? 10 : 1)));
    else return;
    event.preventDefault();
  }

  /** The pairs with an end of one elsewhere: between its neighbours, since time never runs backward. */
  private moved(n: number, rail: 0 | 1, time: number): Pair[] {
    const low = (this.pairs[n - 1]?.[rail] ?? -this.frame) + this.frame;
    const end = rail === 0 ? this.sourceEnd : Infinity;
    const high = (this.pairs[n + 1]?.[rail] ?? end + this.frame) - this.frame;
    const placed = rounded(Math.max(Math.min(time, high), low));
    return this.pairs.map((pair, other) => (other !== n ? pair : rail === 0 ? [placed, pair[1]] : [pair[0], placed]));
  }

  private place(pairs: Pair[]): void {
    const share = (time: number): number => (100 * time) / this.span;
    const path = pairs.map(([source, after]) => `M${share(source)} 15L${share(after)} 85`).join("");
    this.lines.innerHTML = "";
    for (const [d, name] of [
      [`M0 15H${share(this.sourceEnd)}M0 85H${100}`, "rail"],
      [path, "pair"],
    ] as const) {
      const made = document.createElementNS(SVG, "path");
      made.setAttribute("d", d);
      made.setAttribute("class", name);
      this.lines.append(made);
    }
    pairs.forEach((pair, n) =>
      pair.forEach((time, rail) => {
        const handle = this.handles[2 * n + rail]!;
        handle.style.left = `${share(time)}%`;
        handle.setAttribute("aria-valuenow", time.toFixed(3));
        handle.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
        handle.title = `${time.toFixed(2)} s`;
      }),
    );
  }

  private timeAt(event: MouseEvent): number {
    const { left, width } = this.field.getBoundingClientRect();
    return Math.max(0, ((event.clientX - left) / width) * this.span);
  }

  private addAt(event: MouseEvent): void {
    if ((event.target as Element).closest(".pair-handle")) return;
    const time = rounded(Math.min(this.timeAt(event), this.sourceEnd));
    this.add([time, time]);
  }
}
