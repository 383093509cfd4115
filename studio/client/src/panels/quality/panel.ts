import { element, isVisible, setBusy } from "../../core/dom";
import { LatestRequest } from "../../core/latest_request";
import type { MeasurementRow, Item, Quality } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { newEnforce } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { cleanUp } from "./clean_up";
import { capitalize } from "../../core/text";
import { CurvePlot } from "../../widgets/curve_plot";

const HELP =
  "Measures the motion of the selected clip, in numbers and over time. Clean up mends single frames that capture got " +
  "wrong. Planting holds feet where they stand; the table then shows every measure before and after. Click a curve to " +
  "move the playhead.";

/** Groups of measures that planting affects come first, so that they are seen without scrolling. */
const FIRST_GROUPS = ["plants", "feet"];

/** Smaller values are rounding errors, in any unit. */
const ROUNDING = 1e-6;

/** Measures of the selected clip, before and after planting. */
export function qualityPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body quality-panel" });
  const plots = new Map<string, CurvePlot>();

  const seek = (fraction: number): void => studio.playback.seek(fraction * studio.playback.duration);
  const follow = (): void => {
    const { time, duration } = studio.playback;
    for (const plot of plots.values()) plot.seek(duration ? time / duration : 0);
  };
  const curves = (quality: Quality): HTMLElement[] =>
    Object.keys(quality.curves).map((name) => {
      const plot = plots.get(name) ?? new CurvePlot(name, seek);
      plots.set(name, plot);
      const before = quality.curves_before[name];
      plot.set(name, quality.units[name] ?? "", [
        ...(before ? [{ values: before, colour: "--muted", label: "before", faint: true }] : []),
        { values: quality.curves[name]!, colour: "--accent", label: before ? "after" : "" },
      ]);
      return plot.element;
    });
  const request = new LatestRequest<{ item: Item; quality: Quality }>({
    key: () => {
      const { selected } = studio;
      const motion = selected && studio.motion(selected.id);
      return motion && `${selected.id} ${motion.key}`; // equal clips have equal keys
    },
    subject: () => studio.selected && studio.selected.id,
    ask: async () => {
      const item = studio.selected!;
      return { item, quality: await studio.server.quality(item.id) };
    },
    receive: ({ item, quality }) => {
      const hint = (text: string): HTMLElement => element("p", { class: "hint" }, capitalize(text));
      box.replaceChildren(
        plantButton(studio, item),
        cleanUp(studio, item, quality),
        ...quality.notes.map((note) => hint(`${note}.`)),
        measureTable(quality),
        ...quality.unmeasured.map(hint),
        ...curves(quality),
      );
      follow();
    },
    fail: (error) => studio.sayErrorAbout(studio.selected?.id ?? "", error),
    busy: (isBusy) => setBusy(box, isBusy),
  });
  const refresh = (): void => {
    if (!isVisible(box)) return; // measured when the tab is opened
    const isReady = studio.selected !== null && studio.motion(studio.selected.id) !== null;
    if (!isReady) box.replaceChildren(element("p", { class: "hint" }, "Select a clip to measure it."));
    void request.update();
  };

  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) refresh();
  });
  studio.playback.moved.on(follow);
  studio.theme.changed.on(follow); // draws again
  new ResizeObserver(refresh).observe(box); // also fires when the tab is opened
  return { id: "quality", title: "Quality", help: HELP, element: box };
}

/** Blends and transitions plant their own feet; other clips get a planted copy. */
function plantButton(studio: Studio, item: Item): HTMLElement {
  const { recipe } = item;
  if (recipe.type === "enforce") return element("p", { class: "hint" }, "The feet of this clip are planted.");
  if (recipe.type === "blend" || recipe.type === "transition") {
    const toggle = (): void => {
      const now = studio.item(item.id)?.recipe; // may have changed since it was measured
      if (now?.type === recipe.type) studio.setRecipe(item.id, { ...now, plant: !recipe.plant });
    };
    return recipe.plant ? button("Turn planting off", "", toggle) : button("Plant feet", "primary", toggle);
  }
  return button("Create planted copy", "primary", () => studio.add(`${item.name} planted`, newEnforce(item.id)));
}

function button(label: string, className: string, action: () => void): HTMLElement {
  return element("button", { type: "button", class: className, onclick: action }, label);
}

/** Measures in groups; with a column for the values before planting, if there are any. */
function measureTable({ rows }: Quality): HTMLElement {
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
export function formatMeasure(value: number | null): string {
  if (value === null) return "–";
  if (Math.abs(value) < ROUNDING) return "0";
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
