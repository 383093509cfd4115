import { playbackKeys } from "../core/playback_keys";
import type { Shortcut } from "../core/shortcuts";
import type { Studio } from "../core/studio";
import type { Axis } from "./axis";
import type { TimelineEditor } from "./editor";
import { trimTo } from "./edits";
import type { Playhead } from "./playhead";
import { ZOOM_STEP } from "./transport";

interface Parts {
  studio: Studio;
  editor: TimelineEditor;
  axis: Axis;
  playhead: Playhead;
  removeSelected: () => void;
}

/** Register the shortcuts of the timeline, as other players and editors have them. */
export function registerKeys(parts: Parts): void {
  const { studio, playhead } = parts;
  const playing = playbackKeys(studio.playback, (frames) => playhead.step(frames));
  studio.shortcuts.register(...playing, ...zoomKeys(parts), ...editingKeys(parts));
}

function zoomKeys({ studio, axis }: Parts): Shortcut[] {
  const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
    id: `playback.${id}`,
    keys,
    label,
    group: "Playback",
    action,
  });
  return [
    key("closer", ["+", "="], "Zoom the timeline in", () => axis.zoom(1 / ZOOM_STEP, axis.x(studio.playback.time))),
    key("farther", ["-"], "Zoom the timeline out", () => axis.zoom(ZOOM_STEP, axis.x(studio.playback.time))),
    key("fit", ["\\"], "Fit the timeline", () => axis.fit()),
  ];
}

function editingKeys({ studio, editor, playhead, removeSelected }: Parts): Shortcut[] {
  const trim = (side: "start" | "end") => {
    const view = studio.selected && editor.view(studio.selected.id);
    if (!view) return;
    // A reversed clip starts with its last frame.
    const isFirst = (side === "start") === view.computed.step > 0;
    editor.send(view.item.id, trimTo(view, isFirst ? "first" : "last", view.computed.before(playhead.frame)));
  };
  const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
    id,
    keys,
    label,
    group: "Editing",
    action,
  });
  return [
    key("trim.start", ["["], "Trim the start to the playhead", () => trim("start")),
    key("trim.end", ["]"], "Trim the end to the playhead", () => trim("end")),
    key("mark.remove", ["Delete"], "Remove the selected mark", removeSelected),
  ];
}
