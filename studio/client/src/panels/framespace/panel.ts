import { element, setBusy } from "../../core/dom";
import type { Item } from "../../core/messages";
import { type Panel, recipePanel, type RecipePanel, type Section, statusLine } from "../../core/panel";
import { newFramespace } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { FramespaceEditor } from "./editor";
import { SpaceField } from "./field";
import { spaceOptions, stateTable, vertexFields } from "./sections";

const HELP =
  "A framespace mixes cyclic clips, such as a walk and a jog, along a curve that you draw. Time runs from left to right, " +
  "and each clip is an edge. Drag the vertices of the curve, double-click to add one, and press Delete to remove one. " +
  "Lines between the clips connect moments that correspond, such as foot strikes.";
const HINT =
  "A framespace mixes cyclic clips, such as walks and jogs, along a curve that you draw. " +
  "Choose two clips, or four for a box, in the order you want them.";

/** The space between the clips of the selected framespace, with the curve through it. */
export function framespacePanel(studio: Studio): Panel {
  const editor = new FramespaceEditor(studio, (isBusy) => setBusy(panel.element, isBusy));
  const panel: RecipePanel = recipePanel(studio, {
    id: "framespace",
    title: "Framespace",
    help: HELP,
    kind: "framespace",
    empty: new ClipChooser(studio),
    prepare: (view) => editor.update(view),
    build: (view) => {
      editor.update(view);
      return [
        statusLine<"framespace">(),
        spaceFields(editor),
        vertexFields(editor),
        spaceOptions(editor),
        stateTable(editor),
      ];
    },
  });
  editor.changed.on(panel.refresh);
  return panel;
}

/** The space from one side or, for a box of four clips, from two. */
function spaceFields(editor: FramespaceEditor): Section<"framespace"> {
  const fields = [new SpaceField(editor, 1), new SpaceField(editor, 2)].slice(0, editor.dimensions);
  const end = element("span");
  const axis = element(
    "div",
    { class: "space-axis", "aria-hidden": "true" },
    element("span", {}, "0"),
    element("span", {}, "cycles"),
    end,
  );
  return {
    element: element("div", {}, ...fields.map((field) => field.element), axis),
    follow: () => fields.forEach((field) => field.seek()),
    update: ({ recipe }) => {
      end.textContent = String(recipe.cycles);
      fields.forEach((field) => field.update());
    },
  };
}

/** Choose clips for a new framespace; shown while none is selected. */
class ClipChooser {
  private readonly list = element("div", {
    class: "space-clips",
    role: "group",
    "aria-label": "Clips of the framespace",
  });
  private readonly create = element(
    "button",
    { type: "button", class: "primary", onclick: () => this.add() },
    "Create framespace",
  );
  private readonly state = element("p", { class: "hint", role: "status" });
  readonly element = element(
    "div",
    { class: "empty-state" },
    element("p", { class: "hint" }, HINT),
    this.list,
    this.state,
    this.create,
  );
  /** Ids in the order of choosing. */
  private chosen: string[] = [];

  constructor(private readonly studio: Studio) {}

  readonly update = (): void => {
    const { items } = this.studio.document;
    this.chosen = this.chosen.filter((id) => this.studio.item(id));
    const focused = (document.activeElement as HTMLElement | null)?.dataset["item"];
    this.list.replaceChildren(...items.map((item) => this.row(item)));
    if (focused) this.list.querySelector<HTMLElement>(`[data-item="${focused}"]`)?.focus();
    const count = this.chosen.length;
    this.create.disabled = count < 2;
    this.state.textContent = count < 2 ? "Choose at least two clips." : `${count} clips: ${this.names().join(", ")}.`;
  };

  private row(item: Item): HTMLElement {
    const box = element("input", { type: "checkbox", "data-item": item.id, onchange: () => this.toggle(item.id) });
    const index = this.chosen.indexOf(item.id);
    box.checked = index >= 0;
    const number = index < 0 ? null : element("small", {}, String(index + 1));
    return element("label", { class: "check" }, box, element("span", {}, item.name), number);
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
    this.studio.add(name, newFramespace(this.chosen));
    this.chosen = [];
  }
}
