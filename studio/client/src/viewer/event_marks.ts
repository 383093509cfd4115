import { element } from "../core/dom";
import type { Mark } from "../core/messages";
import type { Playback } from "../core/playback";

/** Events closer than this part of the duration share a mark: they could not be told apart, or hit. */
const MIN_SPACING = 1 / 300;

/** One mark of the scrubber: a time, as a fraction of the duration, and all events there. */
export interface EventMark {
  fraction: number;
  seconds: number;
  title: string;
}

/** The marks for events, in order of time; neighbours that would overlap are merged. */
export function placeMarks(events: readonly Mark[], fps: number, duration: number): EventMark[] {
  const marks: EventMark[] = [];
  for (const { frame, label, joint } of [...events].sort((a, b) => a.frame - b.frame)) {
    const seconds = frame / fps;
    if (!(duration > 0) || seconds < 0 || seconds > duration) continue;
    const title = `${joint ? `${label} (${joint})` : label}, frame ${Math.round(frame)}`;
    const last = marks.at(-1);
    if (last && seconds / duration - last.fraction < MIN_SPACING) last.title += `\n${title}`;
    else marks.push({ fraction: seconds / duration, seconds, title });
  }
  return marks;
}

/** Marks above the scrubber where the selected clip has events; a click goes there. */
export class EventMarks {
  readonly element = element("div", { class: "event-marks", "aria-hidden": "true" });
  private events: readonly Mark[] = [];
  private fps = 30;
  private drawnFor = "";

  constructor(private readonly playback: Playback) {
    playback.changed.on(() => this.update());
  }

  /** Show the events of a clip from now on. */
  show(events: readonly Mark[], fps: number): void {
    this.events = events;
    this.fps = fps;
    this.drawnFor = "";
    this.update();
  }

  private update(): void {
    const { duration } = this.playback;
    const state = `${duration} ${this.events.length}`;
    if (state === this.drawnFor) return;
    this.drawnFor = state;
    const marks = placeMarks(this.events, this.fps, duration);
    this.element.replaceChildren(
      ...marks.map(({ fraction, seconds, title }) => {
        const mark = element("span", { class: "event-mark", title, onclick: () => this.go(seconds) });
        mark.style.setProperty("--at", String(fraction));
        return mark;
      }),
    );
  }

  private go(seconds: number): void {
    this.playback.pause();
    this.playback.seek(seconds);
  }
}
