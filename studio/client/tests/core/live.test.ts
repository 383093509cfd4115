import { beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "../../src/core/connection";
import { LiveControl } from "../../src/core/live";
import type { FromServer, LiveStep } from "../../src/core/messages";
import { fakeConnection, packPose } from "../fake_connection";

/** Repaints that were asked for. */
let repaints: (() => void)[] = [];

beforeEach(() => {
  repaints = [];
  vi.stubGlobal("requestAnimationFrame", (repaint: () => void) => repaints.push(repaint));
  vi.stubGlobal("cancelAnimationFrame", () => (repaints = []));
});

/** A page that steers, and what the server tells it. */
function steer() {
  const { connection, sent } = fakeConnection();
  const live = new LiveControl(connection as unknown as Connection);
  const log: string[] = [];
  live.starting.on((item) => log.push(`starting ${item}`));
  live.started.on(({ item }) => log.push(`started ${item}`));
  live.stopped.on(() => log.push("stopped"));
  const hear = (message: object): void => connection.received.emit(message as FromServer);
  const begin = (item: string): void => hear({ type: "live_started", item, speeds: [], turn_rates: [] });
  const refuse = (steering: boolean): void => hear({ type: "refused", error: "no", serial: null, steering });
  const repaint = (): void => repaints.splice(0).forEach((each) => each());
  const steps = (): LiveStep[] => sent.filter((message) => message.type === "live_step");
  const pose = (): void => connection.receivedBinary.emit(packPose(steps().at(-1)!.serial, live.weights));
  return { live, connection, sent, log, begin, refuse, repaint, steps, pose };
}

test("a start is cancelled before it is answered", () => {
  const { live, sent, log, begin } = steer();
  live.start("a", [1, 0]);
  expect([live.isStarting, live.running]).toEqual([true, false]);
  live.stop();
  expect(sent.map(({ type }) => type)).toEqual(["live_start", "live_stop"]);
  begin("a");
  expect([live.isStarting, live.running]).toEqual([false, false]);
  expect(log).toEqual(["starting a", "stopped"]);
});

test("an answer about another blend is ignored", () => {
  const { live, log, begin } = steer();
  live.start("a", [1, 0]);
  live.start("b", [1, 0]);
  begin("a");
  expect([live.isStarting, live.running]).toEqual([true, false]);
  begin("b");
  expect(live.ready!.item).toBe("b");
  expect(log).toEqual(["starting a", "stopped", "starting b", "started b"]);
});

test("a start that is refused has ended, and one that is not sent has not begun", () => {
  const { live, connection, log, refuse } = steer();
  live.start("a", [1, -1]);
  refuse(false); // of something else
  expect(live.isStarting).toBe(true);
  refuse(true);
  expect(live.isStarting).toBe(false);
  connection.connected = false;
  expect(live.start("a", [1, 0])).toBe(false);
  expect(log).toEqual(["starting a", "stopped"]);
});

test("a start ends with the connection", () => {
  const { live, connection } = steer();
  live.start("a", [1, 0]);
  connection.changed.emit(false);
  expect(live.isStarting).toBe(false);
});

test("steering goes on with other weights after a step was refused", () => {
  const { live, begin, refuse, repaint, steps, pose } = steer();
  live.start("a", [1, 0]);
  begin("a");
  pose();
  live.weights = [1, -1];
  for (let n = 0; n < 3; n++) repaint();
  expect(steps()).toHaveLength(3); // two of them are pending
  refuse(true);
  repaint();
  expect(steps()).toHaveLength(3); // what was refused is not asked for again
  live.weights = [1, 1];
  repaint();
  refuse(true); // the second of the two
  repaint();
  expect(steps()).toHaveLength(4);
  pose();
  for (let n = 0; n < 3; n++) repaint();
  expect(steps()).toHaveLength(6);
  expect(steps().at(-1)!.weights).toEqual([1, 1]);
});
