import { beforeEach, expect, test } from "vitest";
import { Playback } from "../../src/core/playback";

let playback: Playback;

beforeEach(() => {
  playback = new Playback();
  playback.duration = 2;
});

test("seek is clamped to the clip", () => {
  playback.seek(5);
  expect(playback.time).toBe(2);
  playback.seek(-1);
  expect(playback.time).toBe(0);
});

test("a shorter clip pulls the playhead back", () => {
  playback.seek(2);
  playback.duration = 1;
  expect(playback.time).toBe(1);
});

test("looping wraps around", () => {
  const now = performance.now();
  playback.seek(1.5);
  playback.play();
  playback.tick(now + 60_000_000);
  expect(playback.time).toBeGreaterThanOrEqual(0);
  expect(playback.time).toBeLessThan(2);
  expect(playback.playing).toBe(true);
});

test("without loop it pauses at the end and starts over", () => {
  playback.loop = false;
  playback.play();
  playback.tick(performance.now() + 10_000);
  expect(playback.time).toBe(2);
  expect(playback.playing).toBe(false);
  playback.play();
  expect(playback.time).toBe(0);
});

test("a single frame does not play, and ends playing", () => {
  playback.play();
  playback.duration = 0;
  expect(playback.playing).toBe(false);
  playback.play();
  expect(playback.playing).toBe(false);
});

test("speed sets the pace and the direction", () => {
  playback.seek(1);
  playback.play(-1);
  expect(playback.speed).toBe(-1);
});
