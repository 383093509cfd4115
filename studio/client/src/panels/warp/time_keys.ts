import { element } from "../../core/dom";
import type { Studio } from "../../core/studio";
import { rounded, type WarpDesk } from "./desk";
import type { Section } from "./panel";
import { PairStrip } from "./pair_strip";

/** Moments of the source and when they happen in the result: two rails with a line for every pair. */
export function timeKeys(studio: Studio, desk: WarpDesk): Section {
  const strip = new PairStrip((pairs) => desk.change({ times: pairs }));
  const add = element("button", { type: "button", onclick: () => addAtPlayhead() }, "Add a moment at the playhead");
  const addAtPlayhead = (): void => {
    const { shown, keyTime } = desk;
    if (shown && keyTime !== null) strip.add([keyTime, newTime(studio, desk, keyTime)]);
  };
  const follow = (): void => {
    const source = desk.sourceTime;
    if (source !== null) strip.seek(source, shownTime(studio, desk, source));
  };
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Moments"),
      strip.element,
      element("div", { class: "warp-row" }, add),
      element(
        "p",
        { class: "warp-hint" },
        "Drag an end, or move it with the arrow keys; Delete takes the moment out. Double-click adds one.",
      ),
    ),
    update() {
      const { shown, curves } = desk;
      add.disabled = !curves;
      if (!shown || !curves) return;
      const { source_duration, source_fps, duration } = curves.head;
      strip.show(shown.recipe.times, source_duration, Math.max(source_duration, duration), 1 / source_fps);
      follow();
    },
    follow,
  };
}

/** When the result shows what is at the playhead. An edit of the warp itself comes later and does not count. */
function shownTime(studio: Studio, { shown }: WarpDesk, source: number): number {
  const edit = shown?.item.edit;
  const isEdited = edit && (edit.trim || edit.speed || edit.reverse);
  return isEdited ? source : studio.playback.time;
}

/** The new time of a pair that leaves time as it is; the strength multiplies what it changes. */
function newTime(studio: Studio, desk: WarpDesk, source: number): number {
  const amount = desk.shown?.recipe.amount ?? 1;
  const now = shownTime(studio, desk, source);
  return rounded(amount === 0 ? source : source + (now - source) / amount);
}
