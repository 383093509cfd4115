import { applyToItem } from "../core/edits";
import type { Edit, Item } from "../core/messages";
import { sourcesOf } from "../core/recipes";
import { Signal } from "../core/signal";
import type { Studio } from "../core/studio";
import type { ClipView, Source } from "./clip_view";
import { EditedTime } from "./edited_time";

/** The selected mark of a clip. */
export interface SelectedMark {
  item: string;
  mark: string;
}

/** A clip with edits that are being dragged, and as the document had it when they started. */
interface Preview {
  item: Item;
  base: string;
}

/** What the timeline knows besides the document: edits being dragged, and the selected mark. */
export class TimelineEditor {
  /** A clip must be drawn again. */
  readonly changed = new Signal<string>();
  readonly selectedMarkChanged = new Signal<SelectedMark | null>();
  /** A clip was changed by something else, such as undo, while it was being dragged. */
  readonly interrupted = new Signal<string>();
  private readonly previews = new Map<string, Preview>();
  private selected: SelectedMark | null = null;

  constructor(private readonly studio: Studio) {
    studio.documentChanged.on(() => this.drop(this.outdated()));
    studio.itemChanged.on((id) => this.changed.emit(id));
  }

  get selectedMark(): SelectedMark | null {
    return this.selected;
  }

  selectMark(mark: SelectedMark | null): void {
    if (mark?.item === this.selected?.item && mark?.mark === this.selected?.mark) return;
    this.selected = mark;
    this.selectedMarkChanged.emit(mark);
  }

  /** Show a clip as edits would leave it, without sending them. */
  preview(id: string, edits: Edit[]): void {
    const item = this.studio.item(id);
    if (!item) return;
    this.previews.set(id, { item: edits.reduce(applyToItem, item), base: JSON.stringify(item) });
    this.changed.emit(id);
  }

  /** Show a clip as it is in the document. */
  cancel(id: string): void {
    if (this.previews.delete(id)) this.changed.emit(id);
  }

  /** Send edits in place of those that are shown. */
  send(id: string, edits: Edit[]): void {
    edits.forEach((edit) => this.studio.do(edit));
    this.cancel(id);
  }

  /** Everything that the lanes of a clip need, or null until it has motion. */
  view(id: string): ClipView | null {
    const item = this.previews.get(id)?.item ?? this.studio.item(id);
    const motion = this.studio.motion(id);
    if (!item || !motion) return null;
    const { fps, whole_frames, edit } = motion.header;
    const last = whole_frames - 1;
    const computed = new EditedTime(edit, fps, last);
    const requested = new EditedTime(item.edit, fps, last);
    const sources = sourcesOf(item.recipe).map((source) => this.source(source));
    return { item, motion, computed, requested, last, sources };
  }

  private source(id: string): Source {
    const item = this.studio.item(id);
    return { id, name: item?.name ?? id, colour: item?.colour ?? 0 };
  }

  /** Previews of clips that have changed in the document. */
  private outdated(): string[] {
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
