import { expect, test } from "vitest";
import { groupByPixel, type IndexedEvent } from "../../src/timeline/lanes/event_lanes";

function event(index: number, frame: number, joint: string): IndexedEvent {
  return { event: { frame, label: "apex", joint }, index };
}

const tenPixelsPerFrame = ({ frame }: { frame: number }): number => 10 * frame;

test("events of one frame share a tick, and ticks go from left to right", () => {
  const row = [event(0, 3, "LeftLeg"), event(1, 1, "Hips"), event(2, 3, "RightLeg")];
  expect(groupByPixel(row, tenPixelsPerFrame, 100)).toEqual([
    { x: 10, events: [row[1]] },
    { x: 30, events: [row[0], row[2]] },
  ]);
});
test("events out of view have no tick", () => {
  const row = [event(0, -1, "Hips"), event(1, 0, "Hips"), event(2, 10, "Hips"), event(3, 11, "Hips")];
  expect(groupByPixel(row, tenPixelsPerFrame, 100).map(({ x }) => x)).toEqual([0, 100]);
});
