import { element } from "../../core/dom";
import type { WeightKey } from "../../core/messages";
import type { Studio } from "../../core/studio";
import type { BlendView, Section } from "./panel";

/** Keys of a recording lie at least so many seconds apart, or weights are followed too closely to be edited. */
const KEY_SECONDS = 0.1;
/** A weight that changes by less between two keys needs no key. */
const KEY_CHANGE = 0.01;

/** Live control: the figure goes on while weights are dragged, and a recording becomes keys. */
export function steering(view: BlendView): Section {
  const { studio } = view;
  let latest = view;
  const recording = new Recording();
  const live = element("button", { type: "button", "aria-pressed": "false", onclick: () => toggle() }, "Steer live");
  const record = element(
    "button",
    { type: "button", "aria-pressed": "false", disabled: true, onclick: () => toggleRecording() },
    "Record",
  );
  const state = element("output", { class: "hint" });

  const toggle = (): void => {
    if (studio.live.running) studio.live.stop();
    else studio.live.start(latest.item.id, latest.recipe.weights);
  };
  const toggleRecording = (): void => {
    if (recording.running) finish();
    else recording.start();
    show();
  };
  const finish = (): void => {
    const { keys, seconds } = recording.stop();
    if (keys.length > 1) latest.change({ keys, seconds, easing: "linear" });
  };
  const show = (): void => {
    live.setAttribute("aria-pressed", String(studio.live.running));
    live.textContent = studio.live.running ? "Stop steering" : "Steer live";
    record.disabled = !studio.live.running;
    record.setAttribute("aria-pressed", String(recording.running));
    record.textContent = recording.running ? "Stop recording" : "Record";
  };

  const off = [
    studio.live.started.on(show),
    studio.live.stopped.on(() => {
      if (recording.running) finish();
      state.value = "";
      show();
    }),
    studio.live.posed.on(({ head }) => {
      recording.take(head.time, studio.live.weights);
      state.value = `${head.time.toFixed(1)} s${recording.running ? `, ${recording.length} keys` : ""}`;
    }),
  ];
  const box = element("section", { class: "row" }, live, record, state);
  forgetWhenGone(studio, box, off);
  return {
    element: box,
    update(next) {
      latest = next;
      show();
    },
  };
}

/** Keys of what is done with the weights, from the moment it starts. */
class Recording {
  private keys: WeightKey[] | null = null;
  private start_ = 0;
  private last = 0;

  get running(): boolean {
    return this.keys !== null;
  }

  get length(): number {
    return this.keys?.length ?? 0;
  }

  start(): void {
    this.keys = [];
  }

  take(time: number, weights: number[]): void {
    if (!this.keys) return;
    if (this.keys.length === 0) this.start_ = time;
    this.last = time - this.start_;
    const before = this.keys.at(-1);
    if (before && this.last - before.time < KEY_SECONDS) return;
    if (before && weights.every((weight, n) => Math.abs(weight - before.weights[n]!) < KEY_CHANGE)) return;
    // Weights that stood still until now stay so until the key before this one.
    if (before && this.last - before.time > 2 * KEY_SECONDS) {
      this.keys.push({ time: rounded(this.last - KEY_SECONDS), weights: before.weights });
    }
    this.keys.push({ time: rounded(this.last), weights: [...weights] });
  }

  stop(): { keys: WeightKey[]; seconds: number } {
    const keys = this.keys ?? [];
    this.keys = null;
    const end = keys.at(-1);
    if (end && this.last > end.time) keys.push({ time: rounded(this.last), weights: end.weights });
    return { keys, seconds: rounded(Math.max(this.last, KEY_SECONDS)) };
  }
}

function rounded(seconds: number): number {
  return Math.round(1000 * seconds) / 1000;
}

/** Stop listening once the section is no longer in the page. */
function forgetWhenGone(studio: Studio, box: HTMLElement, off: (() => void)[]): void {
  const check = studio.selectionChanged.on(() =>
    queueMicrotask(() => {
      if (box.isConnected) return;
      studio.live.stop();
      off.forEach((stop) => stop());
      check();
    }),
  );
}
