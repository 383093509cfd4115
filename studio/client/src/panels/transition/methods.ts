import { element } from "../../core/dom";
import type { MethodMeasures } from "../../core/messages";
import { TRANSITION_FIELDS } from "../../core/options";
import type { Section } from "../../core/panel";
import { capitalize } from "../../core/text";
import type { TransitionEditor } from "./editor";

type Method = MethodMeasures["method"];

const DESCRIPTIONS: Record<Method, string> = {
  registration: "Aligns the clips in time and position around the meeting frames and blends them",
  linear: "Cross-fades the clips without aligning their timing",
  inertialize: "Switches at once and lets the difference decay",
  dead: "Extrapolates the first clip while it fades into the second",
};

interface Measure {
  title: string;
  description: string;
  value: (measures: MethodMeasures) => number | null;
  format: (value: number) => string;
  /** Values above this are visible. */
  limit: number | null;
}

const plain = (value: number): string => value.toFixed(2);

const MEASURES: Measure[] = [
  {
    title: "Speed",
    description: "Speed change at the seams, larger over smaller",
    value: ({ speed }) => speed,
    format: plain,
    limit: null,
  },
  {
    title: "Accel.",
    description: "Peak acceleration at the seams, relative to the clips themselves; above 1 is visible",
    value: ({ acceleration }) => acceleration,
    format: plain,
    limit: 1,
  },
  {
    title: "Jerk",
    description: "Peak jerk at the seams, relative to the clips themselves; above 1 is visible",
    value: ({ jerk }) => jerk,
    format: plain,
    limit: 1,
  },
  {
    title: "Slide",
    description: "Longest slide of a planted foot, in centimetres",
    value: ({ slide }) => slide,
    format: (metres) => `${(100 * metres).toFixed(1)} cm`,
    limit: null,
  },
  {
    title: "Length",
    description: "Seconds from the first seam to the last",
    value: ({ duration }) => duration,
    format: (s) => `${s.toFixed(2)} s`,
    limit: null,
  },
];
/** Measures by which methods are compared; a shorter transition is not better. */
const COMPARED = MEASURES.slice(0, 4);

/** All methods with their measures; a click on one chooses it. */
export function methodTable(editor: TransitionEditor): Section<"transition"> {
  const names = TRANSITION_FIELDS.find(({ name }) => name === "method")!.words;
  const buttons = new Map<Method, HTMLButtonElement>();
  const rows = new Map<Method, HTMLElement>();
  const notes = element("ul", { class: "method-notes" });
  for (const method of Object.keys(DESCRIPTIONS) as Method[]) {
    const button = element(
      "button",
      { type: "button", class: "method", title: DESCRIPTIONS[method], onclick: () => editor.change({ method }) },
      names[method] ?? method,
    );
    buttons.set(method, button);
    rows.set(method, element("tr"));
  }
  const headings = MEASURES.map(({ title, description }) => element("th", { scope: "col", title: description }, title));
  const table = element(
    "table",
    { class: "methods" },
    element("caption", { class: "hidden-text" }, "Measures of the methods"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Method"), ...headings)),
    element("tbody", {}, ...rows.values()),
  );
  return {
    element: element("section", {}, table, notes),
    update: ({ recipe }) => {
      const all = editor.results?.methods ?? [];
      for (const [method, row] of rows) {
        const button = buttons.get(method)!;
        button.setAttribute("aria-pressed", String(recipe.method === method));
        row.classList.toggle("chosen", recipe.method === method);
        const measures = all.find((one) => one.method === method) ?? null;
        const cells = measures ? cellsOf(measures, all) : MEASURES.map(() => element("td", { class: "muted" }, "…"));
        // The button is not replaced: it may have the focus.
        if (!row.contains(button)) row.append(element("th", { scope: "row" }, button));
        while (row.children.length > 1) row.lastElementChild!.remove();
        row.append(...cells);
      }
      const chosen = all.find(({ method }) => method === recipe.method);
      const lines = chosen ? [...keptOf(chosen), ...chosen.notes.map(capitalize)] : [];
      notes.replaceChildren(...lines.map((line) => element("li", {}, line)));
    },
  };
}

/** How much of the clips plays, as a sentence; none where the method made nothing. */
function keptOf({ kept }: MethodMeasures): string[] {
  if (!kept.length) return [];
  const fractions = kept.map((fraction) => `${Math.round(100 * fraction)} %`);
  return [`Plays ${fractions.join(" and ")} of the clips`];
}

function cellsOf(measures: MethodMeasures, all: MethodMeasures[]): HTMLElement[] {
  if (measures.error !== null) {
    return [
      element(
        "td",
        { colspan: MEASURES.length, class: "method-error", title: measures.error },
        capitalize(measures.error),
      ),
    ];
  }
  return MEASURES.map((measure) => {
    const value = measure.value(measures);
    if (value === null) return element("td", { class: "muted" }, "–");
    const isVisible = measure.limit !== null && value > measure.limit;
    const best = COMPARED.includes(measure) && all.every((other) => (measure.value(other) ?? Infinity) >= value);
    return element(
      "td",
      { class: `${isVisible ? "above-limit" : ""} ${best ? "best" : ""}`, title: best ? "Best of all methods" : null },
      measure.format(value),
    );
  });
}
