/** A key that does something wherever the focus is. */
export interface Shortcut {
  /** A name that nothing else has, such as "playback.toggle". */
  id: string;
  /** Any of these, written as they are shown: "Space", "Ctrl+Shift+Z", "Shift+Left", "J", "?", "[". */
  keys: string[];
  /** What it does, for the list of the help key: "Play or pause". */
  label: string;
  /** Under which heading the help lists it: "Playback", "View", "Editing". */
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

/** Keys that a focused button, or anything with a value, uses itself. */
const PRESSING = new Set(["Space", "Enter"]);
const MOVING = new Set(["Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown"]);

/** These type nothing, so that they work in text fields, too. */
const FUNCTION_KEY = /^F\d+$/;

const TYPED_INTO =
  "textarea, select, [contenteditable], input:not([type=range],[type=checkbox],[type=radio],[type=button])";
const PRESSED = "button, a[href], summary, input, [role=button], [role=option], [role=tab], [role=menuitem]";
const MOVED = "input, [role=slider], [role=separator], [role=listbox], [role=tablist], [role=menu], [role=radiogroup]";

/** All shortcuts of the page. A key goes to a shortcut unless what has the focus uses it: text fields keep every key,
 * buttons keep Space and Enter, sliders keep the arrows, and whoever calls `preventDefault` keeps its own. */
export class Shortcuts {
  private readonly listed = new Map<string, Shortcut>();

  /** Add shortcuts; the function that is returned takes them away again. */
  register(...shortcuts: Shortcut[]): () => void {
    for (const shortcut of shortcuts) this.listed.set(shortcut.id, shortcut);
    return () => shortcuts.forEach(({ id }) => this.listed.delete(id));
  }

  /** All of them, in the order in which they were added. */
  get all(): Shortcut[] {
    return [...this.listed.values()];
  }

  listen(target: Document): void {
    target.addEventListener("keydown", (event) => this.handle(event));
  }

  private handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = written(event);
    const found = this.all.find(({ keys }) => keys.includes(pressed));
    if (!found || isUsedBy(event.target as Element | null, pressed)) return;
    event.preventDefault();
    found.action(event);
  }
}

/** The key of an event as shortcuts write it. Shift counts where it does not already make another sign. */
function written(event: KeyboardEvent): string {
  const name = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const isSign = name.length === 1 && name.toLowerCase() === name.toUpperCase();
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && !isSign) parts.push("Shift");
  return [...parts, name].join("+");
}

function isUsedBy(target: Element | null, pressed: string): boolean {
  if (!(target instanceof Element)) return false;
  // A dialog is in front of everything: its keys do nothing to what lies behind.
  if (target.closest("dialog[open]")) return true;
  if (target.closest(TYPED_INTO)) return !FUNCTION_KEY.test(pressed);
  const key = pressed.slice(pressed.lastIndexOf("+") + 1);
  if (PRESSING.has(key) && target.closest(PRESSED)) return true;
  return MOVING.has(key) && target.closest(MOVED) !== null;
}
