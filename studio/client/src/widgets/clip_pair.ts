import { element } from "../core/dom";
import type { Item } from "../core/messages";
import type { Studio } from "../core/studio";
import { choice } from "./fields";

/** Two clips to combine, shown by a panel while no clip of its kind is selected. Proposes the selected clip and its
 * neighbour in the list; what the user chose stays until another clip is selected. */
export function clipPair(
  studio: Studio,
  labels: { hint: string; first: string; second: string; create: string },
  create: (first: string, second: string) => void,
): { element: HTMLElement; update: () => void } {
  const box = element("div", { class: "clip-pair" });
  let chosen: [string, string] = ["", ""];
  let proposedFor: string | null = null;
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
    const selected = studio.selected?.id ?? null;
    if (selected !== proposedFor || !chosen.every((id) => id in names)) chosen = propose(items, selected);
    proposedFor = selected;
    const outline = JSON.stringify(names);
    if (outline !== listed) {
      listed = outline;
      if (items.length >= 2) build(names);
      else box.replaceChildren(element("p", { class: "hint" }, `${labels.hint} Add at least two clips first.`));
    }
    show();
  };
  return { element: box, update };
}

function propose(items: Item[], selected: string | null): [string, string] {
  const at = items.findIndex(({ id }) => id === selected);
  const first = Math.max(0, Math.min(at, items.length - 2));
  return [items[first]?.id ?? "", items[first + 1]?.id ?? ""];
}
