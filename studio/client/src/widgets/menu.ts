import { element } from "../core/dom";

export interface MenuEntry {
  label: string;
  /** One line about the entry or, if it is disabled, what is missing. */
  hint: string;
  disabled?: boolean;
  action: () => void;
}

/** A menu under a button; its entries are asked for when it opens. Up and Down move, Esc closes. */
export function menu(button: HTMLButtonElement, entries: () => MenuEntry[]): HTMLElement {
  const list = element("div", { role: "menu", class: "menu", popover: "auto" });
  button.setAttribute("aria-haspopup", "menu");

  const fill = (): void => {
    list.replaceChildren(
      ...entries().map(({ label, hint, disabled, action }) =>
        element(
          "button",
          {
            role: "menuitem",
            type: "button",
            "data-label": label,
            "aria-disabled": String(disabled ?? false),
            onclick: () => {
              if (disabled) return;
              list.hidePopover();
              action();
            },
          },
          element("span", {}, label),
          element("small", {}, hint),
        ),
      ),
    );
  };

  button.popoverTargetElement = list;
  list.addEventListener("beforetoggle", (event) => {
    if (event.newState !== "open") return;
    fill();
    const { left, bottom } = button.getBoundingClientRect();
    list.style.left = `${left}px`;
    list.style.top = `${bottom + 4}px`;
  });
  list.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    // A menu at the right edge opens to the left.
    const left = Math.min(list.offsetLeft, innerWidth - list.offsetWidth - 8);
    list.style.left = `${left}px`;
    (list.firstElementChild as HTMLElement | null)?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const items = [...list.children] as HTMLElement[];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + step + items.length) % items.length]?.focus();
  });
  return list;
}
