import { element } from "../core/dom";
import type { Panel } from "../core/panel";
import { load, store } from "../core/storage";
import { iconButton } from "./buttons";
import { menu } from "./menu";

export interface Tabs {
  element: HTMLElement;
  /** The panel in view. */
  readonly current: Panel | undefined;
  show: (id: string) => void;
}

/** Panels behind tabs in one row; Left and Right move between tabs. Where they do not all fit, the row scrolls, and a
 * menu at its end lists all of them. The open tab is stored under `name`. */
export function tabs(name: string, label: string, panels: Panel[]): Tabs {
  let current = panels.find(({ id }) => id === load(`tab.${name}`, "")) ?? panels[0];
  const heads = panels.map((panel) =>
    element(
      "button",
      {
        role: "tab",
        id: `tab-${panel.id}`,
        "aria-controls": `panel-${panel.id}`,
        title: panel.title,
        onclick: () => show(panel.id),
      },
      panel.title,
    ),
  );
  const bodies = panels.map((panel) =>
    element(
      "div",
      { role: "tabpanel", id: `panel-${panel.id}`, "aria-labelledby": `tab-${panel.id}`, class: "tab-body" },
      panel.element,
    ),
  );

  const revealCurrent = (): void => {
    const head = heads[panels.indexOf(current!)];
    if (head?.parentElement) head.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const show = (id: string): void => {
    current = panels.find((panel) => panel.id === id) ?? current;
    panels.forEach((panel, n) => {
      const chosen = panel === current;
      heads[n]!.setAttribute("aria-selected", String(chosen));
      heads[n]!.tabIndex = chosen ? 0 : -1;
      bodies[n]!.hidden = !chosen;
    });
    revealCurrent();
    if (current) store(`tab.${name}`, current.id);
  };

  const list = element("div", { role: "tablist", "aria-label": label, class: "tab-list" }, ...heads);
  const more = iconButton("more", `All ${label.toLowerCase()}`, () => undefined);
  const choices = menu(more, () =>
    panels.map(({ id, title, help }) => ({
      label: title,
      hint: help.slice(0, help.indexOf(".") + 1),
      action: () => show(id),
    })),
  );
  const fade = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = list;
    list.classList.toggle("more-before", scrollLeft > 1);
    list.classList.toggle("more-after", scrollLeft + clientWidth < scrollWidth - 1);
  };
  new ResizeObserver(() => {
    more.hidden = list.scrollWidth <= list.clientWidth;
    revealCurrent();
    fade();
  }).observe(list);
  list.addEventListener("scroll", fade);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !current) return;
    event.preventDefault();
    const next = (panels.indexOf(current) + step + panels.length) % panels.length;
    show(panels[next]!.id);
    heads[next]!.focus();
  });
  show(current?.id ?? "");
  return {
    element: element("div", { class: "tabs" }, element("div", { class: "tab-bar" }, list, more), choices, ...bodies),
    get current() {
      return current;
    },
    show,
  };
}
