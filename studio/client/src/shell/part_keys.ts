import type { Studio } from "../core/studio";

/** The parts of the page in order, each with what takes the focus there: the first of these that can be seen. */
const PARTS: [string, string[]][] = [
  [".left", [".clip-name[aria-current=true]", ".clip-name", "button"]],
  [".centre", ["select", "button"]],
  [".right", ["[role=tab][aria-selected=true]"]],
  [".bottom", ['[title^="Play"]', '[title^="Pause"]', "button"]],
];

/** Register keys that lead from one part of the page to the next, and to the first buttons of the list. */
export function registerPartKeys(studio: Studio): void {
  const key = (id: string, keys: string[], label: string, action: () => void) => ({
    id: `part.${id}`,
    keys,
    label,
    group: "General",
    action,
  });
  studio.shortcuts.register(
    key("next", ["F6"], "Next part of the page: clips, viewport, panels, timeline", () => move(1)),
    key("previous", ["Shift+F6"], "Previous part of the page", () => move(-1)),
    key("new", ["N"], "Open the New menu", () => document.querySelector<HTMLElement>(".clip-head .primary")?.click()),
    key("import", ["I"], "Import files", () => document.querySelector<HTMLElement>(".import-files")?.click()),
  );
}

function move(step: number): void {
  const at = PARTS.findIndex(([part]) => document.activeElement?.closest(part));
  const next = at < 0 ? (step > 0 ? 0 : PARTS.length - 1) : (at + step + PARTS.length) % PARTS.length;
  const [part, targets] = PARTS[next]!;
  for (const target of targets) {
    const found = document.querySelector<HTMLElement>(`${part} ${target}`);
    if (!found?.checkVisibility()) continue;
    found.focus({ focusVisible: true });
    return;
  }
}
