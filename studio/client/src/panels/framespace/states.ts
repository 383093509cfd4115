import { element } from "../../core/dom";
import type { SpaceState } from "../../core/messages";
import type { SpaceDesk } from "./desk";
import type { Section } from "./panel";

/** The states that the clips share: when each clip has them in one cycle, and what their labels mean. */
export function stateTable(desk: SpaceDesk): Section {
  const body = element("tbody");
  const head = element("tr");
  const caption = element("caption", { class: "hidden-text" }, "States, in percent of the cycle of each clip");
  const notes = element("div", { class: "space-hint" });
  let shownRows = "";
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "States of one cycle"),
      element("table", { class: "space-states" }, caption, element("thead", {}, head), body),
      element("details", {}, element("summary", {}, "What was cut and left out"), notes),
    ),
    update() {
      const { shown, pack, studio } = desk;
      if (!shown || !pack) return;
      const names = shown.recipe.sources.map((id) => studio.item(id)?.name ?? id);
      const rows = JSON.stringify([names, pack.head.lower, pack.head.upper, pack.head.notes]);
      if (rows === shownRows) return;
      shownRows = rows;
      head.replaceChildren(...["State", ...names].map((name) => element("th", { scope: "col", title: name }, name)));
      body.replaceChildren(
        ...pack.head.lower.map((state) => row(desk, state, "")),
        ...pack.head.upper.map((state) => row(desk, state, "arms")),
      );
      notes.replaceChildren(
        ...pack.head.notes.map((note) => element("p", {}, `${note[0]!.toUpperCase()}${note.slice(1)}.`)),
      );
    },
  };
}

function row(desk: SpaceDesk, { labels, words, times }: SpaceState, kind: string): HTMLElement {
  const point = (label: string | null) => () => desk.point(label);
  return element(
    "tr",
    {
      class: kind,
      tabindex: 0,
      onmouseenter: point(labels[0] ?? null),
      onmouseleave: point(null),
      onfocus: point(labels[0] ?? null),
      onblur: point(null),
    },
    element("th", { scope: "row" }, element("code", {}, labels.join(", ")), " ", words),
    ...times.map((time) => element("td", {}, `${Math.round(100 * time)} %`)),
  );
}
