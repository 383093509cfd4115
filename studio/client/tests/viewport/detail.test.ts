import { expect, test } from "vitest";
import { DetailControl, LEVELS } from "../../src/viewport/detail";

/** Record repaints that all take equally long. */
function repaint(detail: DetailControl, milliseconds: number, times: number): void {
  for (let n = 0; n < times; n++) detail.record(milliseconds);
}

test("three slow repaints lower the detail, and much slower ones lower it more", () => {
  const little = new DetailControl(false);
  repaint(little, 40, 3);
  expect(little.level).toBe(1);
  const much = new DetailControl(false);
  repaint(much, 900, 3);
  expect(much.level).toBe(3);
});

test("a picture per second counts, but not a tab that was hidden", () => {
  const detail = new DetailControl(true);
  const before = detail.level;
  repaint(detail, 60_000, 10);
  expect(detail.level).toBe(before);
  repaint(detail, 1200, 11);
  expect(detail.level).toBe(LEVELS.length - 1);
  expect(detail.isLowered).toBe(true);
});

test("a measured picture chooses the level to begin with", () => {
  const detail = new DetailControl(true);
  const before = detail.level;
  detail.guess(10);
  expect(detail.level).toBe(before);
  detail.guess(60);
  expect(detail.level).toBe(before + 1);
});

test("detail comes back slowly, and more slowly where it was too much", () => {
  const detail = new DetailControl(false);
  repaint(detail, 40, 3);
  repaint(detail, 17, 60);
  expect(detail.level).toBe(1);
  repaint(detail, 17, 34);
  expect(detail.level).toBe(0);
  repaint(detail, 40, 4);
  expect(detail.level).toBe(1);
  repaint(detail, 17, 94);
  expect(detail.level).toBe(1);
  repaint(detail, 17, 90);
  expect(detail.level).toBe(0);
});

test("between slow and fast, nothing changes", () => {
  const detail = new DetailControl(false);
  repaint(detail, 40, 3);
  repaint(detail, 28, 600);
  expect(detail.level).toBe(1);
});
