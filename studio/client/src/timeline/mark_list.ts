import { element } from "../core/dom";
import type { Axis } from "./axis";
import type { Desk } from "./desk";
import type { Grip } from "./grips";
import type { Lane } from "./lanes/lane";
import { type Row, rowElement, rowsOf } from "./mark_rows";

/** Rows that the list shows at most; a long take has thousands of marks, and zooming in leaves fewer. */
const MOST_ROWS = 200;

/** Every mark in view as a row, so that all that the pointer can drag the keyboard can move. One row is in the tab
 * order; up and down go to the others, and left and right move what has the focus. */
export class MarkList {
  readonly element: HTMLElement;
  private readonly list = element("ul", { class: "mark-list", "aria-label": "Marks" });
  private readonly note = element("p", { class: "muted", id: "mark-list-note" });
  private rows: Row[] = [];
  private current = 0;
  private item: string | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly axis: Axis,
    private readonly go: (item: string, seconds: number) => void,
  ) {
    this.list.setAttribute("aria-describedby", this.note.id);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusin", (event) => this.focused(event.target as HTMLElement));
    this.element = element("div", { class: "mark-list-box" }, this.note, this.list);
  }

  /** Show the marks of a clip that are in view. */
  update(item: string | null, lanes: Lane[]): void {
    this.item = item;
    const all = lanes.flatMap((lane) => rowsOf(lane.grips()));
    const visible = all.filter((row) => row.mark === "trim" || this.isInView(row.grips));
    this.rows = visible.slice(0, MOST_ROWS);
    const left = all.length - this.rows.length;
    this.note.textContent =
      "Up and down choose a mark, left and right move it (with shift by ten), Delete removes it." +
      (left > 0 ? ` ${left} more are not listed: zoom in to them.` : "");
    this.fill();
  }

  private isInView(grips: Grip[]): boolean {
    const times = grips.flatMap(({ area, seconds }) => (area ? [area.from, area.to] : [seconds]));
    return Math.max(...times) >= this.axis.start && Math.min(...times) <= this.axis.end;
  }

  private fill(): void {
    const place = this.place();
    const actions = {
      go: (row: Row) => this.item && this.go(this.item, row.seconds),
      nudge: (grip: Grip, steps: number) => this.item && this.desk.send(this.item, grip.nudged(steps)),
      remove: (row: Row) => this.remove(row),
    };
    this.list.replaceChildren(...this.rows.map((row) => rowElement(row, actions)));
    const found = place ? this.rows.findIndex(({ mark }) => mark === place.mark) : -1;
    this.current = Math.min(found >= 0 ? found : this.current, Math.max(0, this.rows.length - 1));
    this.tabOrder();
    if (place) this.focus(this.current, place.column);
    this.mark();
  }

  /** Show which mark is selected. */
  mark(): void {
    const chosen = this.desk.chosen;
    [...this.list.children].forEach((row, n) => {
      const isChosen = chosen?.item === this.item && chosen?.mark === this.rows[n]?.mark;
      row.classList.toggle("is-chosen", isChosen);
      if (isChosen && !this.list.contains(document.activeElement)) row.scrollIntoView({ block: "nearest" });
    });
  }

  /** The mark and the column that have the focus, if they are in the list. */
  private place(): { mark: string; column: number } | null {
    const focused = document.activeElement;
    const row = focused?.closest<HTMLElement>(".mark-row");
    if (!row || !this.list.contains(row)) return null;
    return { mark: row.dataset["mark"]!, column: this.cells(row).indexOf(focused as HTMLElement) };
  }

  private cells(row: Element | undefined): HTMLElement[] {
    return row ? [...row.querySelectorAll<HTMLElement>("button, [role=spinbutton]")] : [];
  }

  private tabOrder(): void {
    [...this.list.children].forEach((row, n) => {
      for (const cell of this.cells(row)) cell.tabIndex = n === this.current ? 0 : -1;
    });
  }

  private focus(row: number, column: number): void {
    const cells = this.cells(this.list.children[row]);
    cells[Math.min(Math.max(column, 0), cells.length - 1)]?.focus();
  }

  private focused(target: HTMLElement): void {
    const row = target.closest(".mark-row");
    const index = row ? [...this.list.children].indexOf(row) : -1;
    if (index < 0 || !this.item) return;
    this.current = index;
    this.tabOrder();
    this.desk.choose({ item: this.item, mark: this.rows[index]!.mark });
  }

  private key(event: KeyboardEvent): void {
    const place = this.place();
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowUp: this.current - 1, ArrowDown: this.current + 1, Home: 0, End: this.rows.length - 1 }[
      event.key
    ];
    if (to !== undefined) this.focus(Math.min(Math.max(to, 0), this.rows.length - 1), place.column);
    else if (event.key === "Delete") this.remove(this.rows[this.current]!);
    else return;
    event.preventDefault();
  }

  private remove(row: Row): void {
    const removed = row.grips[0]?.removed;
    if (removed && this.item) this.desk.send(this.item, removed());
  }
}
