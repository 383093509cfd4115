import { element, svgElement } from "../../core/dom";
import { clamp } from "../../core/numbers";
import { percent } from "../../core/text";
import type { SpaceState } from "../../core/messages";
import type { Table } from "../../core/packs";
import type { CurveName, FramespaceEditor } from "./editor";

/** Fraction of the field that an arrow key moves a vertex by; ten times as much with Shift. */
const KEY_STEP = 0.01;

/** A rectangle with time from left to right and the clips from bottom to top. Lines between the clips are matching
 * states; the vertices of the curve can be dragged or moved by keyboard. */
export class SpaceField {
  readonly element: HTMLElement;
  private readonly field = element("div", { class: "space-field" });
  private readonly svg = svgElement("svg", {
    viewBox: "0 0 100 100",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  private readonly dots = [element("span", { class: "space-dot" }), element("span", { class: "space-dot upper" })];
  private readonly playhead = element("span", { class: "space-playhead" });
  private readonly names = element("div", { class: "space-names" });
  private handles: HTMLElement[] = [];

  /** `axis` is the vertical coordinate: 1 is v, 2 is w. */
  constructor(
    private readonly editor: FramespaceEditor,
    private readonly axis: number,
  ) {
    this.field.append(this.svg, this.playhead, ...this.dots);
    this.field.addEventListener("dblclick", (event) => this.addAt(event));
    this.element = element("div", { class: "space-box" }, this.names, this.field);
  }

  update(): void {
    const { recipe, space } = this.editor;
    const levels = this.levels();
    this.names.replaceChildren(
      ...levels.map(({ label, at }) =>
        element("span", { style: `bottom: ${100 * at}%`, class: at > 0.5 ? "high" : "", title: label }, label),
      ),
    );
    this.svg.replaceChildren();
    const { cycles } = recipe;
    for (let c = 1; c < cycles; c++) this.path("cycle", `M${(100 * c) / cycles} 0V100`);
    if (space) {
      for (const state of space.header.lower) this.stateLine(state, cycles, isStrike(state) ? "state strike" : "state");
      for (const state of space.header.upper) this.stateLine(state, cycles, "state arms");
    }
    // The chosen curve is drawn last, on top.
    const order: CurveName[] = this.editor.curveName === "curve" ? ["upper", "curve"] : ["curve", "upper"];
    for (const name of order) this.curve(name, this.editor.points(name));
    const hull = this.editor.vertices.map((row) => `${100 * row[0]!} ${100 - 100 * row[this.axis]!}`).join("L");
    this.path("hull", `M${hull}`);
    this.placeHandles();
    this.seek();
  }

  /** Follow the playhead. */
  seek(): void {
    const x = this.editor.atPlayhead("x")?.[0];
    this.playhead.hidden = x === undefined;
    if (x !== undefined) this.playhead.style.left = `${100 * x}%`;
    (["points", "upper_points"] as const).forEach((name, n) => {
      const value = this.editor.atPlayhead(name)?.[this.axis - 1];
      const dot = this.dots[n]!;
      dot.hidden = x === undefined || value === undefined;
      if (dot.hidden) return;
      dot.style.left = `${100 * x!}%`;
      dot.style.top = `${100 - 100 * value!}%`;
    });
  }

  /** The clips and their heights in the field; in a box, pairs of clips. */
  private levels(): { label: string; at: number; clips: number[] }[] {
    const { names } = this.editor;
    if (names.length !== 4) return names.map((label, k) => ({ label, at: k / (names.length - 1), clips: [k] }));
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
    return pairs.map((clips, at) => ({ label: clips.map((k) => names[k]).join(" / "), at, clips }));
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
    const isHovered = labels[0] === this.editor.hoveredState;
    this.path(`${kind}${isHovered ? " hovered" : ""}`, d).dataset["state"] = labels[0] ?? "";
  }

  private curve(name: CurveName, table: Table | null): void {
    if (!table) return;
    const [rows, width] = table.shape as [number, number];
    const points = Array.from({ length: rows }, (_, n) => {
      const x = table.values[n * width]!;
      return `${(100 * x).toFixed(3)} ${(100 - 100 * table.values[n * width + this.axis]!).toFixed(3)}`;
    });
    const kind = `curve ${name}${name === this.editor.curveName ? " chosen" : ""}`;
    this.path(kind, `M${points.join("L")}`);
  }

  private path(kind: string, d: string): SVGPathElement {
    const path = svgElement("path", { class: kind, d });
    this.svg.append(path);
    return path;
  }

  private placeHandles(): void {
    const { vertices, vertex } = this.editor;
    while (this.handles.length > vertices.length) this.handles.pop()!.remove();
    while (this.handles.length < vertices.length) this.field.append(this.handle(this.handles.length));
    this.handles.forEach((handle, n) => {
      const row = vertices[n]!;
      handle.style.left = `${100 * row[0]!}%`;
      handle.style.top = `${100 - 100 * row[this.axis]!}%`;
      handle.classList.toggle("chosen", n === vertex);
      handle.classList.toggle("upper", this.editor.curveName === "upper");
      handle.setAttribute("aria-label", `Vertex ${n + 1} of ${vertices.length}`);
      handle.setAttribute("aria-valuenow", String(Math.round(100 * row[this.axis]!)));
      handle.setAttribute("aria-valuetext", `time ${percent(row[0]!)}, height ${percent(row[this.axis]!)}`);
      handle.title = `x ${row[0]}, ${this.axis === 1 ? "v" : "w"} ${row[this.axis]}`;
    });
  }

  private handle(n: number): HTMLElement {
    const handle = element("span", { class: "space-vertex", role: "slider", tabindex: 0 });
    this.handles.push(handle);
    let moved = false;
    handle.addEventListener("focus", () => this.editor.choose(n));
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      moved = false;
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      moved = true;
      this.editor.drag(n, this.vertexAt(n, event));
    });
    handle.addEventListener("pointerup", () => {
      if (moved) this.editor.commit();
    });
    handle.addEventListener("pointercancel", () => this.editor.cancel());
    handle.addEventListener("keydown", (event) => this.key(event, n));
    return handle;
  }

  private key(event: KeyboardEvent, n: number): void {
    const step = event.shiftKey ? 10 * KEY_STEP : KEY_STEP;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    const row = [...this.editor.vertices[n]!];
    if (direction) {
      row[0]! += step * direction[0]!;
      row[this.axis]! += step * direction[1]!;
      this.editor.drag(n, row);
      this.editor.commit();
    } else if (event.key === "Delete") {
      this.editor.remove(n);
      this.handles[this.editor.vertex]?.focus();
    } else if (event.key === "Escape") this.editor.cancel();
    else return;
    event.preventDefault();
  }

  /** The vertex moved to the pointer, in the two coordinates of this field. */
  private vertexAt(n: number, event: MouseEvent): number[] {
    const row = [...this.editor.vertices[n]!];
    [row[0], row[this.axis]] = this.pointAt(event);
    return row;
  }

  private pointAt(event: MouseEvent): [number, number] {
    const { left, top, width, height } = this.field.getBoundingClientRect();
    return [(event.clientX - left) / width, 1 - (event.clientY - top) / height];
  }

  private addAt(event: MouseEvent): void {
    if ((event.target as Element).closest(".space-vertex")) return;
    const [x, height] = this.pointAt(event);
    const values = this.editor.valuesAt(clamp(x, 0, 1));
    if (!values) return;
    values[this.axis - 1] = height;
    this.editor.add([x, ...values]);
  }
}

function isStrike({ labels }: SpaceState): boolean {
  return labels.some((label) => label.endsWith("et"));
}
