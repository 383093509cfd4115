import { element } from "../../core/dom";
import { type Item, KINDS } from "../../core/messages";
import type { Studio } from "../../core/studio";
import { iconButton } from "../../widgets/buttons";
import { openDialog } from "../../widgets/dialog";
import { editText } from "../../widgets/edit_text";

/** The folder of built-in motions that nobody moved elsewhere. */
export const BUILT_IN = "Built-in motions";

/** The folder that the list shows a clip in; "" is none. */
export function folderOf({ folder, recipe }: Item): string {
  return folder || (recipe.type === "motion" ? BUILT_IN : "");
}

/** Whether a search finds a clip, by its name, its folder or its kind. */
export function matches(item: Item, wanted: string): boolean {
  return [item.name, item.folder, KINDS[item.recipe.type]].some((text) => text.toLowerCase().includes(wanted));
}

/** Clips by folder: those in none first, then folders by name, built-in motions last. */
export function inFolders(items: Item[]): { name: string; items: Item[] }[] {
  const names = [...new Set(items.map(folderOf))].sort(
    (a, b) => Number(a === BUILT_IN) - Number(b === BUILT_IN) || a.localeCompare(b),
  );
  return names.map((name) => ({ name, items: items.filter((item) => folderOf(item) === name) }));
}

/** The heading of a folder: opens and closes it; a double click renames it. */
export class FolderHead {
  readonly element = element("li", { class: "clip-folder" });
  private readonly toggle: HTMLButtonElement;
  private readonly label = element("span", { class: "folder-name" });
  private readonly count = element("small", {});

  constructor(
    private readonly studio: Studio,
    private readonly name: string,
    onToggle: (name: string) => void,
  ) {
    this.toggle = element(
      "button",
      { type: "button", class: "plain", onclick: () => onToggle(name) },
      this.label,
      this.count,
    );
    this.label.textContent = name;
    this.toggle.addEventListener("dblclick", () => this.rename());
    this.toggle.addEventListener("keydown", (event) => {
      if (event.key === "F2") this.rename();
    });
    this.element.append(this.toggle);
  }

  /** Show how many clips of the folder are listed, and whether it is open. */
  update(n: number, open: boolean): void {
    this.count.textContent = String(n);
    this.toggle.setAttribute("aria-expanded", String(open));
    this.toggle.setAttribute("aria-label", `Folder ${this.name}, ${n} clips`);
    this.toggle.title = `${this.name}: double-click or press F2 to rename`;
  }

  private rename(): void {
    editText(this.toggle, this.name, `New name for the folder ${this.name}`, (folder) => {
      // Also those that a search does not list.
      const inside = this.studio.document.items.filter((item) => folderOf(item) === this.name);
      this.studio.do({ type: "move", items: inside.map(({ id }) => id), folder });
    });
  }
}

/** What can be done to the checked clips together; hidden while fewer than two are. */
export function checkedBar(studio: Studio): HTMLElement {
  const { checked } = studio;
  const count = element("span", { class: "grow" });
  const bar = element(
    "div",
    { class: "checked-bar", role: "group", "aria-label": "Checked clips", hidden: true },
    count,
    element("button", { type: "button", onclick: () => chooseFolder(studio) }, "Folder…"),
    element(
      "button",
      { type: "button", onclick: () => studio.do({ type: "remove_many", items: checked.ids }) },
      "Remove",
    ),
    iconButton("close", "Uncheck all", () => checked.replace([])),
  );
  checked.changed.on(() => {
    bar.hidden = checked.size === 0;
    count.textContent = `${checked.size} checked`;
  });
  return bar;
}

/** Ask for the folder of the checked clips. */
function chooseFolder(studio: Studio): void {
  const known = [...new Set(studio.document.items.map(({ folder }) => folder))].filter(Boolean).sort();
  const name = element("input", { type: "text", list: "folders", placeholder: "none", "aria-label": "Folder" });
  const form = element(
    "form",
    { method: "dialog" },
    element("label", { class: "field" }, "Folder", name),
    element("datalist", { id: "folders" }, ...known.map((value) => element("option", { value }))),
    element("p", { class: "muted" }, "Leave it empty to move the clips out of folders."),
    element("button", { type: "submit", class: "primary" }, "Move"),
  );
  form.addEventListener("submit", () => {
    studio.do({ type: "move", items: studio.checked.ids, folder: name.value });
    studio.checked.replace([]);
  });
  openDialog(`Move ${studio.checked.size} clips`, form);
  name.focus();
}
