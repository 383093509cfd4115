import type { LiveControl } from "../../core/live";
import type { LiveStarted } from "../../core/messages";
import type { SpeedAndTurn } from "../../core/motion";
import { clamp } from "../../core/numbers";
import { TEXT_FIELDS } from "../../core/shortcuts";

/** Seconds in which a key that is held changes the speed from the slowest clip to the fastest. */
const SPEED_SECONDS = 2;
/** Seconds in which the turn follows a key that is pressed or released. */
const TURN_SECONDS = 0.5;
/** Clips that differ less, in metres per second or radians per second, are not steered by it. */
const MIN_RANGE = 0.05;
/** How far a stick must leave its centre to count. */
const DEAD_ZONE = 0.15;

const KEYS: Record<string, "faster" | "slower" | "left" | "right"> = {
  KeyW: "faster",
  KeyS: "slower",
  KeyA: "left",
  KeyD: "right",
};

/** Steering by speed and turn, with the keys W, A, S and D or the left stick of a gamepad. */
export interface SteeringKeys {
  /** Whether the clips differ in speed or turn. */
  readonly available: boolean;
  start: (ready: LiveStarted) => void;
  /** Change what is asked for by the keys held since the pose before, at a time in seconds. */
  follow: (time: number) => void;
  stop: () => void;
}

export function steeringKeys(live: LiveControl): SteeringKeys {
  const held = new Set<string>();
  let [speeds, turns] = [
    [0, 0],
    [0, 0],
  ];
  let available = false;
  let last = 0;
  let isStickMoved = false;

  const press = (event: KeyboardEvent): void => {
    const typing = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
    const action = KEYS[event.code];
    if (!action || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // or it would also be a shortcut
    held.add(action);
    live.speedAndTurn ??= { speed: (speeds[0]! + speeds[1]!) / 2, turn: clamp(0, turns[0]!, turns[1]!) };
  };
  const release = (event: KeyboardEvent): void => {
    held.delete(KEYS[event.code] ?? "");
  };
  const releaseAll = (): void => held.clear();
  const listen = (on: boolean): void => {
    const change = on ? document.addEventListener.bind(document) : document.removeEventListener.bind(document);
    change("keydown", press as EventListener, true);
    change("keyup", release as EventListener, true);
    // Keys that are let go in another window are not heard of here.
    if (on) addEventListener("blur", releaseAll);
    else removeEventListener("blur", releaseAll);
  };

  return {
    get available() {
      return available;
    },
    start: ({ speeds: all, turn_rates }) => {
      speeds = [Math.min(...all), Math.max(...all)];
      turns = [Math.min(...turn_rates), Math.max(...turn_rates)];
      available = speeds[1]! - speeds[0]! > MIN_RANGE || turns[1]! - turns[0]! > MIN_RANGE;
      last = 0;
      isStickMoved = false;
      held.clear();
      listen(false);
      if (available) listen(true);
    },
    follow: (time) => {
      const dt = clamp(time - last, 0, 0.25);
      last = time;
      if (!available) return;
      const stick = leftStick();
      const wasMoved = isStickMoved;
      isStickMoved = stick.x !== 0 || stick.y !== 0;
      // When it is let go, it asks for the middle once; then keys and weights count again.
      if (isStickMoved || wasMoved) {
        live.speedAndTurn = fromStick(stick, speeds, turns);
        return;
      }
      if (!live.speedAndTurn) return;
      const faster = Number(held.has("faster")) - Number(held.has("slower"));
      const left = Number(held.has("left")) - Number(held.has("right"));
      const wanted = left > 0 ? turns[1]! : left < 0 ? turns[0]! : clamp(0, turns[0]!, turns[1]!);
      const [speedStep, turnStep] = [
        (dt * (speeds[1]! - speeds[0]!)) / SPEED_SECONDS,
        (dt * (turns[1]! - turns[0]!)) / TURN_SECONDS,
      ];
      live.speedAndTurn = {
        speed: clamp(live.speedAndTurn.speed + faster * speedStep, speeds[0]!, speeds[1]!),
        turn: live.speedAndTurn.turn + clamp(wanted - live.speedAndTurn.turn, -turnStep, turnStep),
      };
    },
    stop: () => {
      held.clear();
      available = false;
      listen(false);
    },
  };
}

/** The left stick of the first gamepad, x to the right and y forward, each -1 to 1; at rest without a gamepad. */
function leftStick(): { x: number; y: number } {
  const pad = navigator.getGamepads().find((found) => found?.connected);
  if (!pad) return { x: 0, y: 0 };
  const value = (axis: number): number => {
    const given = pad.axes[axis] ?? 0;
    return Math.abs(given) < DEAD_ZONE ? 0 : (given - Math.sign(given) * DEAD_ZONE) / (1 - DEAD_ZONE);
  };
  return { x: value(0), y: -value(1) };
}

/** Forward is faster than the middle of the clips and back is slower; left is the sharpest turn to the left. */
function fromStick({ x, y }: { x: number; y: number }, speeds: number[], turns: number[]): SpeedAndTurn {
  const centre = clamp(0, turns[0]!, turns[1]!);
  return {
    speed: (speeds[0]! + speeds[1]!) / 2 + (y * (speeds[1]! - speeds[0]!)) / 2,
    turn: x < 0 ? centre - x * (turns[1]! - centre) : centre + x * (turns[0]! - centre),
  };
}
