import { element } from "../core/dom";
import { clamp } from "../core/numbers";
import type { Axis } from "./axis";
import type { TimelineEditor } from "./editor";
import type { Grip } from "./grips";
import type { Lane } from "./lanes/lane";

/** Rows in the list at most: a long take has thousands of marks, and zooming in leaves fewer. */
const MAX_ROWS = 200;

/** Every mark in view as a row, so that the keyboard can move whatever the pointer can drag. One row is in the tab
 * order; Up and Down move between rows, Left and Right move the focused part of a mark. */
export class MarkList {
  readonly element: HTMLElement;
  private readonly list = element("ul", { class: "mark-list", "aria-label": "Marks" });
  private readonly note = element("p", { class: "muted", id: "mark-list-note" });
  private rows: Row[] = [];
  private current = 0;
  private item: string | null = null;

  constructor(
    private readonly editor: TimelineEditor,
    private readonly axis: Axis,
    private readonly lanesOf: (item: string) => Lane[],
    private readonly seek: (item: string, seconds: number) => void,
  ) {
    this.list.setAttribute("aria-describedby", this.note.id);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusin", (event) => this.selectFocused(event.target as HTMLElement));
    this.element = element("div", { class: "mark-list-box" }, this.note, this.list);
  }

  /** Show the marks of a clip that are in view. */
  update(item: string | null): void {
    this.item = item;
    const all = this.allRows();
    const visible = all.filter((row) => row.mark === "trim" || this.isInView(row.grips));
    this.rows = visible.slice(0, MAX_ROWS);
    const hidden = all.length - this.rows.length;
    this.note.textContent =
      "Up and Down select a mark, Left and Right move it (Shift: by ten), Delete removes it." +
      (hidden > 0 ? ` ${hidden} more are hidden; zoom in to see them.` : "");
    this.fill();
  }

  /** All marks as they are now; the rows that are shown may be older by a repaint. */
  private allRows(): Row[] {
    return this.item === null ? [] : this.lanesOf(this.item).flatMap((lane) => rowsOf(lane.grips()));
  }

  private isInView(grips: Grip[]): boolean {
    const times = grips.flatMap(({ area, seconds }) => (area ? [area.from, area.to] : [seconds]));
    return Math.max(...times) >= this.axis.start && Math.min(...times) <= this.axis.end;
  }

  private fill(): void {
    const focus = this.focusPosition();
    const actions = {
      seek: (row: Row) => this.item && this.seek(this.item, row.seconds),
      nudge: (shown: Grip, steps: number) => this.nudge(shown, steps),
      remove: (row: Row) => this.remove(row),
    };
    this.list.replaceChildren(...this.rows.map((row) => rowElement(row, actions)));
    const found = focus ? this.rows.findIndex(({ mark }) => mark === focus.mark) : -1;
    this.current = Math.min(found >= 0 ? found : this.current, Math.max(0, this.rows.length - 1));
    this.updateTabOrder();
    if (focus) this.focus(this.current, focus.column);
    this.showSelected();
  }

  /** Show which mark is selected. */
  showSelected(): void {
    const selected = this.editor.selectedMark;
    [...this.list.children].forEach((row, n) => {
      const isSelected = selected?.item === this.item && selected?.mark === this.rows[n]?.mark;
      row.classList.toggle("is-selected", isSelected);
      if (isSelected && !this.list.contains(document.activeElement)) row.scrollIntoView({ block: "nearest" });
    });
  }

  /** The mark and the column that have the focus, if they are in the list. */
  private focusPosition(): { mark: string; column: number } | null {
    const focused = document.activeElement;
    const row = focused?.closest<HTMLElement>(".mark-row");
    if (!row || !this.list.contains(row)) return null;
    return { mark: row.dataset["mark"]!, column: this.cells(row).indexOf(focused as HTMLElement) };
  }

  private cells(row: Element | undefined): HTMLElement[] {
    return row ? [...row.querySelectorAll<HTMLElement>("button, [role=spinbutton]")] : [];
  }

  private updateTabOrder(): void {
    [...this.list.children].forEach((row, n) => {
      for (const cell of this.cells(row)) cell.tabIndex = n === this.current ? 0 : -1;
    });
  }

  private focus(row: number, column: number): void {
    const cells = this.cells(this.list.children[row]);
    cells[clamp(column, 0, cells.length - 1)]?.focus();
  }

