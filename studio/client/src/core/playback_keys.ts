import type { Playback } from "./playback";
import type { Shortcut } from "./shortcuts";

const LARGE_STEP = 10;
const MAX_SPEED = 8;

/** The shortcuts of playback, as other players have them; `step` moves the playhead by frames. */
export function playbackKeys(playback: Playback, step: (frames: number) => void): Shortcut[] {
  const shuttle = new Shuttle(playback);
  const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
    id: `playback.${id}`,
    keys,
    label,
    group: "Playback",
    action,
  });
  return [
    key("toggle", ["Space"], "Play or pause", () => togglePlay(playback)),
    key("back", ["Left", ","], "Previous frame", () => step(-1)),
    key("on", ["Right", "."], "Next frame", () => step(1)),
    key("back.many", ["Shift+Left"], "Back ten frames", () => step(-LARGE_STEP)),
    key("on.many", ["Shift+Right"], "Forward ten frames", () => step(LARGE_STEP)),
    key("first", ["Home"], "First frame", () => step(-Infinity)),
    key("last", ["End"], "Last frame", () => step(Infinity)),
    key("shuttle.back", ["J"], "Play backward; press again to go faster", () => shuttle.go(-1)),
    key("shuttle.stop", ["K"], "Stop", () => shuttle.stop()),
    key("shuttle.on", ["L"], "Play forward; press again to go faster", () => shuttle.go(1)),
  ];
}

/** Play or pause; always plays forward. */
export function togglePlay(playback: Playback): void {
  if (playback.playing) playback.pause();
  else playback.play(Math.abs(playback.speed) || 1);
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
