import { LatestRequest } from "../../core/latest_request";
import type { FramespaceHeader, FramespaceRecipe, SpaceCurve } from "../../core/messages";
import type { Motion } from "../../core/motion";
import { removeAt, roundTo } from "../../core/numbers";
import type { Pack, Table } from "../../core/packs";
import type { View } from "../../core/panel";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import { closeCurve, DECIMALS, insertVertex, moveVertex } from "./vertices";

/** The curve of the legs or the whole body, or that of the arms. */
export type CurveName = "curve" | "upper";

/** What the sections of the panel share: the framespace, the chosen curve and vertex, and what is being dragged. */
export class FramespaceEditor {
  readonly changed = new Signal();
  curveName: CurveName = "curve";
  /** The index of the chosen vertex. */
  vertex = 0;
  /** The state under the pointer, by its first label. */
  hoveredState: string | null = null;
  /** The space with its states and curves; null until the first one arrives. */
  space: Pack<FramespaceHeader> | null = null;
  private view: View<"framespace"> | null = null;
  private subject = "";
  private dragged: number[][] | null = null;
  private draggedCurve: Table | null = null;
  private readonly spaceRequest: LatestRequest<Pack<FramespaceHeader>>;
  private readonly dragRequest: LatestRequest<Pack<SpaceCurve>>;

  constructor(
    readonly studio: Studio,
    busy: (isBusy: boolean) => void,
  ) {
    this.spaceRequest = new LatestRequest({
      key: () => this.view && JSON.stringify([this.view.item.id, this.motion?.key, this.recipe, this.view.item.edit]),
      subject: () => this.view && subjectOf(this.view),
      ask: () => studio.server.pack<FramespaceHeader>(`./api/framespace/${this.view!.item.id}`),
      receive: (space) => {
        this.space = space;
        this.changed.emit();
      },
      fail: (error) => studio.sayErrorAbout(this.view?.item.id ?? "", error),
      busy,
    });
    this.dragRequest = new LatestRequest({
      key: () => this.dragged && JSON.stringify(this.dragged),
      ask: () => {
        const polyline = String(this.recipe.polyline);
        const query = new URLSearchParams({ vertices: JSON.stringify(this.dragged), polyline });
        return studio.server.pack<SpaceCurve>(`./api/framespace-curve?${query}`);
      },
      receive: ({ arrays }) => {
        if (this.dragged) this.draggedCurve = arrays["curve"]!;
        this.changed.emit();
      },
      fail: (error) => studio.sayError(error),
    });
  }

  /** Show a framespace as it is now. */
  update(view: View<"framespace">): void {
    if (subjectOf(view) !== this.subject) {
      this.space = null;
      this.reset("curve");
    }
    [this.view, this.subject] = [view, subjectOf(view)];
    if (this.curveName === "upper" && !view.recipe.upper) this.curveName = "curve";
    this.vertex = Math.min(this.vertex, this.vertices.length - 1);
    void this.spaceRequest.update();
  }

  get recipe(): FramespaceRecipe {
    return this.view!.recipe;
  }

  get motion(): Motion | null {
    return this.view && this.studio.motion(this.view.item.id);
  }

  /** Names of the clips. */
  get names(): string[] {
    return this.recipe.sources.map((id) => this.studio.item(id)?.name ?? id);
  }

  /** Coordinates of a vertex beside time: v, and in a box of four clips also w. */
  get dimensions(): number {
    return this.recipe.sources.length === 4 ? 2 : 1;
  }

  /** The vertices of the chosen curve, as they are being dragged. */
  get vertices(): number[][] {
    const upper = this.curveName === "upper" ? this.recipe.upper : null;
    return this.dragged ?? upper ?? this.recipe.curve;
  }

  /** Points of a curve, as it is being dragged. */
  points(name: CurveName): Table | null {
    if (name === this.curveName && this.dragged && this.draggedCurve) return this.draggedCurve;
    return this.space?.arrays[name] ?? null;
  }

  choose(vertex: number): void {
    if (vertex === this.vertex) return;
    this.vertex = vertex;
    this.changed.emit();
  }

  /** Edit another curve. */
  edit(name: CurveName): void {
    this.reset(name);
    this.changed.emit();
  }

  hoverState(label: string | null): void {
    this.hoveredState = label;
    this.changed.emit();
  }

  change(fields: Partial<FramespaceRecipe>): void {
    this.view?.change(fields);
  }

  /** Move a vertex of the chosen curve: shown at once, and sent with `commit`. */
  drag(vertex: number, to: number[]): void {
    this.dragged = moveVertex(this.vertices, vertex, to, this.recipe.loop);
    this.vertex = vertex;
    void this.dragRequest.update();
    this.changed.emit();
  }

  commit(): void {
    const { dragged } = this;
    if (dragged) this.setVertices(dragged);
    this.dragged = this.draggedCurve = null;
  }

  cancel(): void {
    this.dragged = this.draggedCurve = null;
    this.changed.emit();
  }

  add(at: number[]): void {
    const { vertices, index } = insertVertex(this.vertices, at);
    this.vertex = index;
    this.setVertices(vertices);
  }

  /** Add a vertex on the curve at a position of the time axis. */
  addOnCurve(x: number): void {
    const values = this.valuesAt(x);
    if (values) this.add([x, ...values]);
  }

  remove(vertex: number): void {
    const { vertices } = this;
    if (vertices.length <= 2) {
      this.studio.say("A curve needs at least two vertices.");
      return;
    }
    this.vertex = Math.max(0, Math.min(vertex, vertices.length - 2));
    this.setVertices(removeAt(vertices, vertex));
  }

  /** Coordinates of the chosen curve at a position of the time axis. */
  valuesAt(x: number): number[] | null {
    const table = this.points(this.curveName);
    if (!table) return null;
    const [rows, width] = table.shape as [number, number];
    const row = Math.round(x * (rows - 1));
    return [...table.values.subarray(row * width + 1, (row + 1) * width)].map((value) => roundTo(value, DECIMALS));
  }

  /** A row of an array of the space at the playhead, or null. */
  atPlayhead(name: string): number[] | null {
    const table = this.space?.arrays[name];
    if (!table || !this.motion || table.shape[0] === 0) return null;
    const width = table.shape[1] ?? 1;
    const row = Math.min(Math.round(this.motion.frameAt(this.studio.playback.time)), table.shape[0]! - 1);
    return [...table.values.subarray(row * width, (row + 1) * width)];
  }

  private reset(name: CurveName): void {
    this.curveName = name;
    this.vertex = 0;
    this.dragged = this.draggedCurve = null;
  }

  private setVertices(vertices: number[][]): void {
    this.change({ [this.curveName]: this.recipe.loop ? closeCurve(vertices) : vertices });
  }
}

/** What tells framespaces apart: the number of clips decides how many coordinates curves have. */
function subjectOf({ item, recipe }: View<"framespace">): string {
  return `${item.id} ${recipe.sources.join()}`;
}
