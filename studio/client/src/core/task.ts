import { Signal } from "./signal";

/** Work that goes on for a while: the page shows its text until it ends. */
export class Task {
  readonly changed = new Signal<string>();
  readonly ended = new Signal<string | null>();

  constructor(
    public text: string,
    /** Stops the work; null where that is not possible. */
    readonly cancel: (() => void) | null = null,
  ) {}

  update(text: string): void {
    this.text = text;
    this.changed.emit(text);
  }

  /** End the task, with a last message or silently. */
  end(text: string | null = null): void {
    this.ended.emit(text);
  }
}
