import { beforeEach, expect, test } from "vitest";
import { Axis, ticks } from "../../src/timeline/axis";

let axis: Axis;

beforeEach(() => {
  axis = new Axis();
  axis.width = 1020; // 1000 pixels and a margin of 10 at both ends
  axis.setExtent(0, 10);
});

test("seconds and pixels convert both ways", () => {
  expect(axis.x(0)).toBe(10);
  expect(axis.x(10)).toBe(1010);
  expect(axis.seconds(510)).toBe(5);
});
test("a fitted axis follows its extent", () => {
  axis.setExtent(0, 20);
  expect([axis.start, axis.end]).toEqual([0, 20]);
});
test("zooming keeps the time under the pointer", () => {
  axis.zoom(0.5, 510);
  expect([axis.start, axis.end]).toEqual([2.5, 7.5]);
  expect(axis.isZoomed).toBe(true);
  axis.fit();
  expect(axis.isZoomed).toBe(false);
});
test("panning stops at the ends", () => {
  axis.zoom(0.5, 510);
  axis.pan(100);
  expect([axis.start, axis.end]).toEqual([5, 10]);
});
test("reveal scrolls only to what is out of view", () => {
  axis.zoom(0.5, 510);
  axis.reveal(5);
  expect(axis.start).toBe(2.5);
  axis.reveal(9);
  expect(axis.end).toBe(10);
});
test("labels are a second apart at 100 pixels per second", () => {
  const labels = ticks(axis, 30).flatMap(({ label }) => label ?? []);
  expect(labels).toHaveLength(11);
  expect(labels.slice(0, 2)).toEqual(["0 s", "1 s"]);
});
test("minutes are written with a colon", () => {
  axis.setExtent(0, 300);
  expect(ticks(axis, 30).map(({ label }) => label)).toContain("1:00");
});
