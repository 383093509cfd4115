const PREFIX = "motionloom.";

/** Load a setting of the page from this browser: sizes, theme, view. The document is never stored here. */
export function load<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // storage is disabled, or holds something else
  }
}

/** Store a setting of the page in this browser. */
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without storage the page works, but forgets its settings.
  }
}
