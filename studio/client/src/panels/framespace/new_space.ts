import { element } from "../../core/dom";
import type { FramespaceRecipe, Item } from "../../core/messages";
import { newFramespace } from "../../core/recipes";
import type { Studio } from "../../core/studio";

/** Choosing clips for a new framespace; shown while none is selected. */
export class NewSpace {
  private readonly list = element("div", {
    class: "space-clips",
    role: "group",
    "aria-label": "Clips of the framespace",
  });
  private readonly make = element(
    "button",
    { type: "button", class: "primary", onclick: () => this.add() },
    "Make a framespace",
  );
  private readonly state = element("p", { class: "space-hint", role: "status" });
  readonly element = element(
    "div",
    {},
    element(
      "p",
      { class: "space-hint" },
      "A framespace mixes cyclic clips, such as walks and jogs, along a curve that you draw. Choose two clips, or four for a box; the order of choosing is their order.",
    ),
    this.list,
    this.state,
    this.make,
  );
  /** In the order of choosing. */
  private chosen: string[] = [];

  constructor(private readonly studio: Studio) {}

  update(): void {
    const { items } = this.studio.document;
    this.chosen = this.chosen.filter((id) => this.studio.item(id));
    const focused = (document.activeElement as HTMLElement | null)?.dataset["item"];
    this.list.replaceChildren(...items.map((item) => this.row(item)));
    if (focused) this.list.querySelector<HTMLElement>(`[data-item="${focused}"]`)?.focus();
    const n = this.chosen.length;
    this.make.disabled = n < 2;
    this.state.textContent = n < 2 ? "Choose two clips or more." : `${n} clips: ${this.names().join(", ")}.`;
  }

  private row(item: Item): HTMLElement {
    const box = element("input", { type: "checkbox", "data-item": item.id, onchange: () => this.toggle(item.id) });
    box.checked = this.chosen.includes(item.id);
    const place = this.chosen.indexOf(item.id);
    return element(
      "label",
      { class: "check" },
      box,
      element("span", {}, item.name),
      place < 0 ? null : element("small", {}, String(place + 1)),
    );
  }

  private toggle(id: string): void {
    this.chosen = this.chosen.includes(id) ? this.chosen.filter((other) => other !== id) : [...this.chosen, id];
    this.update();
  }

  private names(): string[] {
    return this.chosen.map((id) => this.studio.item(id)?.name ?? id);
  }

  private add(): void {
    const names = this.names();
    const name = names.length === 2 ? `${names[0]}-${names[1]} space` : `space of ${names.length}`;
    this.studio.do({ type: "add", name, recipe: recipeOf(this.chosen) });
    this.chosen = [];
  }
}

/** Only four clips span a box, whose points have two coordinates. */
function recipeOf(sources: string[]): FramespaceRecipe {
  const recipe = newFramespace(sources);
  return sources.length === 4 ? recipe : { ...recipe, curve: recipe.curve.map(([x, v]) => [x!, v!]) };
}
