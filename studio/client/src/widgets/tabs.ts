import { element } from "../core/dom";
import type { Panel } from "../core/panel";
import { load, store } from "../core/storage";

export interface Tabs {
  element: HTMLElement;
  /** The panel in view. */
  readonly current: Panel | undefined;
  show: (id: string) => void;
}

/** Panels behind tabs; Left and Right move between tabs. The open tab is stored under `name`. */
export function tabs(name: string, label: string, panels: Panel[]): Tabs {
  let current = panels.find(({ id }) => id === load(`tab.${name}`, "")) ?? panels[0];
  const heads = panels.map((panel) =>
    element(
      "button",
      {
        role: "tab",
        id: `tab-${panel.id}`,
        "aria-controls": `panel-${panel.id}`,
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

  const show = (id: string): void => {
    current = panels.find((panel) => panel.id === id) ?? current;
    panels.forEach((panel, n) => {
      const chosen = panel === current;
      heads[n]!.setAttribute("aria-selected", String(chosen));
      heads[n]!.tabIndex = chosen ? 0 : -1;
      bodies[n]!.hidden = !chosen;
    });
    if (current) store(`tab.${name}`, current.id);
  };

  const list = element("div", { role: "tablist", "aria-label": label, class: "tab-list" }, ...heads);
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
    element: element("div", { class: "tabs" }, list, ...bodies),
    get current() {
      return current;
    },
    show,
  };
}
