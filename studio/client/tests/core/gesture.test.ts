import { beforeEach, expect, test, vi } from "vitest";
import { Gesture } from "../../src/core/gesture";

let gesture: Gesture;
beforeEach(() => {
  vi.useFakeTimers();
  gesture = new Gesture();
  gesture.listen(document);
});

const fire = (type: string, button = 0): void => {
  document.body.dispatchEvent(new MouseEvent(type, { button, bubbles: true }));
  vi.runAllTimers();
};

test("a drag lasts until the pointer is let go", () => {
  fire("pointerdown");
  const first = gesture.current;
  expect(first).not.toBeNull();
  fire("pointerup");
  expect(gesture.current).toBeNull();
  fire("pointerdown");
  expect(gesture.current).not.toBe(first);
  fire("contextmenu"); // takes the release
  expect(gesture.current).toBeNull();
});

test("other buttons drag nothing", () => {
  fire("pointerdown", 2);
  expect(gesture.current).toBeNull();
});
