/** A key that works wherever the focus is. */
export interface Shortcut {
  /** A unique name, such as "playback.play". */
  id: string;
  /** Alternative keys, as the help shows them: "Space", "Ctrl+Shift+Z", "Shift+Left", "J", "?", "[". */
  keys: string[];
  /** What it does, for the help: "Play or pause". */
  label: string;
  /** The heading in the help: "Playback", "View", "Editing", "General". */
  group: string;
  action: (event: KeyboardEvent) => void;
}

const NAMES: Record<string, string> = {
  " ": "Space",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  ArrowUp: "Up",
  ArrowDown: "Down",
  Escape: "Esc",
};

/** Keys that a focused control uses itself. Space plays, whatever has the focus: buttons are pressed with Enter, and only
 * boxes to check and menus take it while they are used with the keyboard. */
const MOVE_KEYS = new Set(["Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown"]);

/** Function keys type nothing, so they work in text fields, too. */
const FUNCTION_KEY = /^F\d+$/;

export const TEXT_FIELDS =
  "textarea, select, [contenteditable], input:not([type=range],[type=checkbox],[type=radio],[type=button])";
const BUTTONS = "button, a[href], summary, input, [role=button], [role=option], [role=tab], [role=menuitem]";
const SPACE_CONTROLS = "input[type=checkbox]:focus-visible, input[type=radio]:focus-visible, [role=menu] *, dialog *";
const VALUE_CONTROLS =
  "input, [role=slider], [role=separator], [role=listbox], [role=tablist], [role=menu], [role=radiogroup]";

/** All shortcuts of the page. A key goes to its shortcut unless the focused element uses it: text fields use every key,
 * buttons Enter, sliders the arrow keys, and any listener that calls `preventDefault` its own. */
export class Shortcuts {
  private readonly registered = new Map<string, Shortcut>();

  /** Shortcuts of a dialog work while it is open; those of the page do not. */
  constructor(private readonly dialog: HTMLDialogElement | null = null) {}

  /** Add shortcuts; the returned function removes them. */
  register(...shortcuts: Shortcut[]): () => void {
    for (const shortcut of shortcuts) this.registered.set(shortcut.id, shortcut);
    return () => shortcuts.forEach(({ id }) => this.registered.delete(id));
  }

  /** All shortcuts in the order in which they were added. */
  get all(): Shortcut[] {
    return [...this.registered.values()];
  }

  listen(target: Document): void {
    target.addEventListener("keydown", (event) => this.handle(event));
  }

  /** Run the shortcut of a key, unless the focused element uses the key. */
  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = keyName(event);
    const found = this.all.find(({ keys }) => keys.includes(pressed));
    if (!found || this.isUsedBy(event.target as Element | null, pressed)) return;
    event.preventDefault();
    found.action(event);
  }

  private isUsedBy(target: Element | null, pressed: string): boolean {
    if (!(target instanceof Element)) return false;
    // While a dialog is open, keys do nothing to the page behind it, not even after a click on plain text.
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
    if (dialog !== this.dialog) return true;
    if (pressed === "Space" && target.matches("select")) return false; // Alt+Down opens it
    if (target.closest(TEXT_FIELDS)) return !FUNCTION_KEY.test(pressed);
    const key = pressed.slice(pressed.lastIndexOf("+") + 1);
    if (key === "Space" && target.closest(SPACE_CONTROLS)) return true;
    if (key === "Enter" && target.closest(BUTTONS)) return true;
    return MOVE_KEYS.has(key) && target.closest(VALUE_CONTROLS) !== null;
  }
}

/** The key of an event as shortcuts are written. Shift counts unless it already makes another character. */
function keyName(event: KeyboardEvent): string {
  const name = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const isSymbol = name.length === 1 && name.toLowerCase() === name.toUpperCase();
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && !isSymbol) parts.push("Shift");
  return [...parts, name].join("+");
}
