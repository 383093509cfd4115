import { element } from "../../core/dom";
import { type Item, KINDS } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { load, store } from "../../core/storage";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { addFiles } from "../../widgets/add_files";
import { icon, iconButton, relabel } from "../../widgets/buttons";
import { editText } from "../../widgets/edit_text";
import { JOINED_SUFFIXES } from "../../widgets/gltf_files";
import { menu } from "../../widgets/menu";
import { checkedBar, FolderHead, folderOf, inFolders, matches } from "./folders";
import { newClipEntries } from "./new_clip";

const HELP =
  "All clips of the project. Click one to select it. Check several with the coloured boxes, Ctrl+click or Shift+click, " +
  "and press New to combine them, or move them to a folder or remove them together. Double-click a clip or a folder, " +
  "or press F2, to rename it.";
const NO_CLIPS = "No clips yet. Drop motion files here or press New.";
const NOTHING_FOUND = "No clips match.";
const SKELETON_ROWS = 4;

/** The list of clips: search, select, check, rename, hide, file and remove them; add new ones from files or other clips. */
export function clipsPanel(studio: Studio): Panel {
  const { checked } = studio;
  const list = element("ul", { class: "clip-list", "aria-label": "Clips" });
  const rows = new Map<string, Row>();
  const heads = new Map<string, FolderHead>();
  const search = element("input", {
    type: "search",
    class: "clip-search",
    placeholder: "Search clips",
    "aria-label": "Search clips",
    oninput: () => refresh(),
  });
  let lostFocus = false;
  const closed = new Set<string>(load<string[]>("folders.closed", []));
  list.append(...Array.from({ length: SKELETON_ROWS }, () => element("li", { class: "skeleton clip-skeleton" })));

  const toggleFolder = (name: string): void => {
    if (!closed.delete(name)) closed.add(name);
    store("folders.closed", [...closed]);
    refresh();
  };
  const refresh = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const found = studio.document.items.filter((item) => matches(item, wanted));
    const focused = focusedIndex(list);
    for (const id of [...rows.keys()]) if (!studio.item(id)) rows.delete(id);
    const children: HTMLElement[] = [];
    for (const { name, items } of inFolders(found)) {
      const open = wanted !== "" || !closed.has(name);
      if (name !== "") {
        const head = heads.get(name) ?? new FolderHead(studio, name, toggleFolder);
        heads.set(name, head);
        head.update(items.length, open);
        children.push(head.element);
      }
      if (!open) continue;
      for (const item of items) {
        const row = rows.get(item.id) ?? new Row(studio, item.id, () => visibleIds(list));
        rows.set(item.id, row);
        row.update();
        children.push(row.element);
      }
    }
    if (studio.document.items.length === 0) children.push(element("li", { class: "empty" }, NO_CLIPS));
    else if (found.length === 0) children.push(element("li", { class: "empty" }, NOTHING_FOUND));
    // Rows already in place are not touched: they may have the focus.
    children.forEach((child, n) => {
      if (list.children[n] !== child) list.insertBefore(child, list.children[n] ?? null);
    });
    while (list.children.length > children.length) list.lastElementChild!.remove();
    lostFocus = focused >= 0 && focusedIndex(list) < 0;
    if (lostFocus) focusNear(list, focused);
  };
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on((selected) => {
    if (selected && !rows.get(selected.id)?.element.isConnected && closed.delete(folderOf(selected))) refresh();
    rows.forEach((row) => row.update());
    const row = rows.get(selected?.id ?? "");
    if (row) reveal(list, row.element);
    if (lostFocus) row?.focus(); // a clip was removed that was selected: another is now
    lostFocus = false;
  });
  studio.itemChanged.on((id) => rows.get(id)?.update());

  const newButton = element("button", { type: "button", class: "primary" }, icon("plus"), "New");
  const head = element("div", { class: "clip-head" }, newButton, importButton(studio), search);
  const uncheckAll = (): void => checked.replace([]);
  checked.changed.on(() => rows.forEach((row) => row.update()));
  list.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "a" || !(event.ctrlKey || event.metaKey)) return;
    if ((event.target as Element).closest("input[type=text]")) return;
    event.preventDefault();
    checked.replace(visibleIds(list));
  });
  const choices = menu(newButton, () => newClipEntries(studio, sourcesFor(studio), uncheckAll));
  return {
    id: "clips",
    title: "Clips",
    help: HELP,
    element: element("div", { class: "clips" }, head, choices, checkedBar(studio), list),
  };
}

/** Ids of the clips that the list shows, from top to bottom. */
function visibleIds(list: HTMLElement): string[] {
  return [...list.querySelectorAll<HTMLElement>(".clip")].map((row) => row.dataset["id"] ?? "");
}

