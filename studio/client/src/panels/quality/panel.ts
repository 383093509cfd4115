import { element, isVisible, setBusy, showOnly } from "../../core/dom";
import { LatestRequest } from "../../core/latest_request";
import type { EnforceRecipe, Item, Quality } from "../../core/messages";
import { ENFORCE_FIELDS } from "../../core/options";
import type { Panel } from "../../core/panel";
import { newEnforce } from "../../core/recipes";
import { RequestError } from "../../core/server";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { CurvePlot } from "../../widgets/curve_plot";
import { optionFields } from "../../widgets/option_fields";
import { cleanUp, type Control } from "./clean_up";
import { measureTable } from "./measure_table";

const HELP =
  "Measures the motion of the selected clip, in numbers and over time. Clean up repairs single frames that capture got " +
  "wrong. Planting holds feet where they stand; the table then shows every measure before and after. Click a curve to " +
  "move the playhead.";

/** Measures of the selected clip, before and after planting. */
export function qualityPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body quality-panel" });
  const status = element("p", { class: "status", role: "status" });
  const results = element("div", { class: "quality-results" });
  const plots = new Map<string, CurvePlot>();
  /** What can be done about the selected clip; null until it is measured. */
  let controls: Control[] | null = null;
  /** Why the selected clip could not be measured. */
  let failure: string | null = null;
  /** How often another clip was selected; whatever was answered before is asked again. */
  let nSelected = 0;
  let isMeasuring = false;
  let wasVisible = false;

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
  const show = (): void => {
    const item = studio.selected;
    const { working, error } = studio.progressOf(item?.id ?? "");
    const isComputing = item !== null && error === null && (working || !studio.motion(item.id));
    const reason = error ?? failure;
    status.classList.toggle("bad", reason !== null);
    if (!item) status.textContent = "Select a clip to measure it.";
    else if (reason !== null) status.textContent = capitalize(reason);
    else if (controls) status.textContent = "";
    else status.textContent = isComputing ? "Computing the clip…" : "Measuring the clip…";
    setBusy(box, isMeasuring || isComputing);
    showOnly(box, status, ...(controls ? [...controls.map((control) => control.element), results] : []));
  };
  const request = new LatestRequest<{ item: Item; quality: Quality }>({
    key: () => {
      const { selected } = studio;
      const motion = selected && studio.motion(selected.id);
      return motion && `${nSelected} ${selected.id} ${motion.key}`; // equal clips have equal keys
    },
    subject: () => studio.selected && studio.selected.id,
    ask: async () => {
      const item = studio.selected!;
      failure = null;
      return { item, quality: await studio.server.quality(item.id) };
    },
    receive: ({ item, quality }) => {
      controls ??= [plantControl(studio, item), cleanUp(studio, item.id)];
      controls.forEach((control) => control.update(item, quality));
      results.replaceChildren(
        ...quality.notes.map((note) => hint(`${note}.`)),
        measureTable(quality),
        ...quality.unmeasured.map(hint),
        ...curves(quality),
      );
      show();
      follow();
    },
    fail: (error) => {
      failure = error instanceof RequestError ? error.message : "the clip could not be measured";
      studio.sayErrorAbout(studio.selected?.id ?? "", error);
      show();
    },
    busy: (isBusy) => {
      isMeasuring = isBusy;
      show();
    },
  });
  const refresh = (): void => {
    if (!isVisible(box)) return; // measured when the tab is opened
    void request.update();
    show();
  };

  studio.selectionChanged.on(() => {
    // What is shown, and its buttons, are about another clip.
    [controls, failure] = [null, null];
    nSelected++;
    refresh();
  });
  studio.documentChanged.on(() => controls?.forEach((control) => control.follow?.()));
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) refresh();
  });
  studio.playback.moved.on(follow);
  studio.theme.changed.on(() => plots.forEach((plot) => plot.draw()));
  new ResizeObserver(() => {
    if (isVisible(box) && !wasVisible) refresh(); // the tab was opened
    wasVisible = isVisible(box);
  }).observe(box);
  return { id: "quality", title: "Quality", help: HELP, element: box };
}

function hint(text: string): HTMLElement {
  return element("p", { class: "hint" }, capitalize(text));
}

/** How the feet of a planted copy are held. */
function plantedOptions(studio: Studio, id: string): Control {
  const recipe = (): EnforceRecipe => studio.item(id)?.recipe as EnforceRecipe;
  const fields = optionFields<EnforceRecipe>(ENFORCE_FIELDS, (changes) => {
    if (studio.item(id)) studio.setRecipe(id, { ...recipe(), ...changes });
  });
  const follow = (): void => {
    if (studio.item(id)) fields.set(recipe());
  };
  follow();
  const box = element("div", { class: "option-fields" }, hint("The feet of this clip are planted."), fields.element);
  return { element: box, update: follow, follow };
}

/** Blends and transitions plant their own feet; other clips get a planted copy. */
function plantControl(studio: Studio, { id, recipe: { type } }: Item): Control {
  if (type === "enforce") return plantedOptions(studio, id);
  if (type !== "blend" && type !== "transition") {
    const copy = (): void => studio.add(`${studio.item(id)?.name} planted`, newEnforce(id));
    const button = element("button", { type: "button", class: "primary", onclick: copy }, "Create planted copy");
    return { element: button, update: () => undefined };
  }
  const toggle = (): void => {
    const now = studio.item(id)?.recipe; // may have changed since it was measured
    if (now?.type === type) studio.setRecipe(id, { ...now, plant: !now.plant });
  };
  const button = element("button", { type: "button", onclick: toggle });
  const follow = (): void => {
    const now = studio.item(id)?.recipe;
    const isPlanted = now?.type === type && now.plant;
    button.textContent = isPlanted ? "Turn planting off" : "Plant feet";
    button.classList.toggle("primary", !isPlanted);
  };
  return { element: button, update: follow, follow };
}
