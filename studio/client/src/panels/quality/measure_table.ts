import { element } from "../../core/dom";
import type { MeasurementRow, Quality } from "../../core/messages";

/** Groups of measures that planting affects come first, so that they are seen without scrolling. */
const FIRST_GROUPS = ["plants", "feet", "stances", "posture", "changes"];

/** Smaller values are rounding errors, in any unit. */
const ROUNDING = 1e-6;

/** Measures in groups; with a column for the values before planting, if there are any. */
export function measureTable({ rows }: Quality): HTMLElement {
  const hasBefore = rows.some(({ before }) => before !== null);
  const columns = hasBefore ? ["", "before", "after", ""] : ["", "", ""];
  const groups = [...new Set([...FIRST_GROUPS, ...rows.map(({ group }) => group)])];
  return element(
    "table",
    { class: "measures" },
    element("caption", { class: "hidden-text" }, "Measures"),
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
    ...groups
      .map((name) => ({ name, members: rows.filter(({ group }) => group === name) }))
      .filter(({ members }) => members.length > 0)
      .map(({ name, members }) =>
        element(
          "tbody",
          {},
          element("tr", {}, element("th", { scope: "rowgroup", colspan: columns.length }, name)),
          ...members.map((row) => measureRow(row, hasBefore)),
        ),
      ),
  );
}

function measureRow({ name, unit, before, after }: MeasurementRow, hasBefore: boolean): HTMLElement {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    ...(hasBefore ? [element("td", {}, formatMeasure(before))] : []),
    element("td", {}, formatMeasure(after)),
    element("td", { class: "unit" }, unit),
  );
}

/** Three significant digits, a dash for missing values. */
function formatMeasure(value: number | null): string {
  if (value === null) return "–";
  if (Math.abs(value) < ROUNDING) return "0";
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
