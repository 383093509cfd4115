import { element, isVisible } from "../core/dom";
import type { Item } from "../core/messages";
import type { Studio } from "../core/studio";
import { choice } from "./fields";

/** Two clips to combine, shown by a panel while no clip of its kind is selected. Proposes the checked clips if they are
 * two, else the selected one and its neighbour in the list; what the user chose stays until others are selected or
 * checked. */
export function clipPair(
  studio: Studio,
  labels: { hint: string; first: string; second: string; create: string },
  create: (first: string, second: string) => void,
): { element: HTMLElement; update: () => void } {
  const box = element("div", { class: "clip-pair" });
  let chosen: [string, string] = ["", ""];
  let proposedFor = "";
  let listed = "";
  let show = (): void => {};

  const build = (names: Record<string, string>): void => {
    const fields = [labels.first, labels.second].map((label, n) =>
      choice(label, names, (id: string) => {
        chosen[n as 0 | 1] = id;
        show();
      }),
    );
    const button = element(
      "button",
      { type: "button", class: "primary", onclick: () => create(...chosen) },
      labels.create,
    );
    show = () => {
      fields.forEach((field, n) => field.set(chosen[n as 0 | 1]));
      button.disabled = chosen[0] === chosen[1];
    };
    box.replaceChildren(
      element("p", { class: "hint" }, labels.hint),
      ...fields.map((field) => field.element),
      element("div", { class: "buttons" }, button),
    );
  };
  const update = (): void => {
    const { items } = studio.document;
    const names = Object.fromEntries(items.map(({ id, name }) => [id, name]));
    const selected = studio.selected?.id ?? "";
    const checked = studio.checked.size === 2 ? studio.checked.ids : [];
    const wanted = [selected, ...checked].join();
    if (wanted !== proposedFor || !chosen.every((id) => id in names)) chosen = propose(items, selected, checked);
    proposedFor = wanted;
    const outline = JSON.stringify(names);
    if (outline !== listed) {
      listed = outline;
      if (items.length >= 2) build(names);
      else box.replaceChildren(element("p", { class: "hint" }, `${labels.hint} Add at least two clips first.`));
    }
    show();
  };
  studio.checked.changed.on(() => {
    if (isVisible(box)) update();
  });
  return { element: box, update };
}

function propose(items: Item[], selected: string, [first, second]: string[]): [string, string] {
  if (first !== undefined && second !== undefined) return [first, second];
  const at = items.findIndex(({ id }) => id === selected);
  const from = Math.max(0, Math.min(at, items.length - 2));
  return [items[from]?.id ?? "", items[from + 1]?.id ?? ""];
}
