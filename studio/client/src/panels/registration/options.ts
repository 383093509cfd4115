import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import { choice, numberField } from "../../widgets/fields";
import { CLIP_RANGES, TIME_ALIGNMENTS } from "../../widgets/recipe_labels";
import type { RegistrationEditor } from "./editor";

/** Settings of the registration; empty fields use the profile's values. */
export function registrationOptions(editor: RegistrationEditor): Section<"blend"> {
  const cut = choice("Clip range", CLIP_RANGES, (value) => editor.change({ cut: value }));
  const profile = choice(
    "Profile",
    { default: "Default", paper: "As in the paper", thesis: "As in the thesis" },
    (value) => editor.change({ profile: value }),
  );
  const slope = numberField("Slope limit", { min: 1, max: 20, step: 1 }, (value) =>
    editor.change({ slope_limit: value === null ? null : Math.max(1, Math.round(value)) }),
  );
  const window = numberField("Window (s)", { min: 0, max: 1, step: 0.01 }, (value) =>
    editor.change({ window: value === null ? null : Math.max(0, value) }),
  );
  const alignment = choice("Time alignment", TIME_ALIGNMENTS, (value) => editor.change({ alignment: value }));
  alignment.element.title = "Window by window suits clips that agree in parts only";
  slope.element.title = "How many frames of one clip may match a single frame of the other";
  window.element.title = "Seconds of motion that are compared around each frame";
  const fields = [cut, profile, alignment, slope, window];
  return {
    element: element("section", {}, element("h3", {}, "Options"), ...fields.map((field) => field.element)),
    update: () => {
      const { options, grid } = editor;
      cut.set(options.cut);
      profile.set(options.profile);
      alignment.set(options.alignment);
      slope.set(options.slope_limit);
      window.set(options.window);
      if (!grid) return;
      slope.element.querySelector("input")!.placeholder = `${grid.header.slope_limit} (default)`;
      window.element.querySelector("input")!.placeholder = `${Number(grid.header.window.toFixed(3))} (default)`;
    },
  };
}
