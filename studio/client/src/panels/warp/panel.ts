import "../../style/warp.css";
import { element, showOnly } from "../../core/dom";
import type { Item } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { newWarp } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { checkbox, slider } from "../../widgets/fields";
import { WarpDesk } from "./desk";
import { keyFields } from "./key_fields";
import { keyList } from "./key_list";
import { jointPlot } from "./plot";
import { poseByHandle } from "./posing";
import { warpPresets } from "./presets";
import { timeKeys } from "./time_keys";

/** A part of the panel, built once and brought up to date after every change. */
export interface Section {
  element: HTMLElement;
  update(): void;
  /** Go along with the playhead. */
  follow?(): void;
}

const HELP =
  "A warp reshapes a clip with a few keys and keeps the details of its motion. Select a warp, or make one of the " +
  "selected clip. Pick a joint here or in the viewport, put the playhead somewhere, and turn it or drag it: that sets " +
  "a key. Moments below moves things in time. Warp presets change a walk at once.";

/** Keys, moments and warp presets of the selected warp. */
export function warpPanel(studio: Studio): Panel {
  const box = element("div", { class: "warp-panel" });
  const isSeen = (): boolean => box.offsetParent !== null;
  const desk = new WarpDesk(studio, isSeen);
  const status = element("p", { class: "warp-status", role: "status" });
  const fresh = offer(studio);
  const presets = warpPresets(studio, desk);
  const own = [keyFields(desk), keyList(desk)];
  const plot = jointPlot(studio, desk);
  const times = timeKeys(studio, desk);
  const strength = options(desk);
  const sections = [presets, ...own, plot, times, strength];
  const all = [presets.element, ...own.map(({ element }) => element), strength.element, plot.element, times.element];

  const refresh = (): void => {
    const { shown } = desk;
    if (!shown) {
      fresh.update(studio.selected);
      showOnly(box, fresh.element);
      return;
    }
    showOnly(box, status, ...all);
    const { error } = studio.progressOf(shown.item.id);
    status.classList.toggle("bad", error !== null);
    status.textContent = error ?? desk.curves?.head.notes.join(" ") ?? "";
    status.hidden = status.textContent === "";
    for (const { element } of [...own, times]) element.hidden = shown.recipe.preset !== null;
    sections.forEach((section) => section.update());
  };
  const follow = (): void => {
    void desk.fetch();
    refresh();
  };
  studio.documentChanged.on(follow);
  studio.selectionChanged.on(follow);
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) follow();
  });
  studio.jointPicked.on(({ item, joint }) => {
    if (item === desk.shown?.item.id && isSeen()) desk.choose(joint);
  });
  studio.playback.moved.on(() => {
    if (isSeen() && desk.shown) sections.forEach((section) => section.follow?.());
  });
  desk.changed.on(refresh);
  poseByHandle(studio, desk, isSeen);
  new ResizeObserver(() => {
    // Also tells when the tab is opened or left.
    if (isSeen()) presets.load();
    follow();
    desk.changed.emit();
  }).observe(box);
  refresh();
  return { id: "warp", title: "Warp", help: HELP, element: box };
}

/** How much of the keys is done, and whether planted feet stay. */
function options(desk: WarpDesk): Section {
  const amount = slider(
    "Strength",
    { min: 0, max: 2, step: 0.05 },
    (value) => desk.change({ amount: value }),
    (value) => `${Math.round(100 * value)} %`,
  );
  const plants = checkbox("Keep planted feet and hands in place", (checked) => desk.change({ keep_plants: checked }));
  return {
    element: element("section", { class: "warp-strength" }, amount.element, plants.element),
    update() {
      const recipe = desk.shown?.recipe;
      if (!recipe) return;
      amount.set(recipe.amount);
      plants.set(recipe.keep_plants);
      plants.element.hidden = recipe.preset !== null; // warp presets always keep them
    },
  };
}

/** What is shown while no warp is selected. */
function offer(studio: Studio): { element: HTMLElement; update(item: Item | null): void } {
  const hint = element("p", { class: "warp-hint" });
  const add = (): void => {
    const item = studio.selected;
    if (item) studio.do({ type: "add", name: `${item.name} warped`, recipe: newWarp(item.id) });
  };
  const make = element("button", { type: "button", class: "primary", onclick: add });
  return {
    element: element("div", {}, hint, make),
    update(item) {
      const words = item ? `${item.name} is no warp.` : "No clip is selected.";
      hint.textContent = `${words} A warp reshapes one clip with a few keys; the clip itself stays as it is.`;
      make.textContent = item ? `Warp ${item.name}` : "Select a clip first";
      make.disabled = item === null;
    },
  };
}