  private selectFocused(target: HTMLElement): void {
    const row = target.closest(".mark-row");
    const index = row ? [...this.list.children].indexOf(row) : -1;
    if (index < 0 || !this.item) return;
    this.current = index;
    this.updateTabOrder();
    this.editor.selectMark({ item: this.item, mark: this.rows[index]!.mark });
  }

  private key(event: KeyboardEvent): void {
    const focus = this.focusPosition();
    if (!focus || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowUp: this.current - 1, ArrowDown: this.current + 1, Home: 0, End: this.rows.length - 1 }[
      event.key
    ];
    if (to !== undefined) this.focus(clamp(to, 0, this.rows.length - 1), focus.column);
    else if (event.key === "Delete") this.remove(this.rows[this.current]!);
    else return;
    event.preventDefault();
  }

  private nudge(shown: Grip, steps: number): void {
    const grips = this.allRows().find(({ mark }) => mark === shown.mark)?.grips ?? [];
    const grip = grips.find(({ part }) => part === shown.part);
    if (grip && this.item) this.editor.send(this.item, grip.nudge(steps));
  }

  private remove(shown: Row): void {
    const remove = this.allRows().find(({ mark }) => mark === shown.mark)?.grips[0]?.remove;
    if (remove && this.item) this.editor.send(this.item, remove());
  }
}

/** A mark with all its grips. */
export interface Row {
  mark: string;
  name: string;
  seconds: number;
  grips: Grip[];
}

/** What a row can do. */
export interface RowActions {
  seek(row: Row): void;
  nudge(grip: Grip, steps: number): void;
  remove(row: Row): void;
}

/** Steps of an arrow key with Shift. */
const LARGE_STEP = 10;

/** Group grips by their marks, sorted by time. */
export function rowsOf(grips: Grip[]): Row[] {
  const rows = new Map<string, Row>();
  for (const grip of grips) {
    const row = rows.get(grip.mark) ?? { mark: grip.mark, name: grip.name, seconds: grip.seconds, grips: [] };
    row.grips.push(grip);
    rows.set(grip.mark, row);
  }
  return [...rows.values()].sort((a, b) => a.seconds - b.seconds);
}

/** A row of the list: the name of the mark, which moves it as a whole if possible, a field for every edge, and a button
 * that removes it. */
export function rowElement(row: Row, actions: RowActions): HTMLElement {
  const whole = row.grips.find(({ part }) => part === "whole");
  const name = element(
    "button",
    { type: "button", class: "mark-name plain", onclick: () => actions.seek(row) },
    row.name,
  );
  name.title = `${row.name}${whole ? `: ${whole.text}` : ""}`;
  if (whole) {
    name.setAttribute("aria-description", `${whole.text}. Left and Right move it.`);
    makeNudgeable(name, whole, actions);
  }
  const fields = row.grips.filter((grip) => grip !== whole).map((grip) => field(row, grip, actions));
  const box = element("span", { class: "mark-fields" }, ...fields);
  const list = element("li", { class: "mark-row", "data-mark": row.mark }, name, box);
  if (row.grips[0]?.remove) list.append(removeButton(row, actions));
  return list;
}

function removeButton(row: Row, actions: RowActions): HTMLElement {
  const label = row.mark === "trim" ? "Remove the trim" : `Remove ${row.name}`;
  const button = element("button", { type: "button", class: "mark-remove plain", title: label }, "×");
  button.setAttribute("aria-label", label);
  button.addEventListener("click", () => actions.remove(row));
  return button;
}

function field(row: Row, grip: Grip, actions: RowActions): HTMLElement {
  const input = element(
    "span",
    {
      class: "mark-field",
      role: "spinbutton",
      "aria-label": `${row.name}, ${grip.part}`,
      "aria-valuenow": Number.parseFloat(grip.value),
      "aria-valuetext": grip.text,
      title: `${grip.part}: ${grip.text}`,
    },
    grip.value,
  );
  makeNudgeable(input, grip, actions);
  return input;
}

function makeNudgeable(target: HTMLElement, grip: Grip, actions: RowActions): void {
  target.addEventListener("keydown", (event) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions.nudge(grip, direction * (event.shiftKey ? LARGE_STEP : 1));
  });
}
