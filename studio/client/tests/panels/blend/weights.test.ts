import { expect, test } from "vitest";
import type { Motion } from "../../../src/core/motion";
import { weightRows } from "../../../src/panels/blend/weights";
import { blendView } from "./blend_view";

/** A motion that goes straight ahead at a speed in metres per second, of one joint at 30 fps. */
function straight(speed: number): Motion {
  const frames = Array.from({ length: 31 }, (_, frame) => [0, 1, (speed * frame) / 30]);
  return {
    header: { fps: 30 },
    nFrames: 31,
    nJoints: 1,
    duration: 1,
    positions: Float32Array.from(frames.flat()),
  } as unknown as Motion;
}

const heights = (pad: Element): number[] =>
  [...pad.querySelectorAll(".weight-corner")].map((corner) => Number(corner.getAttribute("cy")));

test("a pad of 50 clips is laid out by speed once all their motions are there", () => {
  const { view, motions } = blendView(50);
  const section = weightRows(view);
  section.update(view);
  const early = heights(section.element);
  expect(new Set(early).size).toBeGreaterThan(20);
  view.recipe.sources.forEach((id, n) => motions.set(id, straight(1 + n / 10)));
  section.update(view);
  const laidOut = heights(section.element);
  expect(laidOut).toHaveLength(50);
  expect(laidOut[49]!).toBeLessThan(laidOut[0]! - 50);
});
