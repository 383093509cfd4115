import { applyEdit } from "./edits";
import type { Document, Edit } from "./messages";

/** Edits that the server has not answered yet. The page shows them at once, so that the next edit is made to what is
 * seen, and not to a document that lacks them. */
export class UnansweredEdits {
  private readonly edits = new Map<number, Edit>();
  private waiting: { serial: number; resolve: () => void }[] = [];
  private last = 0;

  get isEmpty(): boolean {
    return this.edits.size === 0;
  }

  /** Remember an edit that is about to be sent; returns its serial. */
  add(edit: Edit): number {
    this.edits.set(++this.last, edit);
    return this.last;
  }

  /** The server applied or refused an edit; it answers in order. Returns whether the edit was waited for. */
  answer(serial: number): boolean {
    const isKnown = this.edits.delete(serial);
    this.release();
    return isKnown;
  }

  /** Expect no answers any more: the connection was lost. Returns how many edits were waited for. */
  clear(): number {
    const lost = this.edits.size;
    this.edits.clear();
    this.release();
    return lost;
  }

  /** A document as it will be once all edits are applied. */
  apply(document: Document): Document {
    return [...this.edits.values()].reduce(applyEdit, document);
  }

  /** Resolves once the edits that have been sent until now are answered. */
  answered(): Promise<void> {
    if (this.isEmpty) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ serial: this.last, resolve }));
  }

  private release(): void {
    const first = Math.min(...this.edits.keys()); // Infinity if there is none
    const isAnswered = ({ serial }: { serial: number }): boolean => serial < first;
    const done = this.waiting.filter(isAnswered);
    this.waiting = this.waiting.filter((each) => !isAnswered(each));
    done.forEach(({ resolve }) => resolve());
  }
}
