import { element } from "../../core/dom";
import type { LiveStarted, WeightKey } from "../../core/messages";
import type { SpeedAndTurn } from "../../core/motion";
import { roundTo } from "../../core/numbers";
import type { Section, View } from "../../core/panel";
import { RequestError } from "../../core/server";
import { steeringKeys } from "./steering_keys";

/** Seconds between keys of a recording: closer keys would be hard to edit. */
const KEY_SPACING = 0.1;
/** A smaller change of the weights needs no key. */
const MIN_KEY_CHANGE = 0.01;

/** Live control: the figure keeps moving while weights are dragged, or while speed and turn are steered with keys or a
 * gamepad. A recording becomes keys. */
export function liveControl(view: View<"blend">): Section<"blend"> {
  const { studio } = view;
  let latest = view;
  const recording = new Recording();
  const steering = steeringKeys(studio.live);
  const live = element("button", { type: "button", "aria-pressed": "false", onclick: () => toggle() }, "Steer live");
  const record = element(
    "button",
    { type: "button", "aria-pressed": "false", disabled: true, onclick: () => toggleRecording() },
    "Record",
  );
  const state = element("output", { class: "hint live-state" });
  const speed = element("output", { class: "hint live-speed", hidden: true });

  const toggle = (): void => {
    if (studio.live.running || studio.live.isStarting) studio.live.stop();
    else if (!studio.live.start(latest.item.id, latest.recipe.weights)) studio.sayError(new RequestError(OFFLINE));
  };
  const toggleRecording = (): void => {
    if (recording.running) finish();
    else recording.start();
    show();
  };
  const finish = (): void => {
    const { keys, duration } = recording.stop();
    const ready = recordedWith;
    if (keys.length < 2 || !ready) return;
    const registration = { ...latest.recipe.registration, cut: ready.cut };
    // What was steered is what is made: the same cycles, or clips that begin again as often as they did.
    latest.change({ keys, duration, easing: "linear", registration, repeat: !ready.goes_on });
  };
  let recordedWith: LiveStarted | null = null;
  const show = (): void => {
    live.setAttribute("aria-pressed", String(studio.live.running));
    live.textContent = studio.live.running ? "Stop steering" : studio.live.isStarting ? "Cancel start" : "Steer live";
    record.disabled = !studio.live.running;
    record.setAttribute("aria-pressed", String(recording.running));
    record.textContent = recording.running ? "Stop recording" : "Record";
  };

  const stops = [
    studio.live.starting.on(() => {
      state.value = "Starting…";
      show();
    }),
    studio.live.started.on((ready) => {
      recordedWith = ready;
      state.value = "";
      steering.start(ready);
      speed.hidden = !steering.available;
      speed.value = steering.available ? KEYS_HINT : "";
      show();
    }),
    studio.live.stopped.on(() => {
      if (recording.running) finish();
      steering.stop();
      state.value = "";
      speed.hidden = true;
      show();
    }),
    studio.live.posed.on(({ header }) => {
      steering.follow(header.time);
      recording.add(header.time, header.weights);
      state.value = `${header.time.toFixed(1)} s${recording.running ? `, ${recording.length} ${recording.length === 1 ? "key" : "keys"}` : ""}`;
      const asked = studio.live.speedAndTurn;
      if (asked && header.speed !== null && header.turn !== null)
        speed.value = `Asked for ${describeSpeed(asked)}; got ${describeSpeed({ speed: header.speed, turn: header.turn })}.`;
    }),
  ];
  return {
    element: element(
      "section",
      { class: "live-control" },
      element("div", { class: "row" }, live, record, state),
      speed,
    ),
    dispose: () => {
      studio.live.stop();
      steering.stop();
      stops.forEach((stop) => stop());
    },
    update: (next) => {
      latest = next;
      show();
    },
  };
}

const OFFLINE = "the server does not respond, so steering cannot start; is `motionloom studio` still running?";
const KEYS_HINT = "W and S change the speed, A and D turn; or use a gamepad.";

function describeSpeed({ speed, turn }: SpeedAndTurn): string {
  const degrees = Math.round((turn * 180) / Math.PI);
  const side = degrees > 0 ? " left" : degrees < 0 ? " right" : "";
  return `${speed.toFixed(2)} m/s, ${Math.abs(degrees)}°/s${side}`;
}

/** The weights over time as keys, from the moment recording starts. */
class Recording {
  private keys: WeightKey[] | null = null;
  private startTime = 0;
  private elapsed = 0;

  get running(): boolean {
    return this.keys !== null;
  }

  get length(): number {
    return this.keys?.length ?? 0;
  }

  start(): void {
    this.keys = [];
  }

  add(time: number, weights: number[]): void {
    if (!this.keys) return;
    if (this.keys.length === 0) this.startTime = time;
    this.elapsed = time - this.startTime;
    const previous = this.keys.at(-1);
    if (previous && this.elapsed - previous.time < KEY_SPACING) return;
    if (previous && weights.every((weight, n) => Math.abs(weight - previous.weights[n]!) < MIN_KEY_CHANGE)) return;
    // Weights that did not change until now are held until just before this key.
    if (previous && this.elapsed - previous.time > 2 * KEY_SPACING) {
      this.keys.push({ time: roundTo(this.elapsed - KEY_SPACING, 3), weights: previous.weights });
    }
    this.keys.push({ time: roundTo(this.elapsed, 3), weights: [...weights] });
  }

  stop(): { keys: WeightKey[]; duration: number } {
    const keys = this.keys ?? [];
    this.keys = null;
    const end = keys.at(-1);
    if (end && this.elapsed > end.time) keys.push({ time: roundTo(this.elapsed, 3), weights: end.weights });
    return { keys, duration: roundTo(Math.max(this.elapsed, KEY_SPACING), 3) };
  }
}
