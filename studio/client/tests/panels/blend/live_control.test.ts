import { expect, test } from "vitest";
import type { LiveStarted } from "../../../src/core/messages";
import { liveControl } from "../../../src/panels/blend/live_control";
import { blendView } from "./blend_view";

function build() {
  const { view, connection, sent, said } = blendView(2);
  const section = liveControl(view);
  section.update(view);
  const [button, record] = section.element.querySelectorAll("button");
  const state = section.element.querySelector<HTMLOutputElement>(".live-state")!;
  const begin = (): void =>
    connection.received.emit({
      type: "live_started",
      item: "blend",
      speeds: [],
      turn_rates: [],
    } as unknown as LiveStarted);
  return { section, connection, sent, said, button: button!, record: record!, state, begin };
}

test("the button shows the start and cancels it", () => {
  const { button, record, state, sent, begin } = build();
  button.click();
  expect([button.textContent, state.value, record.disabled]).toEqual(["Cancel start", "Starting…", true]);
  button.click();
  expect([button.textContent, state.value]).toEqual(["Steer live", ""]);
  expect(sent.map(({ type }) => type)).toEqual(["live_start", "live_stop"]);
  begin();
  expect([button.textContent, record.disabled]).toEqual(["Steer live", true]);
});

test("the button stops what has started", () => {
  const { button, record, state, sent, begin } = build();
  button.click();
  begin();
  expect([button.textContent, state.value, record.disabled]).toEqual(["Stop steering", "", false]);
  button.click();
  expect(button.textContent).toBe("Steer live");
  expect(sent.at(-1)!.type).toBe("live_stop");
});

test("a start is cancelled when another clip is selected", () => {
  const { section, button, sent } = build();
  button.click();
  section.dispose!();
  expect(sent.map(({ type }) => type)).toEqual(["live_start", "live_stop"]);
});

test("without a server, the button says so", () => {
  const { connection, button, said } = build();
  connection.connected = false;
  button.click();
  expect(said).toEqual([expect.stringContaining("the server does not respond, so steering cannot start")]);
  expect(button.textContent).toBe("Steer live");
});
