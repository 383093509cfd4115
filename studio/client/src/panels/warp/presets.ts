import { element, svgElement } from "../../core/dom";
import type { WarpPreset, WarpPresetsHeader } from "../../core/messages";
import type { Pack } from "../../core/packs";
import type { Section } from "../../core/panel";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import type { WarpEditor } from "./editor";

/** An oblique view from the right: nearer points lie lower and further right. */
const SLANT = { right: 0.35, down: 0.18 };
const MARGIN = 0.1;

/** Previews of all presets, which the server needs a moment to compute. */
export interface Previews {
  readonly loaded: Signal;
  /** Load the previews once. */
  load: () => void;
  readonly pack: Pack<WarpPresetsHeader> | null;
}

export function loadPreviews(studio: Studio): Previews {
  const loaded = new Signal();
  let isRequested = false;
  let pack: Pack<WarpPresetsHeader> | null = null;
  const load = async (): Promise<void> => {
    if (isRequested) return;
    isRequested = true;
    try {
      pack = await studio.server.pack<WarpPresetsHeader>("./api/warp-presets");
      loaded.emit();
    } catch (error) {
      isRequested = false;
      studio.sayError(error);
    }
  };
  return {
    loaded,
    load: () => void load(),
    get pack() {
      return pack;
    },
  };
}

/** Warp presets, each with a preview on a walk. */
export function warpPresets(editor: WarpEditor, previews: Previews): Section<"warp"> {
  const grid = element("div", { class: "warp-presets", role: "group", "aria-label": "Warp presets" });
  grid.append(element("p", { class: "hint" }, "Loading previews…"));
  const note = element("p", { class: "hint" });
  const useKeys = element(
    "button",
    { type: "button", onclick: () => editor.change({ preset: null, amount: 1 }) },
    "Use your own keys",
  );
  const summary = element("summary", {}, "Presets for walks");
  const box = element("details", { class: "preset-box" }, summary, grid, note, useKeys);
  const buttons = new Map<string, HTMLElement>();

  const build = (pack: Pack<WarpPresetsHeader>): void => {
    pack.header.warps.forEach((preset, n) => {
      const choose = (): void =>
        editor.change({ preset: preset.name, keys: [], times: [], keep_plants: false, saved: null });
      buttons.set(preset.name, presetButton(preset, drawPreview(pack, n), choose));
    });
    grid.replaceChildren(...buttons.values());
  };
  // Open if the user has to choose something; after that it stays as the user leaves it.
  const { keys, times, preset } = editor.recipe;
  box.open = keys.length + times.length === 0 || preset !== null;
  return {
    element: box,
    update: ({ recipe }) => {
      if (previews.pack && buttons.size === 0) build(previews.pack);
      const count = recipe.keys.length + recipe.times.length;
      note.hidden = recipe.preset !== null || count === 0;
      note.textContent = `Choosing a preset removes the ${count === 1 ? "key" : `${count} keys`} of this warp.`;
      useKeys.hidden = recipe.preset === null;
      for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === recipe.preset));
    },
  };
}

function presetButton({ name, description }: WarpPreset, preview: SVGElement, action: () => void): HTMLElement {
  const button = element("button", {
    type: "button",
    class: "warp-preset",
    title: description,
    "data-name": name,
    "aria-pressed": "false",
    onclick: action,
  });
  button.append(preview, element("span", {}, name));
  return button;
}

/** Draw a few poses of a preset, later ones darker. */
function drawPreview({ header, arrays }: Pack<WarpPresetsHeader>, preset: number): SVGElement {
  const { shape, values } = arrays["poses"]!;
  const [, nPoses, nJoints] = shape as [number, number, number, number];
  const at = (pose: number, joint: number): [number, number] => {
    const start = 3 * ((preset * nPoses + pose) * nJoints + joint);
    const [x, y, z] = [values[start]!, values[start + 1]!, values[start + 2]!];
    return [z - SLANT.right * x, -y - SLANT.down * x];
  };
  const points = Array.from({ length: nPoses * nJoints }, (_, n) => at(Math.floor(n / nJoints), n % nJoints));
  const [left, top] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis]!)) - MARGIN) as [
    number,
    number,
  ];
  const [right, bottom] = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis]!)) + MARGIN) as [
    number,
    number,
  ];
  const paths = Array.from({ length: nPoses }, (_, pose) => {
    const bones = header.parents.map((parent, joint) =>
      parent < 0 ? "" : `M${at(pose, parent).join()}L${at(pose, joint).join()}`,
    );
    return svgElement("path", { d: bones.join(""), opacity: 0.35 + (0.65 * (pose + 1)) / nPoses });
  });
  const viewBox = `${left} ${top} ${right - left} ${bottom - top}`;
  return svgElement("svg", { viewBox, "aria-hidden": "true" }, ...paths);
}
