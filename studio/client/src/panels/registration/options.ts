import { element } from "../../core/dom";
import { choice, numberField } from "../../widgets/fields";
import type { Grid } from "./grid";
import type { RegistrationView, Section } from "./view";

/** How the clips are compared and brought together; fields left empty follow the profile. */
export function registrationOptions(view: RegistrationView): Section & { showUsed(grid: Grid): void } {
  let latest = view;
  const cut = choice(
    "Parts of the clips",
    { auto: "Same strides", loops: "One cycle, looped", whole: "Whole clips" },
    (value) => latest.change({ cut: value }),
  );
  const profile = choice(
    "Method",
    { default: "Motionloom", paper: "As in the paper", thesis: "As in the thesis" },
    (value) => latest.change({ profile: value }),
  );
  const slope = numberField("Slope limit", { min: 1, max: 20, step: 1 }, (value) =>
    latest.change({ slope_limit: value === null ? null : Math.max(1, Math.round(value)) }),
  );
  const frames = numberField("Window, seconds", { min: 0, max: 1, step: 0.01 }, (value) =>
    latest.change({ window: value === null ? null : Math.max(0, value) }),
  );
  slope.element.title = "How many frames of one clip a frame of the other may meet";
  frames.element.title = "How much motion to either side is compared together with a frame";
  const fields = [cut, profile, slope, frames];
  return {
    element: element("section", {}, element("h3", {}, "Options"), ...fields.map((field) => field.element)),
    update(next) {
      latest = next;
      cut.set(next.options.cut);
      profile.set(next.options.profile);
      slope.set(next.options.slope_limit);
      frames.set(next.options.window);
    },
    showUsed({ head }) {
      slope.element.querySelector("input")!.placeholder = `${head.slope_limit}, as usual`;
      frames.element.querySelector("input")!.placeholder = `${Number(head.window.toFixed(3))}, as usual`;
    },
  };
}
