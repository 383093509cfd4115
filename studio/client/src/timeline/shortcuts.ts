import type { Playback } from "../core/playback";
import type { Shortcut } from "../core/shortcuts";
import type { Studio } from "../core/studio";
import type { Axis } from "./axis";
import type { TimelineEditor } from "./editor";
import { trimTo } from "./edits";
import type { Playhead } from "./playhead";
import { togglePlay, ZOOM_STEP } from "./transport";

const LARGE_STEP = 10;
const MAX_SPEED = 8;

interface Parts {
  studio: Studio;
  editor: TimelineEditor;
  axis: Axis;
  playhead: Playhead;
  removeSelected: () => void;
}

/** Register the shortcuts of the timeline, as other players and editors have them. */
export function registerKeys(parts: Parts): void {
  parts.studio.shortcuts.register(...playbackKeys(parts), ...editingKeys(parts));
}

function playbackKeys({ studio, playhead, axis }: Parts): Shortcut[] {
  const shuttle = new Shuttle(studio.playback);
  const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
    id: `playback.${id}`,
    keys,
    label,
    group: "Playback",
    action,
  });
  return [
    key("toggle", ["Space"], "Play or pause", () => togglePlay(studio)),
    key("back", ["Left", ","], "Previous frame", () => playhead.step(-1)),
    key("on", ["Right", "."], "Next frame", () => playhead.step(1)),
    key("back.many", ["Shift+Left"], "Back ten frames", () => playhead.step(-LARGE_STEP)),
    key("on.many", ["Shift+Right"], "Forward ten frames", () => playhead.step(LARGE_STEP)),
    key("first", ["Home"], "First frame", () => playhead.step(-Infinity)),
    key("last", ["End"], "Last frame", () => playhead.step(Infinity)),
    key("shuttle.back", ["J"], "Play backward; press again to go faster", () => shuttle.go(-1)),
    key("shuttle.stop", ["K"], "Stop", () => shuttle.stop()),
    key("shuttle.on", ["L"], "Play forward; press again to go faster", () => shuttle.go(1)),
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

/** Plays forward or backward, faster with every key press. */
class Shuttle {
  /** The speed before, which is restored at the end. */
  private normalSpeed: number | null = null;

  constructor(private readonly playback: Playback) {}

  go(direction: 1 | -1): void {
    const { playback } = this;
    const same = playback.playing && Math.sign(playback.speed) === direction && this.normalSpeed !== null;
    this.normalSpeed ??= playback.speed;
    playback.play(same ? direction * Math.min(MAX_SPEED, 2 * Math.abs(playback.speed)) : direction);
  }

  stop(): void {
    this.playback.pause();
    if (this.normalSpeed !== null) this.playback.speed = this.normalSpeed;
    this.normalSpeed = null;
  }
}
