import { expect, test } from "vitest";
import { placeMarks } from "../../src/viewer/event_marks";

const event = (frame: number, label = "strike", joint = "LeftToe") => ({ frame, label, joint });

test("events are marked at their part of the duration, in order", () => {
  const marks = placeMarks([event(60, "lift"), event(15)], 30, 4);
  expect(marks).toEqual([
    { fraction: 0.125, seconds: 0.5, title: "strike (LeftToe), frame 15" },
    { fraction: 0.5, seconds: 2, title: "lift (LeftToe), frame 60" },
  ]);
});

test("events that would overlap share a mark", () => {
  const marks = placeMarks([event(100), event(101, "beat", "")], 100, 10);
  expect(marks.map(({ title }) => title)).toEqual(["strike (LeftToe), frame 100\nbeat, frame 101"]);
});

test("thousands of events make no more marks than can be seen", () => {
  const events = Array.from({ length: 10_000 }, (_, n) => event(n));
  expect(placeMarks(events, 100, 100).length).toBeLessThanOrEqual(301);
});

test("nothing is marked before the motion is there, or beyond it", () => {
  expect(placeMarks([event(3)], 30, 0)).toEqual([]);
  expect(placeMarks([event(-1), event(500)], 30, 2)).toEqual([]);
});
