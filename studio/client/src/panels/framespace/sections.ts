import { element } from "../../core/dom";
import type { SpaceState } from "../../core/messages";
import { replaceAt } from "../../core/numbers";
import type { Section } from "../../core/panel";
import { capitalize, percent } from "../../core/text";
import { iconButton } from "../../widgets/buttons";
import { checkbox, numberField } from "../../widgets/fields";
import type { CurveName, FramespaceEditor } from "./editor";
import { closeCurve } from "./vertices";

const COORDINATES = ["Time (0–1)", "v (0–1)", "w (0–1)"];
const CURVES: [CurveName, string][] = [
  ["curve", "Legs"],
  ["upper", "Arms"],
];

/** The chosen vertex in numbers, buttons to add and remove vertices, and which curve is edited. */
export function vertexFields(editor: FramespaceEditor): Section<"framespace"> {
  const { playback } = editor.studio;
  const title = element("h3", {});
  const fields = COORDINATES.map((label, axis) =>
    numberField(label, { min: 0, max: 1, step: 0.01 }, (value) => {
      const vertex = editor.vertices[editor.vertex];
      if (value === null || !vertex) return;
      editor.drag(editor.vertex, replaceAt(vertex, axis, value));
      editor.commit();
    }),
  );
  const addAtPlayhead = (): void => {
    const x = editor.atPlayhead("x")?.[0] ?? (playback.duration ? playback.time / playback.duration : 0);
    editor.addOnCurve(x);
  };
  const add = iconButton("plus", "Add vertex at playhead", addAtPlayhead);
  const remove = iconButton("remove", "Remove vertex", () => editor.remove(editor.vertex));
  const stepButton = (label: string, step: number, text: string): HTMLButtonElement =>
    element(
      "button",
      { type: "button", "aria-label": label, onclick: () => editor.choose(editor.vertex + step) },
      text,
    );
  const previous = stepButton("Previous vertex", -1, "‹");
  const next = stepButton("Next vertex", 1, "›");
  const curveButtons = CURVES.map(([name, label]) =>
    element("button", { type: "button", onclick: () => editor.edit(name) }, label),
  );
  const curveChooser = element(
    "div",
    { class: "row wrap", role: "group", "aria-label": "Curve to edit" },
    "Edit the curve of the",
    ...curveButtons,
  );
  return {
    element: element(
      "section",
      {},
      curveChooser,
      element("div", { class: "row wrap space-vertex-row" }, title, previous, next, add, remove),
      element("div", { class: "space-numbers" }, ...fields.map((field) => field.element)),
    ),
    update: ({ recipe }) => {
      const { vertices, vertex, curveName, dimensions } = editor;
      title.textContent = `Vertex ${vertex + 1} of ${vertices.length}`;
      fields.forEach((field, axis) => {
        field.element.hidden = axis > dimensions;
        field.set(vertices[vertex]?.[axis] ?? null);
      });
      previous.disabled = vertex <= 0;
      next.disabled = vertex >= vertices.length - 1;
      remove.disabled = vertices.length <= 2;
      add.disabled = editor.points(curveName) === null;
      curveChooser.hidden = !recipe.upper;
      CURVES.forEach(([name], n) => curveButtons[n]!.setAttribute("aria-pressed", String(name === curveName)));
    },
  };
}

/** How many cycles the curve lasts, whether it loops, and whether the arms have their own timing or curve. */
export function spaceOptions(editor: FramespaceEditor): Section<"framespace"> {
  const cycles = numberField("Cycles", { min: 1, step: 1 }, (value) => {
    if (value === null || value <= 0) return;
    editor.change({ cycles: editor.recipe.loop ? wholeCycles(value) : value });
  });
  const loop = checkbox("Loop (end where it starts)", (checked) => setLoop(editor, checked));
  const polyline = checkbox("Straight segments", (checked) => editor.change({ polyline: checked }));
  const decoupled = checkbox("Time the arms separately", (checked) =>
    editor.change(checked ? { decoupled: true } : { decoupled: false, upper: null }),
  );
  /** Whether to edit the curve of the arms once it exists. */
  let editArmsNext = false;
  const upper = checkbox("Separate curve for the arms", (checked) => {
    editArmsNext = checked;
    editor.change(checked ? { decoupled: true, upper: editor.recipe.curve } : { upper: null });
  });
  const fields = [cycles, loop, polyline, decoupled, upper];
  return {
    element: element("section", {}, ...fields.map((field) => field.element)),
    update: ({ recipe }) => {
      cycles.set(recipe.cycles);
      loop.set(recipe.loop);
      polyline.set(recipe.polyline);
      decoupled.set(recipe.decoupled);
      upper.set(recipe.upper !== null);
      if (!editArmsNext || !recipe.upper) return;
      editArmsNext = false;
      editor.edit("upper");
    },
  };
}

/** A loop needs whole cycles and curves that end where they start. */
function setLoop(editor: FramespaceEditor, loop: boolean): void {
  if (!loop) return editor.change({ loop });
  const { curve, upper, cycles } = editor.recipe;
  editor.change({
    loop,
    curve: closeCurve(curve),
    upper: upper && closeCurve(upper),
    cycles: wholeCycles(cycles),
  });
}

function wholeCycles(cycles: number): number {
  return Math.max(1, Math.round(cycles));
}

/** The states that the clips share: what their labels mean, and when each clip has them in a cycle. */
export function stateTable(editor: FramespaceEditor): Section<"framespace"> {
  const body = element("tbody");
  const head = element("tr");
  const caption = element("caption", { class: "hidden-text" }, "States, in percent of the cycle of each clip");
  const notes = element("div", { class: "hint" });
  const details = element("details", {}, element("summary", {}, "Notes on the clips"), notes);
  let builtFor = "";
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Matching states in a cycle"),
      element("table", { class: "space-states" }, caption, element("thead", {}, head), body),
      details,
    ),
    update: () => {
      const { names, space } = editor;
      if (!space) return;
      const content = JSON.stringify([names, space.header]);
      if (content === builtFor) return;
      builtFor = content;
      head.replaceChildren(...["State", ...names].map((name) => element("th", { scope: "col", title: name }, name)));
      body.replaceChildren(
        ...space.header.lower.map((state) => stateRow(editor, state, "")),
        ...space.header.upper.map((state) => stateRow(editor, state, "arms")),
      );
      notes.replaceChildren(...space.header.notes.map((note) => element("p", {}, `${capitalize(note)}.`)));
      details.hidden = space.header.notes.length === 0;
    },
  };
}

function stateRow(
  editor: FramespaceEditor,
  { labels, description, times }: SpaceState,
  className: string,
): HTMLElement {
  const hover = (label: string | null) => () => editor.hoverState(label);
  const [label = null] = labels;
  return element(
    "tr",
    {
      class: className,
      tabindex: 0,
      onmouseenter: hover(label),
      onmouseleave: hover(null),
      onfocus: hover(label),
      onblur: hover(null),
    },
    element("th", { scope: "row" }, element("code", {}, labels.join(", ")), " ", description),
    ...times.map((time) => element("td", {}, percent(time))),
  );
}
