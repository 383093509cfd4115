import { element } from "../core/dom";
import type { Figure, Item, Quality } from "../core/messages";
import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { CurvePlot } from "../widgets/curve_plot";

const HELP =
  "What is good and what is not about the motion of the selected clip, in numbers and over time. Plant the feet " +
  "makes feet stay where they stand; figures before and after are shown side by side.";

/** Groups of figures that planting is about: they are seen without scrolling. */
const FIRST = ["plants", "feet"];

/** Smaller figures are rounding, in any of their units. */
const NOTHING = 1e-6;

/** Measures of the selected clip, before and after its feet were planted. */
export function qualityPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body quality-panel" });
  const plots = new Map<string, CurvePlot>();
  let shown = "";

  const seek = (share: number): void => studio.playback.seek(share * studio.playback.duration);
  const follow = (): void => {
    const { time, duration } = studio.playback;
    for (const plot of plots.values()) plot.seek(duration ? time / duration : 0);
  };
  const refresh = async (): Promise<void> => {
    const item = studio.selected;
    const motion = item && studio.motion(item.id);
    if (!box.offsetParent) return; // measured when somebody looks
    if (!item || !motion) {
      shown = "";
      box.replaceChildren(element("p", { class: "hint" }, "Select a clip to see its measures."));
      return;
    }
    if (shown === motion.key) return;
    shown = motion.key;
    box.setAttribute("aria-busy", "true");
    try {
      const quality = await studio.server.quality(item.id);
      if (shown !== motion.key) return;
      box.replaceChildren(planting(studio, item), table(quality), ...absent(quality), ...curves(quality));
      follow();
    } catch (error) {
      shown = "";
      studio.sayErrorAbout(item.id, error);
    } finally {
      box.removeAttribute("aria-busy");
    }
  };
  const curves = (quality: Quality): HTMLElement[] =>
    Object.keys(quality.curves).map((name) => {
      const plot = plots.get(name) ?? new CurvePlot(name, seek);
      plots.set(name, plot);
      const before = quality.curves_before[name];
      plot.set(name, quality.units[name] ?? "", [
        ...(before ? [{ values: before, colour: "--muted", label: "before", faint: true }] : []),
        { values: quality.curves[name]!, colour: "--accent", label: before ? "planted" : "" },
      ]);
      return plot.element;
    });

  studio.selectionChanged.on(() => void refresh());
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) void refresh();
  });
  studio.playback.moved.on(follow);
  studio.theme.changed.on(follow); // which draws anew
  new ResizeObserver(() => void refresh()).observe(box); // also tells when the tab is opened
  return { id: "quality", title: "Quality", help: HELP, element: box };
}

function planting(studio: Studio, item: Item): HTMLElement {
  const { recipe } = item;
  if (recipe.type === "enforce") return element("p", { class: "hint" }, "The feet of this clip are planted.");
  if (recipe.type === "blend" || recipe.type === "transition") {
    const toggle = (): void => studio.setRecipe(item.id, { ...recipe, plant: !recipe.plant });
    return recipe.plant ? button("Let the feet go", "", toggle) : button("Plant the feet", "primary", toggle);
  }
  return button("Plant the feet", "primary", () =>
    studio.do({
      type: "add",
      name: `${item.name} planted`,
      recipe: { type: "enforce", source: item.id, ground: null, stretch: null },
    }),
  );
}

function button(words: string, look: string, action: () => void): HTMLElement {
  return element("button", { type: "button", class: look, onclick: action }, words);
}

/** Figures in groups; a column for what was before, where feet were planted. */
function table({ figures }: Quality): HTMLElement {
  const both = figures.some(({ before }) => before !== null);
  const head = element(
    "tr",
    {},
    ...["", ...(both ? ["before"] : []), both ? "planted" : "", ""].map((word) =>
      element("th", { scope: "col" }, word),
    ),
  );
  const found = new Set([...FIRST, ...figures.map(({ group }) => group)]);
  const groups = [...found].filter((name) => figures.some(({ group }) => group === name));
  return element(
    "table",
    { class: "figures" },
    element("caption", { class: "hidden-text" }, "Measures"),
    element("thead", {}, head),
    ...groups.map((group) =>
      element(
        "tbody",
        {},
        element("tr", {}, element("th", { scope: "rowgroup", colspan: both ? 4 : 3 }, group)),
        ...figures.filter((figure) => figure.group === group).map((figure) => row(figure, both)),
      ),
    ),
  );
}

function row({ name, unit, before, after }: Figure, both: boolean): HTMLElement {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    ...(both ? [element("td", {}, written(before))] : []),
    element("td", {}, written(after)),
    element("td", { class: "unit" }, unit),
  );
}

function absent({ absent }: Quality): HTMLElement[] {
  return absent.map((reason) => element("p", { class: "hint" }, reason));
}

function written(value: number | null): string {
  if (value === null) return "–";
  if (Math.abs(value) < NOTHING) return "0";
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
