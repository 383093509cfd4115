import { element } from "../core/dom";
import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { openDialog } from "../widgets/dialog";
import { shortcutList } from "../widgets/shortcut_list";
import { startTour } from "./tour/tour";

/** Register the help shortcut; the returned function opens the help. The first of `panels` is the open tab. */
export function helpKey(studio: Studio, panels: () => Panel[]): () => void {
  const open = (): void => showHelp(studio, focusedFirst(panels()));
  studio.shortcuts.register({ id: "help", keys: ["?", "F1"], label: "Open this help", group: "General", action: open });
  return open;
}

/** The panels, starting with the one that has the focus. */
function focusedFirst(panels: Panel[]): Panel[] {
  const focused = panels.find((panel) => panel.element.contains(document.activeElement));
  return focused ? [focused, ...panels.filter((panel) => panel !== focused)] : panels;
}

function showHelp(studio: Studio, panels: Panel[]): void {
  const tour = element("button", { type: "button" }, "Start the tour");
  const dialog = openDialog(
    "Help",
    ...panels.flatMap(({ title, help }) => [element("h3", {}, title), element("p", {}, help)]),
    element("h3", {}, "Tour"),
    element("p", {}, "Short step-by-step tasks, one for each main feature. "),
    tour,
    ...shortcutList(studio.shortcuts.all),
  );
  tour.addEventListener("click", () => {
    dialog.addEventListener("close", () => startTour(studio)); // after the focus has returned to the page
    dialog.close();
  });
}
