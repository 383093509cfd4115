import { element } from "../../core/dom";
import type { FaultRow, Item, Quality } from "../../core/messages";
import type { Studio } from "../../core/studio";
import { numberField } from "../../widgets/fields";
import { keptList } from "../../widgets/kept_list";

/** Artifacts that are listed; the others are counted. */
const MAX_LISTED = 8;

/** A part of the panel about one clip, kept up to date with what is measured. */
export interface Control {
  element: HTMLElement;
  update: (item: Item, quality: Quality) => void;
  /** Show the clip as it is now, before it is measured again. */
  follow?: () => void;
}

/** What capture got wrong in a clip, a button that repairs it, and smoothing with a stated cut-off. */
export function cleanUp(studio: Studio, id: string): Control {
  let isRepaired = false;
  const change = (edit: Partial<Item["edit"]>): void => {
    const now = studio.item(id); // may have changed since it was measured
    if (now) studio.do({ type: "set_edit", item: id, edit: { ...now.edit, ...edit }, marks: null });
  };
  const seek = (frame: number): void => {
    const header = studio.motion(id)?.header;
    if (header) studio.playback.seek(frame / header.fps);
  };
  const none = element("p", { class: "hint" });
  const list = element("ul", { class: "faults" });
  const repair = element("button", { type: "button", onclick: () => change({ repair: !isRepaired }) });
  const smoothing = numberField("Smoothing (Hz)", { min: 1, max: 60, step: 1, placeholder: "off" }, (cutoff) =>
    change({ smooth: cutoff }),
  );
  const setRows = keptList(list, repair);
  return {
    element: element(
      "section",
      { class: "clean-up", "aria-label": "Clean up" },
      element("h3", {}, "Capture artifacts"),
      none,
      list,
      repair,
      smoothing.element,
    ),
    update: ({ edit }, { faults }) => {
      const n = faults.filter(({ mendable }) => mendable).length;
      isRepaired = edit.repair;
      none.hidden = faults.length > 0;
      none.textContent = isRepaired ? "All artifacts found were repaired." : "None found.";
      list.hidden = faults.length === 0;
      repair.textContent = isRepaired ? "Turn clean-up off" : n ? `Clean up (${n})` : "Clean up";
      repair.disabled = !isRepaired && n === 0;
      setRows(faults, () => faultRows(faults, seek));
      smoothing.set(edit.smooth);
    },
  };
}

/** The artifacts of the clip as it is; a click moves the playhead to one. */
function faultRows(faults: FaultRow[], seek: (frame: number) => void): HTMLElement[] {
  const rows = faults
    .slice(0, MAX_LISTED)
    .map(({ frame, text, mendable }) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: "plain", onclick: () => seek(frame) },
          mendable ? text : `${text} (not repaired)`,
        ),
      ),
    );
  const more = faults.length - rows.length;
  if (more > 0) rows.push(element("li", { class: "muted" }, `and ${more} more`));
  return rows;
}
