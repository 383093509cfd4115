import { element } from "../../core/dom";
import type { WarpPreset, WarpPresetsHead } from "../../core/messages";
import type { Pack } from "../../core/packs";
import type { Studio } from "../../core/studio";
import type { WarpDesk } from "./desk";
import type { Section } from "./panel";

const SVG = "http://www.w3.org/2000/svg";
/** Seen from the right and a little from above: what is nearer lies lower and further right. */
const SLANT = { right: 0.35, down: 0.18 };
const MARGIN = 0.1;

/** Warp presets, each with a strip of what it makes of a walk. */
export function warpPresets(studio: Studio, desk: WarpDesk): Section & { load(): void } {
  const grid = element("div", { class: "warp-presets", role: "group", "aria-label": "Warp presets" });
  grid.append(element("p", { class: "warp-hint" }, "Drawing what they make of a walk…"));
  const note = element("p", { class: "warp-hint" });
  const own = element(
    "button",
    { type: "button", onclick: () => desk.change({ preset: null, amount: 1 }) },
    "Use your own keys",
  );
  const box = element(
    "details",
    { class: "preset-box" },
    element("summary", {}, "Warp presets of a walk"),
    grid,
    note,
    own,
  );
  const buttons = new Map<string, HTMLElement>();
  let asked = false;
  let item = "";

  const load = async (): Promise<void> => {
    if (asked) return;
    asked = true;
    try {
      const pack = await studio.server.pack<WarpPresetsHead>("./api/warp-presets");
      pack.head.warps.forEach((warp, n) =>
        buttons.set(
          warp.name,
          thumbnail(warp, picture(pack, n), () => take(warp.name)),
        ),
      );
      grid.replaceChildren(...buttons.values());
      mark();
    } catch (error) {
      asked = false;
      studio.sayError(error);
    }
  };
  const take = (name: string): void => desk.change({ preset: name, keys: [], times: [], keep_plants: false });
  const mark = (): void => {
    const preset = desk.shown?.recipe.preset ?? null;
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === preset));
  };
  return {
    element: box,
    /** Get the pictures: they take the server a moment, so it is best done before they are looked at. */
    load: () => void load(),
    update() {
      const { shown } = desk;
      if (!shown) return;
      const { keys, times, preset } = shown.recipe;
      const made = keys.length + times.length;
      // Opened where one has to choose; left as the user has it after that.
      if (item !== shown.item.id) box.open = made === 0 || preset !== null;
      item = shown.item.id;
      note.hidden = preset !== null || made === 0;
      note.textContent = `Choosing one takes out the ${made === 1 ? "key" : `${made} keys`} of this warp; undo brings them back.`;
      own.hidden = preset === null;
      mark();
    },
  };
}

function thumbnail({ name, sentence }: WarpPreset, strip: SVGElement, action: () => void): HTMLElement {
  const button = element("button", {
    type: "button",
    class: "warp-preset",
    title: sentence,
    "data-name": name,
    "aria-pressed": "false",
    onclick: action,
  });
  button.append(strip, element("span", {}, name));
  return button;
}

/** A few poses of a warp preset as one drawing, the later ones darker. */
function picture({ head, arrays }: Pack<WarpPresetsHead>, warp: number): SVGElement {
  const { shape, values } = arrays["poses"]!;
  const [, nPoses, nJoints] = shape as [number, number, number, number];
  const at = (pose: number, joint: number): [number, number] => {
    const start = 3 * ((warp * nPoses + pose) * nJoints + joint);
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
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
  svg.setAttribute("aria-hidden", "true");
  for (let pose = 0; pose < nPoses; pose++) {
    const path = document.createElementNS(SVG, "path");
    const bones = head.parents.map((parent, joint) =>
      parent < 0 ? "" : `M${at(pose, parent).join()}L${at(pose, joint).join()}`,
    );
    path.setAttribute("d", bones.join(""));
    path.setAttribute("opacity", String(0.35 + (0.65 * (pose + 1)) / nPoses));
    svg.append(path);
  }
  return svg;
}
