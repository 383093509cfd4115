import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import { takeFiles } from "../widgets/refusals";

/** Take files that are dropped anywhere on the page; while they hover, the page says so. */
export function acceptDrops(studio: Studio): void {
  const words = element("p", {}, "Drop motion files to add them to the project");
  const overlay = element("div", { class: "drop-overlay" }, words);
  overlay.hidden = true;
  document.body.append(overlay);

  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // otherwise the browser would open the file in place of the page
    overlay.hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    overlay.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    void takeFiles(studio, event.dataTransfer!.files);
  });
}
