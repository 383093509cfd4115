/** An event with listeners. Signals are named in the past tense. */
export class Signal<T = void> {
  private readonly listeners = new Set<(value: T) => void>();

  /** Call `listener` on every `emit`; the returned function stops it. */
  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}
