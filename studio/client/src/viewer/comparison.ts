import { element } from "../core/dom";
import type { ComparedRow, PageData } from "../core/messages";
import type { Playback } from "../core/playback";
import type { Theme } from "../core/theme";
import { CurvePlot } from "../widgets/curve_plot";

/** Curves that are open at first. */
const N_OPEN = 2;

/** Curves and measurements of the compared clips, beside their figures. */
export function comparison(page: PageData, playback: Playback, theme: Theme): HTMLElement {
  return element(
    "aside",
    { class: "comparison", "aria-label": "Comparison" },
    element("h2", {}, "Curves"),
    ...page.curves.map((_, n) => curve(page, n, playback, theme)),
    element("h2", {}, "Measurements"),
    table(page),
    ...page.notes.map((note) => element("p", { class: "muted" }, note)),
  );
}

function curve(page: PageData, index: number, playback: Playback, theme: Theme): HTMLElement {
  const { name, unit, values, durations } = page.curves[index]!;
  const longest = Math.max(...page.clips.map(({ header }) => header.n_frames / header.fps));
  const plot = new CurvePlot(name, (fraction) => playback.seek(fraction * longest));
  const lines = values.flatMap((each, n) =>
    each.length === 0
      ? []
      : [{ values: each, colour: `--figure-${n % 8}`, label: page.clips[n]!.name, span: durations[n]! / longest }],
  );
  plot.set("", unit, lines);
  const follow = (): void => plot.seek(playback.time / longest);
  const box = element("details", { class: "curve" }, element("summary", {}, name), plot.element);
  box.open = index < N_OPEN;
  playback.moved.on(() => box.open && follow());
  box.addEventListener("toggle", follow);
  theme.changed.on(() => plot.draw());
  return box;
}

function table({ clips, rows }: PageData): HTMLElement {
  const hasDifference = clips.length === 2;
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Measurement"),
    ...clips.map(({ name }, n) => {
      const title = element("span", { class: "legend", style: `--dot: var(--figure-${n % 8})` }, name);
      return element("th", { scope: "col", class: "number" }, title);
    }),
    hasDifference ? element("th", { scope: "col", class: "number" }, "Difference") : null,
    element("th", { scope: "col" }, "Unit"),
  );
  const width = clips.length + (hasDifference ? 3 : 2);
  const groups = [...new Set(rows.map(({ group }) => group))];
  const body = groups.flatMap((group) => [
    element("tr", {}, element("th", { scope: "colgroup", colspan: width, class: "group" }, group)),
    ...rows.filter((each) => each.group === group).map((each) => row(each, hasDifference)),
  ]);
  return element("table", { class: "compared" }, element("thead", {}, head), element("tbody", {}, ...body));
}

function row({ name, unit, values }: ComparedRow, hasDifference: boolean): HTMLElement {
  const [first, second] = values;
  const isKnown = typeof first === "number" && typeof second === "number";
  const difference = isKnown ? second - first : null;
  const sign = difference !== null && difference > 0 ? "+" : "";
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    ...values.map((value) => element("td", { class: "number" }, format(value))),
    hasDifference ? element("td", { class: "number" }, sign + format(difference)) : null,
    element("td", {}, unit),
  );
}

/** A number to three digits; a dash where there is none. */
export function format(value: number | null): string {
  if (value === null) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
