import { element } from "../../core/dom";
import type { Item } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { KINDS } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { addFiles } from "../../widgets/add_files";
import { icon, iconButton, relabel } from "../../widgets/buttons";
import { menu } from "../../widgets/menu";
import { newClipEntries } from "./new_clip";

const HELP =
  "All clips of the project. Click one to select it. Check several with the coloured boxes (or Ctrl+click) and press " +
  "New to blend them, join them or mix them along a curve. Double-click a clip or press F2 to rename it.";
const NO_CLIPS = "No clips yet. Drop motion files here or press New.";
const SKELETON_ROWS = 4;

/** The list of clips: select, check, rename, hide and remove them; add new ones from files or other clips. */
export function clipsPanel(studio: Studio): Panel {
  const checked = new Set<string>();
  const list = element("ul", { class: "clip-list", "aria-label": "Clips" });
  const rows = new Map<string, Row>();
  list.append(...Array.from({ length: SKELETON_ROWS }, () => element("li", { class: "skeleton clip-skeleton" })));

  const refresh = (): void => {
    const { items } = studio.document;
    for (const id of [...checked]) if (!studio.item(id)) checked.delete(id);
    let focused = -1; // index of a removed row that had the focus
    for (const [id, row] of rows) {
      if (studio.item(id)) continue;
      if (row.element.contains(document.activeElement)) focused = [...list.children].indexOf(row.element);
      row.element.remove();
      rows.delete(id);
    }
    items.forEach((item, n) => {
      const row = rows.get(item.id) ?? new Row(studio, item.id, checked);
      rows.set(item.id, row);
      // Rows already in place are not touched: they may have the focus.
      if (list.children[n] !== row.element) list.insertBefore(row.element, list.children[n] ?? null);
      row.update();
    });
    while (list.children.length > items.length) list.lastElementChild!.remove();
    if (items.length === 0) list.append(element("li", { class: "empty" }, NO_CLIPS));
    if (focused >= 0) rows.get(items[Math.min(focused, items.length - 1)]?.id ?? "")?.focus();
  };
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on((selected) => {
    rows.forEach((row) => row.update());
    const row = rows.get(selected?.id ?? "");
    if (row) reveal(list, row.element);
  });
  studio.itemChanged.on((id) => rows.get(id)?.update());

  const newButton = element("button", { type: "button", class: "primary" }, icon("plus"), "New");
  const head = element("div", { class: "clip-head" }, newButton, importButton(studio));
  const uncheckAll = (): void => {
    checked.clear();
    rows.forEach((row) => row.update());
  };
  const choices = menu(newButton, () => newClipEntries(studio, sourcesFor(studio, checked), uncheckAll));
  return {
    id: "clips",
    title: "Clips",
    help: HELP,
    element: element("div", { class: "clips" }, head, choices, list),
  };
}

/** Scroll a row of a list into view. `scrollIntoView` would also move the start of the next Tab press. */
function reveal(list: HTMLElement, row: HTMLElement): void {
  const above = list.getBoundingClientRect().top - row.getBoundingClientRect().top;
  const below = row.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (above > 0) list.scrollTop -= above;
  else if (below > 0) list.scrollTop += below;
}

/** The clips that a new one is made from: the checked ones in order of checking, else the selected one. */
function sourcesFor(studio: Studio, checked: Set<string>): Item[] {
  const ids = checked.size > 0 ? [...checked] : [studio.selected?.id ?? ""];
  return ids.map((id) => studio.item(id)).filter((item) => item !== null);
}

