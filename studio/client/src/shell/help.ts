import { element } from "../core/dom";
import type { Panel } from "../core/panel";
import type { Shortcut } from "../core/shortcuts";
import type { Studio } from "../core/studio";
import { openDialog } from "../widgets/dialog";
import { startTour } from "./tour";

/** Register the help keys; what is returned opens the help. The first of `panels` is the one in view. */
export function helpKey(studio: Studio, panels: () => Panel[]): () => void {
  const open = (): void => showHelp(studio, inUse(panels()));
  studio.shortcuts.register({ id: "help", keys: ["?", "F1"], label: "This help", group: "Page", action: open });
  return open;
}

/** The panels, that in which somebody works first. */
function inUse(panels: Panel[]): Panel[] {
  const used = panels.find((panel) => panel.element.contains(document.activeElement));
  return used ? [used, ...panels.filter((panel) => panel !== used)] : panels;
}

function showHelp(studio: Studio, panels: Panel[]): void {
  const tour = element("button", { type: "button" }, "Show the tour");
  const dialog = openDialog(
    "Help",
    ...panels.flatMap(({ title, help }) => [element("h3", {}, title), element("p", {}, help)]),
    element("h3", {}, "Tour"),
    element("p", {}, "Short tasks, one of each kind, step by step. "),
    tour,
    ...groups(studio.shortcuts.all).flatMap(([group, shortcuts]) => [
      element("h3", {}, `Keys: ${group.toLowerCase()}`),
      keyList(shortcuts),
    ]),
  );
  tour.addEventListener("click", () => {
    dialog.addEventListener("close", () => startTour(studio)); // after the focus went back to the page
    dialog.close();
  });
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
