import type { FramespaceHead, FramespaceRecipe, Item, SpaceCurve } from "../../core/messages";
import type { Motion } from "../../core/motion";
import type { Pack, Table } from "../../core/packs";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import { closed, inserted, placed } from "./vertices";

/** The curve of the legs or of the whole body, and that of the arms. */
export type Which = "curve" | "upper";

export interface Shown {
  item: Item;
  recipe: FramespaceRecipe;
  motion: Motion | null;
}

/** What the sections share: the space, the curve and the vertex that are chosen, and what is being dragged. */
export class SpaceDesk {
  readonly changed = new Signal();
  which: Which = "curve";
  vertex = 0;
  /** The state that is pointed at, by its first label. */
  pointedAt: string | null = null;
  pack: Pack<FramespaceHead> | null = null;
  private asked = "";
  private held: number[][] | null = null;
  private heldCurve: Table | null = null;
  private drawing = false;

  constructor(
    readonly studio: Studio,
    private readonly isSeen: () => boolean,
  ) {}

  get shown(): Shown | null {
    const item = this.studio.selected;
    if (item?.recipe.type !== "framespace") return null;
    return { item, recipe: item.recipe, motion: this.studio.motion(item.id) };
  }

  /** Coordinates of a point of the space beside x: v, and in a box w. */
  get dimensions(): number {
    return (this.shown?.recipe.sources.length ?? 2) === 4 ? 2 : 1;
  }

  /** The vertices of the chosen curve, as they are being dragged. */
  get vertices(): number[][] {
    const recipe = this.shown?.recipe;
    return this.held ?? (this.which === "upper" ? recipe?.upper : null) ?? recipe?.curve ?? [];
  }

  /** Points of a curve, as it is being dragged. */
  drawn(which: Which): Table | null {
    if (which === this.which && this.held && this.heldCurve) return this.heldCurve;
    return this.pack?.arrays[which] ?? null;
  }

  choose(vertex: number): void {
    if (vertex === this.vertex) return;
    this.vertex = vertex;
    this.changed.emit();
  }

  edit(which: Which): void {
    this.which = which;
    this.vertex = 0;
    this.held = this.heldCurve = null;
    this.changed.emit();
  }

  point(label: string | null): void {
    this.pointedAt = label;
    this.changed.emit();
  }

  /** Fetch the space if it is another one than before. */
  async fetch(): Promise<void> {
    const { shown } = this;
    if (!shown) {
      this.pack = null;
      this.asked = "";
      return;
    }
    if (this.which === "upper" && !shown.recipe.upper) this.which = "curve";
    const wanted = [shown.item.id, shown.motion?.key, JSON.stringify([shown.recipe, shown.item.edit])].join(" ");
    if (wanted === this.asked || !this.isSeen()) return;
    this.asked = wanted;
    try {
      const pack = await this.studio.server.pack<FramespaceHead>(`./api/framespace/${shown.item.id}`);
      if (this.asked !== wanted) return; // it changed meanwhile
      this.pack = pack;
      this.changed.emit();
    } catch (error) {
      if (this.asked === wanted) this.asked = "";
      if (!this.studio.progressOf(shown.item.id).error) this.studio.sayErrorAbout(shown.item.id, error);
    }
  }

  change(part: Partial<FramespaceRecipe>): void {
    const { shown } = this;
    if (shown) this.studio.setRecipe(shown.item.id, { ...shown.recipe, ...part });
  }

  /** Put a vertex of the chosen curve elsewhere: shown at once, and done with `commit`. */
  drag(vertex: number, to: number[]): void {
    this.held = placed(this.vertices, vertex, to, this.shown?.recipe.loop ?? false);
    this.vertex = vertex;
    void this.draw();
    this.changed.emit();
  }

  commit(): void {
    const { held } = this;
    if (held) this.setVertices(held);
    this.held = this.heldCurve = null;
  }

  cancel(): void {
    this.held = this.heldCurve = null;
    this.changed.emit();
  }

  add(to: number[]): void {
    const { vertices, at } = inserted(this.vertices, to);
    this.vertex = at;
    this.setVertices(vertices);
  }

  /** A vertex on the curve at a place of the time axis. */
  addOnCurve(x: number): void {
    const values = this.valuesAt(x);
    if (values) this.add([x, ...values]);
  }

  remove(vertex: number): void {
    const { vertices } = this;
    if (vertices.length <= 2) {
      this.studio.say("A curve keeps its last two vertices.");
      return;
    }
    this.vertex = Math.max(0, Math.min(vertex, vertices.length - 2));
    this.setVertices(vertices.filter((_, n) => n !== vertex));
  }

  /** Coordinates of the chosen curve at a place of the time axis. */
  valuesAt(x: number): number[] | null {
    const table = this.drawn(this.which);
    if (!table) return null;
    const [rows, width] = table.shape as [number, number];
    const row = Math.round(x * (rows - 1));
    return [...table.values.subarray(row * width + 1, (row + 1) * width)].map((value) => Math.round(value * 1e4) / 1e4);
  }

  /** A row of an array of the space at the playhead, or null. */
  atPlayhead(name: string): number[] | null {
    const table = this.pack?.arrays[name];
    const motion = this.shown?.motion;
    if (!table || !motion || table.shape[0] === 0) return null;
    const width = table.shape[1] ?? 1;
    const row = Math.min(Math.round(motion.frameAt(this.studio.playback.time)), table.shape[0]! - 1);
    return [...table.values.subarray(row * width, (row + 1) * width)];
  }

  private setVertices(vertices: number[][]): void {
    const loop = this.shown?.recipe.loop ?? false;
    this.change({ [this.which]: loop ? closed(vertices) : vertices });
  }

  /** The curve of what is being dragged, from the server; one question at a time. */
  private async draw(): Promise<void> {
    if (this.drawing || !this.held) return;
    this.drawing = true;
    const asked = this.held;
    const polyline = this.shown?.recipe.polyline ?? false;
    const query = new URLSearchParams({ vertices: JSON.stringify(asked), polyline: String(polyline) });
    try {
      const { arrays } = await this.studio.server.pack<SpaceCurve>(`./api/framespace-curve?${query}`);
      if (this.held) this.heldCurve = arrays["curve"]!;
      this.changed.emit();
    } catch (error) {
      this.studio.sayError(error);
    } finally {
      this.drawing = false;
    }
    if (this.held && this.held !== asked) void this.draw();
  }
}
