import { Signal } from "./signal";

/** The clips that are checked in the list, in the order in which they were: what New combines and Export writes. */
export class CheckedClips {
  readonly changed = new Signal();
  private readonly checked = new Set<string>();

  get ids(): string[] {
    return [...this.checked];
  }

  get size(): number {
    return this.checked.size;
  }

  has(id: string): boolean {
    return this.checked.has(id);
  }

  set(id: string, isChecked: boolean): void {
    if (this.checked.has(id) === isChecked) return;
    if (isChecked) this.checked.add(id);
    else this.checked.delete(id);
    this.changed.emit();
  }

  /** Check these clips and no others. */
  replace(ids: string[]): void {
    if (ids.join() === this.ids.join()) return;
    this.checked.clear();
    ids.forEach((id) => this.checked.add(id));
    this.changed.emit();
  }
}