function importButton(studio: Studio): HTMLElement {
  const input = element("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files" });
  studio.server.formats().then(
    ({ accepted }) => (input.accept = accepted.join()),
    (error: unknown) => studio.sayError(error),
  );
  input.addEventListener("change", () => {
    void addFiles(studio, [...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  });
  const button = element("button", { type: "button", onclick: () => input.click() }, icon("open"), "Import files");
  return element("span", {}, button, input);
}

/** One clip of the list. */
class Row {
  readonly element = element("li", { class: "clip" });
  private readonly checkbox = element("input", { type: "checkbox", class: "swatch" });
  private readonly name = element("button", { type: "button", class: "plain clip-name" });
  private readonly kind = element("small", { class: "clip-kind" });
  private readonly eye = iconButton("eye", "Hide", () => this.toggleVisible());
  private readonly bin = iconButton("remove", "Remove", () => this.studio.do({ type: "remove", item: this.id }));
  private readonly job = iconButton("stop", "Stop", () => this.stopOrMakeAgain());
  private readonly bar = element("progress", { class: "clip-progress" });
  private readonly error = element("p", { class: "clip-error" });

  constructor(
    private readonly studio: Studio,
    private readonly id: string,
    private readonly checked: Set<string>,
  ) {
    this.checkbox.addEventListener("change", () => this.setChecked(this.checkbox.checked));
    this.name.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey) this.setChecked(!checked.has(id));
      else studio.select(id);
    });
    this.kind.addEventListener("click", () => studio.select(id));
    this.name.addEventListener("dblclick", () => this.rename());
    this.name.addEventListener("keydown", (event) => this.key(event));
    const text = element("div", { class: "clip-text" }, this.name, this.kind);
    this.element.append(this.checkbox, text, this.job, this.eye, this.bin, this.bar, this.error);
  }

  focus(): void {
    this.name.focus();
  }

  update(): void {
    const item = this.studio.item(this.id);
    if (!item) return;
    const { working, done, total, error } = this.studio.progressOf(this.id);
    const selected = this.studio.selected?.id === this.id;
    this.element.classList.toggle("selected", selected);
    this.element.style.setProperty("--swatch", `var(--figure-${item.colour})`);
    this.name.textContent = item.name;
    const notes = this.studio.motion(this.id)?.header.notes ?? [];
    this.name.title = [`${item.name}: double-click or press F2 to rename`, ...notes].join("\n");
    this.name.setAttribute("aria-current", String(selected));
    this.kind.textContent = KINDS[item.recipe.type];
    this.checkbox.checked = this.checked.has(this.id);
    this.checkbox.setAttribute("aria-label", `Check ${item.name}`);
    this.checkbox.title = "Check clips, then press New to combine them";
    relabel(this.eye, `${item.visible ? "Hide" : "Show"} ${item.name}`, item.visible ? "eye" : "hidden");
    relabel(this.bin, `Remove ${item.name}`);
    this.element.classList.toggle("invisible", !item.visible);
    this.showProgress(working || (!error && !this.studio.motion(this.id)), done, total);
    this.job.hidden = !working && error === null;
    if (error === null) relabel(this.job, `Stop computing ${item.name}`, "stop");
    else relabel(this.job, `Compute ${item.name} again`, "again");
    this.error.hidden = error === null;
    this.error.textContent = this.error.title = error ?? "";
  }

  private showProgress(working: boolean, done: number, total: number): void {
    // The bar keeps its space while invisible, so that nothing moves.
    this.bar.style.visibility = working ? "visible" : "hidden";
    if (total > 0) {
      this.bar.max = total;
      this.bar.value = done;
    } else this.bar.removeAttribute("value");
  }

  private setChecked(isChecked: boolean): void {
    if (isChecked) this.checked.add(this.id);
    else this.checked.delete(this.id);
    this.checkbox.checked = isChecked;
  }

  private stopOrMakeAgain(): void {
    if (this.studio.progressOf(this.id).error === null) this.studio.stopJob(this.id);
    else this.studio.makeAgain(this.id);
  }

  private toggleVisible(): void {
    const item = this.studio.item(this.id);
    if (item) this.studio.do({ type: "show", item: this.id, visible: !item.visible });
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "F2") this.rename();
    else if (event.key === "Delete") this.studio.do({ type: "remove", item: this.id });
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.step(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Select the clip below or above. */
  private step(by: number): void {
    const { items } = this.studio.document;
    const next = items[items.findIndex(({ id }) => id === this.id) + by];
    const row = by > 0 ? this.element.nextElementSibling : this.element.previousElementSibling;
    if (!next || !row) return;
    this.studio.select(next.id);
    row.querySelector<HTMLElement>(".clip-name")?.focus();
  }

  private rename(): void {
    const item = this.studio.item(this.id);
    if (!item) return;
    const label = `New name for ${item.name}`;
    const input = element("input", { type: "text", class: "clip-rename", value: item.name, "aria-label": label });
    const finish = (keep: boolean): void => {
      const name = input.value.trim();
      input.onblur = null;
      input.replaceWith(this.name);
      if (keep && name && name !== item.name) this.studio.do({ type: "rename", item: this.id, name });
      this.name.focus();
    };
    input.onblur = () => finish(true);
    input.onkeydown = (event) => {
      if (event.key === "Enter") finish(true);
      else if (event.key === "Escape") finish(false);
    };
    this.name.replaceWith(input);
    input.select();
    input.focus();
  }
}
