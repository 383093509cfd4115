import { afterEach, expect, test } from "vitest";
import { bodyPartWeights } from "../../../src/panels/blend/body_parts";
import { blendView } from "./blend_view";

afterEach(() => document.body.replaceChildren());

test("undo and redo move the slider of a body part that has the focus, which keeps it", () => {
  const { view } = blendView(2);
  const section = bodyPartWeights(view);
  document.body.append(section.element);
  section.update(view);
  view.studio.jointPicked.emit({ item: "blend", joint: "Spine" });
  const slider = document.querySelector<HTMLInputElement>("[type=range]")!;
  const reset = [...document.querySelectorAll("button")].at(-1)!;
  slider.focus();
  slider.value = "0.9";
  slider.dispatchEvent(new Event("input"));
  section.update(view);
  const { parts } = view.recipe;
  expect(Object.values(parts!)).toEqual([[0.9, 0.5]]);
  expect([slider.value, reset.disabled]).toEqual(["0.9", false]);
  for (const [own, value] of [
    [null, "0.5"],
    [parts, "0.9"],
  ] as const) {
    view.change({ parts: own });
    section.update(view);
    expect(slider.value).toBe(value);
    expect(reset.disabled).toBe(own === null);
    expect(document.activeElement).toBe(slider);
  }
});
