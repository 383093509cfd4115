import { expect, test } from "vitest";
import type { ClipEdit, Edit, Item } from "../../../src/core/messages";
import type { View } from "../../../src/core/panel";
import { newBlend } from "../../../src/core/recipes";
import type { Studio } from "../../../src/core/studio";
import { blendOptions } from "../../../src/panels/blend/options";

test("a button that mirrors a clip keeps the focus, and changes the clip as it is by now", () => {
  const edits: Record<string, ClipEdit> = {
    c1: { mirror: false, speed: null } as ClipEdit,
    c2: { mirror: false, speed: null } as ClipEdit,
  };
  const studio = {
    item: (id: string) => ({ id, name: id, edit: edits[id] }) as Item,
    do: (edit: Edit) => edit.type === "set_edit" && (edits[edit.item] = edit.edit),
  } as unknown as Studio;
  const view = { studio, recipe: newBlend(["c1", "c2"]) } as unknown as View<"blend">;
  const options = blendOptions(view);
  document.body.append(options.element);
  options.update(view);
  const button = (): HTMLElement => options.element.querySelectorAll<HTMLElement>("[aria-pressed]")[1]!;
  const before = button();
  before.focus();
  options.update(view);
  expect(document.activeElement).toBe(before);
  edits["c2"] = { ...edits["c2"]!, speed: 2 };
  options.update(view);
  button().click();
  options.update(view);
  expect(edits["c2"]).toEqual({ mirror: true, speed: 2 });
  expect(document.activeElement).toBe(button());
  expect(button().getAttribute("aria-pressed")).toBe("true");
});
