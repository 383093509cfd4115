import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPresses } from "../../src/core/presses";

let update: () => void;
let updates = 0;
let button: HTMLButtonElement;

beforeEach(() => {
  vi.useFakeTimers();
  const part = document.createElement("div");
  button = document.createElement("button");
  part.append(button, document.createElement("input"));
  document.body.replaceChildren(part);
  updates = 0;
  update = afterPresses(part, () => updates++);
});
afterEach(() => vi.useRealTimers());

const fire = (target: Element, type: string, pressed = 0): unknown =>
  target.dispatchEvent(new MouseEvent(type, { bubbles: true, button: pressed }));

test("an update waits until the pressed button was clicked", () => {
  fire(button, "mousedown");
  update();
  update();
  fire(document.body, "mouseup");
  expect(updates).toBe(0); // the click comes now
  vi.runAllTimers();
  expect(updates).toBe(1);
  update();
  expect(updates).toBe(2);
});

test("a button that is pressed again at once is protected again", () => {
  fire(button, "mousedown");
  fire(button, "mouseup");
  fire(button, "mousedown");
  vi.runAllTimers();
  update();
  expect(updates).toBe(0);
  fire(button, "mouseup");
  vi.runAllTimers();
  expect(updates).toBe(1);
});

test("a button whose release is not heard of does not hold up updates for ever", () => {
  fire(button, "mousedown");
  update();
  dispatchEvent(new Event("blur"));
  vi.runAllTimers();
  expect(updates).toBe(1);
});

test("other presses hold up nothing", () => {
  fire(button, "mousedown", 2);
  update();
  fire(document.querySelector("input")!, "mousedown");
  update();
  expect(updates).toBe(2);
});
