import { element } from "../../core/dom";
import { iconButton } from "../../widgets/button";
import { numberField } from "../../widgets/fields";
import type { SpaceDesk, Which } from "./desk";
import type { Section } from "./panel";

const NAMES = ["x", "v", "w"];
const WORDS = ["Time, 0 to 1", "v, 0 to 1", "w, 0 to 1"];

/** The chosen vertex in numbers; adding and removing; which curve is edited. */
export function vertexFields(desk: SpaceDesk): Section {
  const { playback } = desk.studio;
  const title = element("h3", {});
  const fields = NAMES.map((_, axis) =>
    numberField(WORDS[axis]!, { min: 0, max: 1, step: 0.01 }, (value) => {
      const row = desk.vertices[desk.vertex];
      if (value === null || !row) return;
      desk.drag(
        desk.vertex,
        row.map((old, n) => (n === axis ? value : old)),
      );
      desk.commit();
    }),
  );
  const add = iconButton("plus", "Add a vertex at the playhead", () => addAtPlayhead());
  const remove = iconButton("remove", "Remove this vertex", () => desk.remove(desk.vertex));
  const before = element(
    "button",
    { type: "button", "aria-label": "Vertex before", onclick: () => desk.choose(desk.vertex - 1) },
    "‹",
  );
  const after = element(
    "button",
    { type: "button", "aria-label": "Vertex after", onclick: () => desk.choose(desk.vertex + 1) },
    "›",
  );
  const addAtPlayhead = (): void => {
    const x = desk.atPlayhead("x")?.[0] ?? (playback.duration ? playback.time / playback.duration : 0);
    desk.addOnCurve(x);
  };
  const curves = (["curve", "upper"] as Which[]).map((which) =>
    element("button", { type: "button", onclick: () => desk.edit(which) }, which === "curve" ? "Legs" : "Arms"),
  );
  const chooser = element(
    "div",
    { class: "space-row", role: "group", "aria-label": "Curve to edit" },
    "Edit the curve of the",
    ...curves,
  );
  return {
    element: element(
      "section",
      {},
      chooser,
      element("div", { class: "space-row" }, title, before, after, add, remove),
      element("div", { class: "space-numbers" }, ...fields.map((field) => field.element)),
    ),
    update() {
      const { vertices, vertex, which, dimensions, shown } = desk;
      const row = vertices[vertex];
      title.textContent = `Vertex ${vertex + 1} of ${vertices.length}`;
      fields.forEach((field, axis) => {
        field.element.hidden = axis > dimensions;
        field.set(row?.[axis] ?? null);
      });
      before.disabled = vertex <= 0;
      after.disabled = vertex >= vertices.length - 1;
      remove.disabled = vertices.length <= 2;
      add.disabled = desk.drawn(which) === null;
      chooser.hidden = !shown?.recipe.upper;
      curves.forEach((button, n) => button.setAttribute("aria-pressed", String((n === 1) === (which === "upper"))));
    },
  };
}
