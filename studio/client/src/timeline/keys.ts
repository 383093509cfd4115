import type { Playback } from "../core/playback";
import type { Shortcut } from "../core/shortcuts";
import type { Studio } from "../core/studio";
import type { Axis } from "./axis";
import type { Desk } from "./desk";
import type { Playhead } from "./playhead";
import { togglePlay, ZOOM_STEP } from "./transport";
import { trimmed } from "./trimming";

const MANY = 10;
const FASTEST = 8;

interface Parts {
  studio: Studio;
  desk: Desk;
  axis: Axis;
  playhead: Playhead;
  removeChosen: () => void;
}

/** The keys of the timeline: those that people know from players and editors. */
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
    key("back", ["Left", ","], "One frame back", () => playhead.step(-1)),
    key("on", ["Right", "."], "One frame on", () => playhead.step(1)),
    key("back.many", ["Shift+Left"], "Ten frames back", () => playhead.step(-MANY)),
    key("on.many", ["Shift+Right"], "Ten frames on", () => playhead.step(MANY)),
    key("first", ["Home"], "First frame", () => playhead.step(-Infinity)),
    key("last", ["End"], "Last frame", () => playhead.step(Infinity)),
    key("shuttle.back", ["J"], "Play backward; again, faster", () => shuttle.go(-1)),
    key("shuttle.stop", ["K"], "Stop", () => shuttle.stop()),
    key("shuttle.on", ["L"], "Play forward; again, faster", () => shuttle.go(1)),
    key("closer", ["+", "="], "Zoom in, in time", () => axis.zoom(1 / ZOOM_STEP, axis.x(studio.playback.time))),
    key("farther", ["-"], "Zoom out, in time", () => axis.zoom(ZOOM_STEP, axis.x(studio.playback.time))),
    key("fit", ["\\"], "Show all of the time", () => axis.fit()),
  ];
}

function editingKeys({ studio, desk, playhead, removeChosen }: Parts): Shortcut[] {
  const trim = (side: "start" | "end") => {
    const shown = studio.selected && desk.shown(studio.selected.id);
    if (!shown) return;
    // Of a clip that runs backward, what comes first is its last frame.
    const isFirst = (side === "start") === shown.made.step > 0;
    desk.send(shown.item.id, trimmed(shown, isFirst ? "first" : "last", shown.made.before(playhead.frame)));
  };
  const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
    id,
    keys,
    label,
    group: "Editing",
    action,
  });
  return [
    key("trim.start", ["["], "Begin the clip at the playhead", () => trim("start")),
    key("trim.end", ["]"], "End the clip at the playhead", () => trim("end")),
    key("mark.remove", ["Delete"], "Remove the selected mark", removeChosen),
  ];
}

/** Playing either way, ever faster. */
class Shuttle {
  /** The speed that was chosen before, which comes back at the end. */
  private chosen: number | null = null;

  constructor(private readonly playback: Playback) {}

  go(way: 1 | -1): void {
    const { playback } = this;
    const same = playback.playing && Math.sign(playback.speed) === way && this.chosen !== null;
    this.chosen ??= playback.speed;
    playback.play(same ? way * Math.min(FASTEST, 2 * Math.abs(playback.speed)) : way);
  }

  stop(): void {
    this.playback.pause();
    if (this.chosen !== null) this.playback.speed = this.chosen;
    this.chosen = null;
  }
}
