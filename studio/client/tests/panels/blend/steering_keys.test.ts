import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveControl } from "../../../src/core/live";
import type { LiveStarted } from "../../../src/core/messages";
import type { SpeedAndTurn } from "../../../src/core/motion";
import { type SteeringKeys, steeringKeys } from "../../../src/panels/blend/steering_keys";

const CENTRE: SpeedAndTurn = { speed: 2, turn: 0 };
let live: { speedAndTurn: SpeedAndTurn | null };
let keys: SteeringKeys;
let stick: [number, number] | null;
let time: number;

beforeEach(() => {
  [live, stick, time] = [{ speedAndTurn: null }, null, 0];
  vi.stubGlobal("navigator", { getGamepads: () => [null, stick && { connected: true, axes: stick }] });
  keys = steeringKeys(live as LiveControl);
  keys.start({ speeds: [1, 3], turn_rates: [-1, 1] } as unknown as LiveStarted);
});
afterEach(() => keys.stop());

/** Let a tenth of a second go by. */
function follow(): SpeedAndTurn | null {
  time += 0.1;
  keys.follow(time);
  return live.speedAndTurn;
}

const press = (code: string): boolean => document.dispatchEvent(new KeyboardEvent("keydown", { code }));

test("a stick that is let go asks for the middle once, and then leaves it to the keys", () => {
  stick = [0, -1];
  expect(follow()).toEqual({ speed: 3, turn: 0 });
  stick = [0.1, 0.1];
  expect(follow()).toEqual(CENTRE);
  press("KeyW");
  expect(follow()!.speed).toBeCloseTo(2.1);
  expect(follow()!.speed).toBeCloseTo(2.2);
});

test("and to the pad", () => {
  stick = [-1, 0];
  expect(follow()!.turn).toBeCloseTo(1);
  stick = [0, 0];
  follow();
  live.speedAndTurn = null; // weights are dragged
  expect(follow()).toBeNull();
});

test("a gamepad that is unplugged lets go", () => {
  stick = [-1, -1];
  expect(follow()).toEqual({ speed: 3, turn: 1 });
  stick = null;
  expect(follow()).toEqual(CENTRE);
  live.speedAndTurn = null;
  expect(follow()).toBeNull();
});

test("keys that are held when the window loses the focus are released", () => {
  press("KeyW");
  expect(follow()!.speed).toBeCloseTo(2.1);
  window.dispatchEvent(new Event("blur"));
  expect(follow()!.speed).toBeCloseTo(2.1);
});
