import { beforeEach, expect, test } from "vitest";
import type { Item, SequenceRecipe } from "../../../src/core/messages";
import type { Studio } from "../../../src/core/studio";
import { sequenceFields } from "../../../src/panels/clip/recipe_fields";

beforeEach(() => document.body.replaceChildren());

/** The fields of a sequence, and what their buttons make of its clips. */
function showSequence(...sources: string[]) {
  const item = { id: "c9", recipe: { type: "sequence", sources, method: "linear" } as unknown as SequenceRecipe };
  const studio = {
    selected: item,
    item: (id: string) => ({ id, name: id }),
    setRecipe: (_: string, recipe: SequenceRecipe) => (item.recipe = recipe),
  } as unknown as Studio;
  const fields = sequenceFields(studio);
  document.body.append(fields.element);
  const update = (): void => fields.update(item as Item);
  update();
  const press = (label: string): void => {
    const button = document.querySelector<HTMLButtonElement>(`[aria-label="${label}"]`)!;
    button.focus();
    button.click();
    update();
  };
  return { item, update, press };
}

const focused = (): string | null => document.activeElement!.getAttribute("aria-label");

test("buttons of a sequence stay while nothing about its clips changes", () => {
  const { update } = showSequence("walk", "jog", "run");
  const button = document.querySelector<HTMLButtonElement>("[aria-label='Remove jog from the sequence']")!;
  button.focus();
  update();
  expect(document.activeElement).toBe(button);
});

test("the focus goes along with a clip that is moved", () => {
  const { item, press } = showSequence("walk", "jog", "run");
  press("Play run earlier");
  expect(item.recipe.sources).toEqual(["walk", "run", "jog"]);
  expect(focused()).toBe("Play run earlier");
  press("Play run earlier");
  expect(item.recipe.sources).toEqual(["run", "walk", "jog"]);
  expect(focused()).toBe("Play walk earlier");
});

test("the focus stays in the list when a clip is taken out", () => {
  const { press } = showSequence("walk", "jog", "run", "turn");
  press("Remove jog from the sequence");
  expect(focused()).toBe("Remove run from the sequence");
  press("Remove run from the sequence");
  expect(focused()).toBe("Play turn earlier");
});
