import type { ClipEdit, Edit, Item } from "../core/messages";
import type { Motion } from "../core/motion";
import { sourcesOf } from "../core/recipes";
import { Signal } from "../core/signal";
import type { Studio } from "../core/studio";
import { EditedTime } from "./edited_time";
import { type Shown, type Source, withEdits } from "./shown";

/** A mark of a clip that is selected. */
export interface Chosen {
  item: string;
  mark: string;
}

/** A clip as it is being dragged, and as the document had it when that began. */
interface Preview {
  item: Item;
  base: string;
}

/** What the timeline knows beside the document: edits that are being dragged, the mark that is selected, and what the
 * motions in the page were made with, which during a change is not what the document says. */
export class Desk {
  /** A clip looks different. */
  readonly changed = new Signal<string>();
  readonly chosenChanged = new Signal<Chosen | null>();
  /** The clip that is being dragged was changed by something else, such as undo. */
  readonly interrupted = new Signal<string>();
  private readonly previews = new Map<string, Preview>();
  private readonly madeWith = new Map<string, ClipEdit>();
  private selectedMark: Chosen | null = null;

  constructor(private readonly studio: Studio) {
    studio.connection.received.on((message) => {
      if (message.type === "made") this.noteMade(message.item, message.key);
      if (message.type === "refused") this.drop([...this.previews.keys()]);
    });
    studio.documentChanged.on(() => this.drop(this.overtaken()));
    studio.itemChanged.on((id) => this.changed.emit(id));
  }

  get chosen(): Chosen | null {
    return this.selectedMark;
  }

  choose(chosen: Chosen | null): void {
    if (chosen?.item === this.selectedMark?.item && chosen?.mark === this.selectedMark?.mark) return;
    this.selectedMark = chosen;
    this.chosenChanged.emit(chosen);
  }

  /** Show a clip as edits would leave it, without sending anything. */
  preview(id: string, edits: Edit[]): void {
    const item = this.studio.item(id);
    if (!item) return;
    this.previews.set(id, { item: withEdits(item, edits), base: JSON.stringify(item) });
    this.changed.emit(id);
  }

  /** Show the clip as it is. */
  cancel(id: string): void {
    if (this.previews.delete(id)) this.changed.emit(id);
  }

  /** Send edits; until the new document comes the clip is shown with them. */
  send(id: string, edits: Edit[]): void {
    if (edits.length === 0) return this.cancel(id);
    this.preview(id, edits);
    edits.forEach((edit) => this.studio.do(edit));
    if (!this.studio.connection.connected) this.cancel(id);
  }

  /** All that the lanes of a clip need, or null until it has motion. */
  shown(id: string): Shown | null {
    const item = this.previews.get(id)?.item ?? this.studio.item(id);
    const motion = this.studio.motion(id);
    if (!item || !motion) return null;
    const { fps, whole_frames } = motion.head;
    const last = whole_frames - 1;
    const made = new EditedTime(this.madeEdit(item, motion), fps, last);
    const wanted = new EditedTime(item.edit, fps, last);
    const sources = sourcesOf(item.recipe).map((source) => this.source(source));
    return { item, motion, made, wanted, last, sources };
  }

  private madeEdit(item: Item, motion: Motion): ClipEdit {
    return this.madeWith.get(motion.key) ?? this.studio.item(item.id)?.edit ?? item.edit;
  }

  private source(id: string): Source {
    const item = this.studio.item(id);
    return { id, name: item?.name ?? id, colour: item?.colour ?? 0 };
  }

  private noteMade(id: string, key: string): void {
    const item = this.studio.item(id);
    if (item && !this.madeWith.has(key)) this.madeWith.set(key, item.edit);
  }

  /** Previews of clips that are no longer what they were. */
  private overtaken(): string[] {
    const same = (id: string, base: string) => JSON.stringify(this.studio.item(id)) === base;
    return [...this.previews].filter(([id, { base }]) => !same(id, base)).map(([id]) => id);
  }

  private drop(ids: string[]): void {
    for (const id of ids) {
      this.previews.delete(id);
      this.interrupted.emit(id);
      this.changed.emit(id);
    }
  }
}
