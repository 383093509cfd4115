import { element } from "../../core/dom";
import type { FaultRow, Item, Quality } from "../../core/messages";
import type { Studio } from "../../core/studio";
import { numberField } from "../../widgets/fields";

/** Faults that are listed; the others are counted. */
const MAX_LISTED = 8;

/** What capture got wrong in a clip, a button that mends it, and smoothing with a stated cut-off. */
export function cleanUp(studio: Studio, item: Item, { faults }: Quality): HTMLElement {
  const change = (edit: Partial<Item["edit"]>): void => {
    const now = studio.item(item.id); // may have changed since it was measured
    if (now) studio.do({ type: "set_edit", item: now.id, edit: { ...now.edit, ...edit }, marks: now.marks });
  };
  const smoothing = numberField("Smoothing (Hz)", { min: 1, max: 60, step: 1, placeholder: "off" }, (cutoff) =>
    change({ smooth: cutoff }),
  );
  smoothing.set(item.edit.smooth);
  return element(
    "section",
    { class: "clean-up", "aria-label": "Clean up" },
    element("h3", {}, "Faults of capture"),
    faultList(studio, item, faults),
    repairButton(item, faults, () => change({ repair: !item.edit.repair })),
    smoothing.element,
  );
}

function repairButton(item: Item, faults: FaultRow[], toggle: () => void): HTMLButtonElement {
  const n = faults.filter(({ mendable }) => mendable).length;
  const label = item.edit.repair ? "Turn clean-up off" : n ? `Clean up (${n})` : "Clean up";
  const button = element("button", { type: "button", onclick: toggle }, label);
  button.disabled = !item.edit.repair && n === 0;
  return button;
}

/** The faults of the clip as it is; a click moves the playhead to one. */
function faultList(studio: Studio, item: Item, faults: FaultRow[]): HTMLElement {
  if (!faults.length) {
    return element("p", { class: "hint" }, item.edit.repair ? "All faults found were mended." : "None found.");
  }
  const seek = (frame: number): void => {
    const header = studio.motion(item.id)?.header;
    if (header) studio.playback.seek(frame / header.fps);
  };
  const rows = faults
    .slice(0, MAX_LISTED)
    .map(({ frame, text, mendable }) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: "plain", onclick: () => seek(frame) },
          mendable ? text : `${text} (is left as it is)`,
        ),
      ),
    );
  const more = faults.length - rows.length;
  if (more > 0) rows.push(element("li", { class: "muted" }, `and ${more} more`));
  return element("ul", { class: "faults" }, ...rows);
}
