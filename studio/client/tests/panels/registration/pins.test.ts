import { expect, test } from "vitest";
import type { RegistrationRecipe } from "../../../src/core/messages";
import type { View } from "../../../src/core/panel";
import type { RegistrationEditor } from "../../../src/panels/registration/editor";
import { pins } from "../../../src/panels/registration/pins";
import { buttonOf } from "../connected_studio";

test("a button of the list keeps the focus, or passes it on when its pin is removed", () => {
  const options = {
    start: null,
    pins: [
      [1, 2],
      [3, 4],
    ],
  } as unknown as RegistrationRecipe;
  const editor = {
    options,
    pair: [0, 1],
    names: ["walk", "jog"],
    canPin: true,
    grid: null,
    reorder: (frames: number[]) => frames,
    change: (fields: Partial<RegistrationRecipe>) => Object.assign(options, fields),
  } as unknown as RegistrationEditor;
  const section = pins(editor);
  const update = (): void => section.update(null as unknown as View<"blend">);
  document.body.append(section.element);
  update();
  const second = buttonOf(section.element, "Remove pin 2");
  second.focus();
  update();
  expect(document.activeElement).toBe(second);
  second.click();
  update();
  const first = buttonOf(section.element, "Remove pin 1");
  expect(document.activeElement).toBe(first);
  first.click();
  update();
  expect(document.activeElement).toBe(buttonOf(section.element, "Pin these frames"));
});
