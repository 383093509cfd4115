import { afterEach, expect, test } from "vitest";
import type { LiveStarted } from "../../../src/core/messages";
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

afterEach(() => document.body.replaceChildren());

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

/** The field of a blend in the page, with the focus. */
function focusField(nClips: number) {
  const { view, connection } = blendView(nClips);
  const section = weightRows(view);
  document.body.append(section.element);
  section.update(view);
  const field = document.querySelector<HTMLElement>("[role=slider], [type=range]")!;
  field.focus();
  const setWeights = (weights: number[]): void => {
    view.change({ weights });
    section.update(view);
  };
  return { view, connection, section, field, setWeights };
}

test("undo and redo move the slider that has the focus", () => {
  const { view, field, setWeights } = focusField(2);
  const slider = field as HTMLInputElement;
  slider.value = "0.8";
  slider.dispatchEvent(new Event("input"));
  setWeights(view.recipe.weights); // the document with the edit
  expect(view.recipe.weights).toEqual([0.2, 0.8]);
  expect(slider.value).toBe("0.8");
  setWeights([0.5, 0.5]);
  expect(slider.value).toBe("0.5");
  setWeights([0.2, 0.8]);
  expect(slider.value).toBe("0.8");
});

test("a key moves the handle of a pad from where an undo left it", () => {
  const { view, field, setWeights } = focusField(4);
  const press = (): boolean => field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  const handle = (): number => Number(field.querySelector(".weight-handle")!.getAttribute("cx"));
  const start = [...view.recipe.weights];
  expect(handle()).toBeCloseTo(50);
  for (let n = 0; n < 5; n++) press();
  setWeights(view.recipe.weights);
  expect(handle()).toBeCloseTo(55); // where it was moved to, not where its weights lead
  setWeights(start);
  expect(handle()).toBeCloseTo(50);
  press();
  expect(handle()).toBeCloseTo(51);
});

test("the slider keeps the weights that are steered until steering stops", () => {
  const { view, connection, section, field } = focusField(2);
  const slider = field as HTMLInputElement;
  const { live } = view.studio;
  live.start("blend", view.recipe.weights);
  connection.received.emit({ type: "live_started", item: "blend" } as unknown as LiveStarted);
  slider.value = "0.8";
  slider.dispatchEvent(new Event("input"));
  section.update(view); // something else of the clip changed
  expect(slider.value).toBe("0.8");
  live.stop();
  expect(slider.value).toBe("0.5");
});
