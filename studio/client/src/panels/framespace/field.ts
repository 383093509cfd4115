import { element } from "../../core/dom";
import type { SpaceState } from "../../core/messages";
import type { Table } from "../../core/packs";
import type { SpaceDesk, Which } from "./desk";

const SVG = "http://www.w3.org/2000/svg";
/** What an arrow key moves a vertex by, as a share of the field; with Shift ten times as much. */
const KEY_STEP = 0.01;

/** A rectangle: time from left to right, the share of clips from bottom to top. States are lines from clip to clip,
 * the curve goes through them, and its vertices can be dragged or moved by keys. */
export class SpaceField {
  readonly element: HTMLElement;
  private readonly field = element("div", { class: "space-field" });
  private readonly svg = document.createElementNS(SVG, "svg");
  private readonly marks = [element("span", { class: "space-mark" }), element("span", { class: "space-mark upper" })];
  private readonly head = element("span", { class: "space-head" });
  private readonly names = element("div", { class: "space-names" });
  private handles: HTMLElement[] = [];

  /** `axis` is the coordinate that goes up: 1 is v, 2 is w. */
  constructor(
    private readonly desk: SpaceDesk,
    private readonly axis: number,
  ) {
    this.svg.setAttribute("viewBox", "0 0 100 100");
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.svg.setAttribute("aria-hidden", "true");
    this.field.append(this.svg, this.head, ...this.marks);
    this.field.addEventListener("dblclick", (event) => this.addAt(event));
    this.element = element("div", { class: "space-box" }, this.names, this.field);
  }

  update(): void {
    const { shown, pack } = this.desk;
    if (!shown) return;
    const levels = this.levels();
    this.names.replaceChildren(
      ...levels.map(({ words, at }) =>
        element("span", { style: `bottom: ${100 * at}%`, class: at > 0.5 ? "high" : "", title: words }, words),
      ),
    );
    this.svg.replaceChildren();
    const { cycles } = shown.recipe;
    for (let c = 1; c < cycles; c++) this.path("cycle", `M${(100 * c) / cycles} 0V100`);
    if (pack) {
      for (const state of pack.head.lower) this.stateLine(state, cycles, isStrike(state) ? "state strike" : "state");
      for (const state of pack.head.upper) this.stateLine(state, cycles, "state arms");
    }
    const others: Which[] = this.desk.which === "curve" ? ["upper", "curve"] : ["curve", "upper"];
    for (const which of others) this.curve(which, this.desk.drawn(which));
    const hull = this.desk.vertices.map((row) => `${100 * row[0]!} ${100 - 100 * row[this.axis]!}`).join("L");
    this.path("hull", `M${hull}`);
    this.placeHandles();
    this.seek();
  }

  /** Put the playhead where it is on the curves. */
  seek(): void {
    const x = this.desk.atPlayhead("x")?.[0];
    this.head.hidden = x === undefined;
    if (x !== undefined) this.head.style.left = `${100 * x}%`;
    (["points", "upper_points"] as const).forEach((name, n) => {
      const value = this.desk.atPlayhead(name)?.[this.axis - 1];
      const mark = this.marks[n]!;
      mark.hidden = x === undefined || value === undefined;
      if (mark.hidden) return;
      mark.style.left = `${100 * x!}%`;
      mark.style.top = `${100 - 100 * value!}%`;
    });
  }

  /** What lies at the heights of the field: clips, or pairs of them in a box. */
  private levels(): { words: string; at: number; clips: number[] }[] {
    const { studio, shown } = this.desk;
    const names = (shown?.recipe.sources ?? []).map((id) => studio.item(id)?.name ?? id);
    if (names.length !== 4) return names.map((words, k) => ({ words, at: k / (names.length - 1), clips: [k] }));
    const pairs =
      this.axis === 1
        ? [
            [0, 2],
            [1, 3],
          ]
        : [
            [0, 1],
            [2, 3],
          ];
    return pairs.map((clips, at) => ({ words: clips.map((k) => names[k]).join(" / "), at, clips }));
  }

  private stateLine({ labels, times }: SpaceState, cycles: number, kind: string): void {
    const levels = this.levels();
    let d = "";
    for (let c = -1; c <= Math.ceil(cycles); c++) {
      const points = levels.map(({ at, clips }) => {
        const time = clips.reduce((sum, k) => sum + (times[k] ?? 0), 0) / clips.length;
        return `${(100 * (c + time)) / cycles} ${100 - 100 * at}`;
      });
      d += `M${points.join("L")}`;
    }
    const pointed = labels[0] === this.desk.pointedAt;
    this.path(`${kind}${pointed ? " pointed" : ""}`, d).dataset["state"] = labels[0] ?? "";
  }

