import "../../style/framespace.css";
import { element, showOnly } from "../../core/dom";
import type { Panel } from "../../core/panel";
import type { Studio } from "../../core/studio";
import { SpaceDesk } from "./desk";
import { SpaceField } from "./field";
import { NewSpace } from "./new_space";
import { spaceOptions } from "./options";
import { stateTable } from "./states";
import { vertexFields } from "./vertex_fields";

/** A part of the panel, built once and brought up to date after every change. */
export interface Section {
  element: HTMLElement;
  update(): void;
}

const HELP =
  "A framespace lies between cyclic clips: time goes from left to right, and each clip is an edge. Draw where the " +
  "motion goes: drag the vertices of the curve, double-click to add one, press Delete to remove it. Lines from clip " +
  "to clip are moments that belong together, such as a foot that strikes the floor.";

/** The space of the selected framespace, with the curve through it. */
export function framespacePanel(studio: Studio): Panel {
  const box = element("div", { class: "space-panel" });
  const isSeen = (): boolean => box.offsetParent !== null;
  const desk = new SpaceDesk(studio, isSeen);
  const status = element("p", { class: "space-status", role: "status" });
  const fresh = new NewSpace(studio);
  const fields = [new SpaceField(desk, 1), new SpaceField(desk, 2)];
  const axis = element(
    "div",
    { class: "space-axis", "aria-hidden": "true" },
    element("span"),
    element("span", {}, "cycles"),
    element("span"),
  );
  const sections = [vertexFields(desk), spaceOptions(desk), stateTable(desk)];

  const refresh = (): void => {
    const { shown } = desk;
    if (!shown) {
      fresh.update();
      showOnly(box, fresh.element);
      return;
    }
    const parts = [...fields, ...sections].map(({ element }) => element);
    showOnly(box, status, ...parts.slice(0, 2), axis, ...parts.slice(2));
    const { error } = studio.progressOf(shown.item.id);
    status.classList.toggle("bad", error !== null);
    status.textContent = error ?? "";
    status.hidden = error === null;
    fields[1]!.element.hidden = desk.dimensions < 2;
    axis.firstElementChild!.textContent = "0";
    axis.lastElementChild!.textContent = String(shown.recipe.cycles);
    desk.vertex = Math.min(desk.vertex, desk.vertices.length - 1);
    for (const part of desk.dimensions < 2 ? [fields[0]!, ...sections] : [...fields, ...sections]) part.update();
  };
  const follow = (): void => {
    void desk.fetch();
    refresh();
  };
  studio.documentChanged.on(follow);
  studio.selectionChanged.on(() => {
    desk.edit("curve");
    follow();
  });
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) follow();
  });
  studio.playback.moved.on(() => {
    if (isSeen() && desk.shown) fields.forEach((field) => field.seek());
  });
  desk.changed.on(refresh);
  new ResizeObserver(follow).observe(box); // also tells when the tab is opened
  refresh();
  return { id: "framespace", title: "Framespace", help: HELP, element: box };
}
