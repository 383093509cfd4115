/** Tells the edits of one drag from those of another, however long the pointer rests in between. */
export class Gesture {
  private count = 0;
  private name: string | null = null;
  /** Other tabs of the browser edit the same project. */
  private readonly tab = Math.random().toString(36).slice(2);

  /** The name of the drag that is going on, or null. */
  get current(): string | null {
    return this.name;
  }

  listen(target: Document): void {
    const begin = ({ button }: PointerEvent): void => {
      if (button === 0) this.name = `${this.tab}-${++this.count}`;
    };
    target.addEventListener("pointerdown", begin, true);
    // What controls report when they are let go still belongs to the drag.
    const end = (): void => void setTimeout(() => (this.name = null));
    for (const type of ["pointerup", "pointercancel", "contextmenu"]) target.addEventListener(type, end, true);
    addEventListener("blur", end);
  }
}