function focusedIndex(list: HTMLElement): number {
  return [...list.children].findIndex((child) => child.contains(document.activeElement));
}

/** Focus the clip at an index of the list, or the one before. */
function focusNear(list: HTMLElement, index: number): void {
  const names = [...list.children].map((child) => child.querySelector<HTMLElement>(".clip-name"));
  (names[Math.min(index, names.length - 1)] ?? names.findLast((name) => name !== null))?.focus();
}

/** Scroll a row of a list into view. `scrollIntoView` would also move the start of the next Tab press. */
function reveal(list: HTMLElement, row: HTMLElement): void {
  const above = list.getBoundingClientRect().top - row.getBoundingClientRect().top;
  const below = row.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (above > 0) list.scrollTop -= above;
  else if (below > 0) list.scrollTop += below;
}

/** The clips that a new one is made from: the checked ones in order of checking, else the selected one. */
function sourcesFor(studio: Studio): Item[] {
  const ids = studio.checked.size > 0 ? studio.checked.ids : [studio.selected?.id ?? ""];
  return ids.map((id) => studio.item(id)).filter((item) => item !== null);
}

function importButton(studio: Studio): HTMLElement {
  const input = element("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files" });
  studio.server.formats().then(
    ({ accepted }) => (input.accept = [...accepted, ...JOINED_SUFFIXES].join()),
    (error: unknown) => studio.sayError(error),
  );
  input.addEventListener("change", () => {
    void addFiles(studio, [...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  });
  const press = { type: "button", class: "import-files", title: "Motion files and characters (I)" } as const;
  const button = element("button", { ...press, onclick: () => input.click() }, icon("open"), "Import files");
  return element("span", {}, button, input);
}

/** The clip that was checked or selected last: Shift+click checks all from there. */
let lastClicked = "";

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
    private readonly visible: () => string[],
  ) {
    this.element.dataset["id"] = id;
    this.checkbox.addEventListener("change", () => this.setChecked(this.checkbox.checked));
    this.name.addEventListener("click", (event) => {
      if (event.shiftKey) this.checkRange();
      else if (event.ctrlKey || event.metaKey) this.setChecked(!studio.checked.has(id));
      else studio.select(id);
      lastClicked = id;
    });
    this.checkbox.addEventListener("click", (event) => {
      if (event.shiftKey) this.checkRange();
      lastClicked = id;
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
    this.checkbox.checked = this.studio.checked.has(this.id);
    this.checkbox.setAttribute("aria-label", `Check ${item.name}`);
    this.checkbox.title = "Check clips, then press New to combine them";
    relabel(this.eye, `${item.visible ? "Hide" : "Show"} ${item.name}`, item.visible ? "eye" : "hidden");
    relabel(this.bin, `Remove ${item.name}`);
    this.element.classList.toggle("invisible", !item.visible);
    const waiting = !error && !this.studio.motion(this.id);
    this.showProgress(working || waiting, done, total);
    this.job.hidden = !working && !waiting && error === null;
    if (error === null) relabel(this.job, `Stop computing ${item.name}`, "stop");
    else relabel(this.job, `Compute ${item.name} again`, "again");
    this.error.hidden = error === null;
    this.error.textContent = this.error.title = capitalize(error ?? "");
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
    this.studio.checked.set(this.id, isChecked);
  }

  /** Check all clips from the one that was clicked last to this one. */
  private checkRange(): void {
    const ids = this.visible();
    const [from, to] = [ids.indexOf(lastClicked), ids.indexOf(this.id)];
    if (from < 0) return this.setChecked(true);
    const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    const { checked } = this.studio;
    checked.replace([...checked.ids.filter((id) => !range.includes(id)), ...range]);
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
    else if (event.key === "Delete") this.remove();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.step(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Remove the clip, or all checked ones where it is one of several. */
  private remove(): void {
    const { checked } = this.studio;
    if (checked.has(this.id) && checked.size > 1) this.studio.do({ type: "remove_many", items: checked.ids });
    else this.studio.do({ type: "remove", item: this.id });
  }

  /** Select the clip below or above. */
  private step(by: number): void {
    const ids = this.visible();
    const next = ids[ids.indexOf(this.id) + by];
    if (!next) return;
    this.studio.select(next);
    this.element.parentElement?.querySelector<HTMLElement>(`[data-id="${next}"] .clip-name`)?.focus();
  }

  private rename(): void {
    const item = this.studio.item(this.id);
    if (!item) return;
    editText(this.name, item.name, `New name for ${item.name}`, (name) =>
      this.studio.do({ type: "rename", item: this.id, name }),
    );
  }
}