  private curve(which: Which, table: Table | null): void {
    if (!table) return;
    const [rows, width] = table.shape as [number, number];
    const points = Array.from({ length: rows }, (_, n) => {
      const x = table.values[n * width]!;
      return `${(100 * x).toFixed(3)} ${(100 - 100 * table.values[n * width + this.axis]!).toFixed(3)}`;
    });
    const kind = `curve ${which}${which === this.desk.which ? " chosen" : ""}`;
    this.path(kind, `M${points.join("L")}`);
  }

  private path(kind: string, d: string): SVGPathElement {
    const made = document.createElementNS(SVG, "path");
    made.setAttribute("class", kind);
    made.setAttribute("d", d);
    this.svg.append(made);
    return made;
  }

  private placeHandles(): void {
    const { vertices, vertex } = this.desk;
    while (this.handles.length > vertices.length) this.handles.pop()!.remove();
    while (this.handles.length < vertices.length) this.field.append(this.handle(this.handles.length));
    this.handles.forEach((handle, n) => {
      const row = vertices[n]!;
      handle.style.left = `${100 * row[0]!}%`;
      handle.style.top = `${100 - 100 * row[this.axis]!}%`;
      handle.classList.toggle("chosen", n === vertex);
      handle.classList.toggle("upper", this.desk.which === "upper");
      handle.setAttribute("aria-label", `Vertex ${n + 1} of ${vertices.length}`);
      handle.setAttribute("aria-valuenow", String(Math.round(100 * row[this.axis]!)));
      handle.setAttribute("aria-valuetext", `${percent(row[0]!)} of the time, ${percent(row[this.axis]!)} up`);
      handle.title = `x ${row[0]}, ${this.axis === 1 ? "v" : "w"} ${row[this.axis]}`;
    });
  }

  private handle(n: number): HTMLElement {
    const made = element("span", { class: "space-vertex", role: "slider", tabindex: 0 });
    this.handles.push(made);
    let moved = false;
    made.addEventListener("focus", () => this.desk.choose(n));
    made.addEventListener("pointerdown", (event) => {
      made.setPointerCapture(event.pointerId);
      moved = false;
    });
    made.addEventListener("pointermove", (event) => {
      if (!made.hasPointerCapture(event.pointerId)) return;
      moved = true;
      this.desk.drag(n, this.rowAt(n, event));
    });
    made.addEventListener("pointerup", () => {
      if (moved) this.desk.commit();
    });
    made.addEventListener("pointercancel", () => this.desk.cancel());
    made.addEventListener("keydown", (event) => this.key(event, n));
    return made;
  }

  private key(event: KeyboardEvent, n: number): void {
    const step = event.shiftKey ? 10 * KEY_STEP : KEY_STEP;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    const row = [...this.desk.vertices[n]!];
    if (way) {
      row[0]! += step * way[0]!;
      row[this.axis]! += step * way[1]!;
      this.desk.drag(n, row);
      this.desk.commit();
    } else if (event.key === "Delete") {
      this.desk.remove(n);
      this.handles[this.desk.vertex]?.focus();
    } else if (event.key === "Escape") this.desk.cancel();
    else return;
    event.preventDefault();
  }

  /** The vertex with x and this field's coordinate where the pointer is. */
  private rowAt(n: number, event: MouseEvent): number[] {
    const row = [...this.desk.vertices[n]!];
    [row[0], row[this.axis]] = this.placeOf(event);
    return row;
  }

  private placeOf(event: MouseEvent): [number, number] {
    const { left, top, width, height } = this.field.getBoundingClientRect();
    return [(event.clientX - left) / width, 1 - (event.clientY - top) / height];
  }

  private addAt(event: MouseEvent): void {
    if ((event.target as Element).closest(".space-vertex")) return;
    const [x, height] = this.placeOf(event);
    const values = this.desk.valuesAt(Math.min(Math.max(x, 0), 1));
    if (!values) return;
    values[this.axis - 1] = height;
    this.desk.add([x, ...values]);
  }
}

function isStrike({ labels }: SpaceState): boolean {
  return labels.some((label) => label.endsWith("et"));
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
