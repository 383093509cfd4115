import { element } from "../core/dom";
import type { Shortcut } from "../core/shortcuts";

/** All shortcuts, a heading and a list for each group. */
export function shortcutList(shortcuts: Shortcut[]): HTMLElement[] {
  return groups(shortcuts).flatMap(([group, members]) => [
    element("h3", {}, `Shortcuts: ${group.toLowerCase()}`),
    keyList(members),
  ]);
}

function groups(shortcuts: Shortcut[]): [string, Shortcut[]][] {
  const names = [...new Set(shortcuts.map(({ group }) => group))];
  return names.map((name) => [name, shortcuts.filter(({ group }) => group === name)]);
}

function keyList(shortcuts: Shortcut[]): HTMLElement {
  const entries = shortcuts.flatMap(({ keys, label }) => [
    element("dt", {}, ...keys.map((key) => element("kbd", {}, key))),
    element("dd", {}, label),
  ]);
  return element("dl", { class: "shortcut-list" }, ...entries);
}
