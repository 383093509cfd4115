import { element, isVisible, setBusy } from "../../core/dom";
import type { Table } from "../../core/packs";
import { type Panel, recipePanel, type RecipePanel, type Section, statusLine } from "../../core/panel";
import { newWarp } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { percent } from "../../core/text";
import { type Curve, CurvePlot } from "../../widgets/curve_plot";
import { checkbox, slider } from "../../widgets/fields";
import { WarpEditor } from "./editor";
import { keyFields } from "./key_fields";
import { keyList } from "./key_list";
import { loadPreviews, warpPresets } from "./presets";
import { savedWarp } from "./saved_warp";
import { timeKeys } from "./time_keys";

const HELP =
  "A warp edits a clip with a few pose keys and keeps the detail of its motion. Select a warp, or create one from the " +
  "selected clip. Pick a joint here or in the viewport, move the playhead, and rotate or drag the joint to set a key. " +
  "Time keys move moments earlier or later, and presets change a walk in one click.";

const AXES = [
  { label: "x", colour: "--figure-7" },
  { label: "y", colour: "--figure-5" },
  { label: "z", colour: "--figure-0" },
];

/** Pose keys, time keys and presets of the selected warp. */
export function warpPanel(studio: Studio): Panel {
  const editor = new WarpEditor(studio, (isBusy) => setBusy(panel.element, isBusy));
  const previews = loadPreviews(studio);
  const panel: RecipePanel = recipePanel(studio, {
    id: "warp",
    title: "Warp",
    help: HELP,
    kind: "warp",
    empty: createWarp(studio),
    prepare: (view) => {
      previews.load();
      editor.update(view);
    },
    build: (view) => {
      editor.update(view);
      return [
        statusLine<"warp">(() => editor.curves?.header.notes.join(" ") ?? ""),
        warpPresets(editor, previews),
        keyFields(editor),
        keyList(editor),
        savedWarp(editor),
        strength(editor),
        jointPlot(editor),
        timeKeys(editor),
      ];
    },
  });
  editor.changed.on(panel.refresh);
  previews.loaded.on(panel.refresh);
  studio.jointPicked.on(({ item, joint }) => {
    if (item === studio.selected?.id && studio.selected.recipe.type === "warp" && isVisible(panel.element)) {
      editor.choose(joint);
    }
  });
  return panel;
}

/** The strength of the keys, and whether planted feet stay in place. */
function strength(editor: WarpEditor): Section<"warp"> {
  const amount = slider(
    "Strength",
    { min: 0, max: 2, step: 0.05 },
    (value) => editor.change({ amount: value }),
    percent,
  );
  const plants = checkbox("Keep planted feet and hands in place", (checked) => editor.change({ keep_plants: checked }));
  return {
    element: element("section", { class: "warp-strength" }, amount.element, plants.element),
    update: ({ recipe }) => {
      amount.set(recipe.amount);
      plants.set(recipe.keep_plants);
      plants.element.hidden = recipe.preset !== null; // presets always keep them
    },
  };
}

/** Shown while no warp is selected. */
function createWarp(studio: Studio): { element: HTMLElement; update: () => void } {
  const hint = element("p", { class: "hint" });
  const add = (): void => {
    const item = studio.selected;
    if (item) studio.add(`${item.name} warped`, newWarp(item.id));
  };
  const create = element("button", { type: "button", class: "primary", onclick: add });
  return {
    element: element("div", { class: "empty-state" }, hint, create),
    update: () => {
      const item = studio.selected;
      const state = item ? `${item.name} is not a warp.` : "No clip is selected.";
      hint.textContent = `${state} A warp edits a copy of a clip with a few pose keys; the original stays unchanged.`;
      create.textContent = item ? `Warp ${item.name}` : "Select a clip first";
      create.disabled = item === null;
    },
  };
}

/** The chosen joint over time: original (dashed) and warped. */
function jointPlot(editor: WarpEditor): Section<"warp"> {
  const { playback } = editor.studio;
  const plot = new CurvePlot("", (fraction) => playback.seek(fraction * playback.duration));
  const follow = (): void => plot.seek(playback.duration ? playback.time / playback.duration : 0);
  return {
    element: element("section", {}, element("h3", {}, "Before and after"), plot.element),
    follow,
    repaint: () => plot.draw(),
    update: () => {
      const arrays = editor.jointCurves?.arrays;
      const isPosition = editor.kind === "reach" || editor.kind === "move";
      const names = isPosition ? ["original_positions", "warped_positions"] : ["original", "warped"];
      const [before, after] = names.map((name) => arrays?.[name]);
      if (!before || !after) return;
      const factor = isPosition ? 1 : 180 / Math.PI;
      plot.set(`${editor.joint} (dashed: original)`, isPosition ? "m" : "°", [
        ...AXES.map(
          (axis, n) => ({ ...axis, label: "", values: column(before, n, factor), faint: true }) satisfies Curve,
        ),
        ...AXES.map((axis, n) => ({ ...axis, values: column(after, n, factor) }) satisfies Curve),
      ]);
      follow();
    },
  };
}

function column({ shape, values }: Table, n: number, factor: number): number[] {
  const width = shape[1]!;
  return Array.from({ length: shape[0]! }, (_, row) => values[row * width + n]! * factor);
}
