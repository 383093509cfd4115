const PREFIX = "motionloom.";

/** What the page remembers on this machine: sizes, theme, view. The document is never kept here. */
export function read<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // storage is switched off, or holds something else
  }
}

export function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without storage the page forgets its sizes, and works.
  }
}
