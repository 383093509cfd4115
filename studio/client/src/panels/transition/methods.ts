import { element } from "../../core/dom";
import type { MethodMeasures } from "../../core/messages";
import type { Section, TransitionView } from "./view";

type Method = MethodMeasures["method"];

const NAMES: Record<Method, string> = {
  registration: "Registration",
  linear: "Linear",
  inertialize: "Inertialize",
  dead: "Dead blending",
};

const MEANINGS: Record<Method, string> = {
  registration: "Aligns the clips in time and place about the middle and blends them",
  linear: "Fades from one clip to the other in plain time",
  inertialize: "Switches at once and lets the difference fade out",
  dead: "Lets the first clip go on by itself while it fades into the second",
};

interface Measure {
  title: string;
  meaning: string;
  value(measures: MethodMeasures): number | null;
  written(value: number): string;
  /** What is no better than this shows: peaks about the seams over those that are usual in the clips. */
  limit: number | null;
}

const plain = (value: number): string => value.toFixed(2);

const MEASURES: Measure[] = [
  {
    title: "Speed",
    meaning: "Change of speed at the seams, larger over smaller",
    value: ({ speed }) => speed,
    written: plain,
    limit: null,
  },
  {
    title: "Accel.",
    meaning: "Largest acceleration about the seams, over what is usual in the clips; above 1 it shows",
    value: ({ acceleration }) => acceleration,
    written: plain,
    limit: 1,
  },
  {
    title: "Jerk",
    meaning: "Largest jerk about the seams, over what is usual in the clips; above 1 it shows",
    value: ({ jerk }) => jerk,
    written: plain,
    limit: 1,
  },
  {
    title: "Slide",
    meaning: "Farthest that a planted foot travels, centimetres",
    value: ({ slide }) => slide,
    written: (metres) => `${(100 * metres).toFixed(1)} cm`,
    limit: null,
  },
  {
    title: "Lasts",
    meaning: "Seconds from the first seam to the last",
    value: ({ seconds }) => seconds,
    written: (s) => `${s.toFixed(2)} s`,
    limit: null,
  },
];
/** The length is no measure of how good a method is. */
const JUDGED = MEASURES.slice(0, 4);

/** All methods with their measures; one is chosen by its button. */
export function methods(view: TransitionView): Section {
  let latest = view;
  const buttons = new Map<Method, HTMLButtonElement>();
  const rows = new Map<Method, HTMLElement>();
  const notes = element("ul", { class: "method-notes" });
  for (const method of Object.keys(NAMES) as Method[]) {
    const button = element(
      "button",
      { type: "button", class: "method", title: MEANINGS[method], onclick: () => latest.change({ method }) },
      NAMES[method],
    );
    buttons.set(method, button);
    rows.set(method, element("tr"));
  }
  const head = MEASURES.map(({ title, meaning }) => element("th", { scope: "col", title: meaning }, title));
  const table = element(
    "table",
    { class: "methods" },
    element("caption", { class: "hidden-text" }, "Methods and their measures"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Method"), ...head)),
    element("tbody", {}, ...rows.values()),
  );
  return {
    element: element("section", {}, table, notes),
    update(next) {
      latest = next;
      const all = next.found?.methods ?? [];
      for (const [method, row] of rows) {
        const button = buttons.get(method)!;
        button.setAttribute("aria-pressed", String(next.recipe.method === method));
        row.classList.toggle("chosen", next.recipe.method === method);
        const measures = all.find((one) => one.method === method) ?? null;
        const cells = measures ? cellsOf(measures, all) : MEASURES.map(() => element("td", { class: "muted" }, "…"));
        // The button stays in its place: it may have the focus.
        if (!row.contains(button)) row.append(element("th", { scope: "row" }, button));
        while (row.children.length > 1) row.lastElementChild!.remove();
        row.append(...cells);
      }
      const chosen = all.find(({ method }) => method === next.recipe.method);
      notes.replaceChildren(...(chosen?.notes ?? []).map((note) => element("li", {}, capital(note))));
    },
  };
}

function cellsOf(measures: MethodMeasures, all: MethodMeasures[]): HTMLElement[] {
  if (measures.error !== null) {
    return [
      element(
        "td",
        { colspan: MEASURES.length, class: "method-error", title: measures.error },
        capital(measures.error),
      ),
    ];
  }
  return MEASURES.map((measure) => {
    const value = measure.value(measures);
    if (value === null) return element("td", { class: "muted" }, "–");
    const shows = measure.limit !== null && value > measure.limit;
    const best = JUDGED.includes(measure) && all.every((other) => (measure.value(other) ?? Infinity) >= value);
    return element(
      "td",
      { class: `${shows ? "shows" : ""} ${best ? "best" : ""}`, title: best ? "The best of all methods" : null },
      measure.written(value),
    );
  });
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
