import { afterEach, expect, test } from "vitest";
import { Shortcuts } from "../../src/core/shortcuts";

afterEach(() => document.body.replaceChildren());

function listen(): { pressed: string[] } {
  const pressed: string[] = [];
  const shortcuts = new Shortcuts();
  const action = (): void => void pressed.push("undo");
  shortcuts.register({ id: "undo", keys: ["Ctrl+Z"], label: "Undo", group: "Editing", action });
  shortcuts.listen(document);
  return { pressed };
}

const press = (target: Element): unknown =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true, cancelable: true }));

test("keys do nothing to the page behind an open dialog, wherever the focus is", () => {
  const { pressed } = listen();
  const dialog = document.createElement("dialog");
  document.body.append(dialog);
  press(document.body);
  expect(pressed).toHaveLength(1);
  dialog.setAttribute("open", "");
  press(document.body);
  press(dialog);
  expect(pressed).toHaveLength(1);
});
