import { element } from "../../core/dom";
import type { ExportOption } from "../../core/messages";
import type { ExportSettings } from "../../core/server";
import type { Studio } from "../../core/studio";
import { choice, numberField } from "../../widgets/fields";

/** Length units of files; "" leaves that of the clip. */
const UNITS = { "": "As it is", m: "Metres", cm: "Centimetres", mm: "Millimetres", in: "Inches" };
/** Vertical axes of files; "" leaves that of the clip. */
const AXES = { "": "As it is", y: "Y", z: "Z" };

/** Fields for what an export changes. */
export interface SettingFields {
  element: HTMLElement;
  /** Show the settings that apply to a format, and the frames of the selected clip. */
  update: (format: ExportOption | undefined, several: boolean) => void;
  /** The settings that apply. */
  values: () => ExportSettings;
}

/** Frames, frame rate, unit and vertical axis of an export; empty fields leave them as they are. */
export function settingFields(studio: Studio, onChange: () => void): SettingFields {
  const values: Record<"fps" | "unit" | "up" | "first" | "last", string> = {
    fps: "",
    unit: "",
    up: "",
    first: "",
    last: "",
  };
  let applied: string[] = [];
  /** The clip whose frames are chosen. */
  let framesOf: string | null = null;
  const set = (name: keyof typeof values, value: string): void => {
    values[name] = value;
    onChange();
  };
  const number = (name: keyof typeof values, label: string, min: number): HTMLElement =>
    numberField(label, { min, placeholder: "all" }, (value) => set(name, value === null ? "" : String(value))).element;
  const first = number("first", "First frame", 0);
  const last = number("last", "Last frame", 0);
  const rate = numberField("Frame rate", { min: 1, max: 240, placeholder: "as it is" }, (value) =>
    set("fps", value === null ? "" : String(value)),
  ).element;
  const unit = choice("Unit", UNITS, (value) => set("unit", value)).element;
  const up = choice("Up axis", AXES, (value) => set("up", value)).element;
  const inputs = [first, last].map((field) => field.querySelector("input")!);
  const clearFrames = (): void => {
    values.first = values.last = "";
    for (const input of inputs) input.value = "";
  };
  return {
    element: element("div", { class: "export-settings" }, first, last, rate, unit, up),
    update: (format, several) => {
      applied = format?.options ?? [];
      rate.hidden = !applied.includes("fps");
      unit.hidden = !applied.includes("unit");
      up.hidden = !applied.includes("up");
      // Several clips have different lengths.
      first.hidden = last.hidden = several;
      const id = studio.selected?.id ?? null;
      if (id !== framesOf) clearFrames();
      framesOf = id;
      const motion = id === null ? null : studio.motion(id);
      inputs.forEach((input, n) => {
        input.placeholder = motion ? String(n === 0 ? 0 : motion.nFrames - 1) : "";
        input.max = motion ? String(motion.nFrames - 1) : "";
      });
    },
    values: () => {
      const chosen: ExportSettings = {};
      for (const name of ["fps", "unit", "up"] as const) {
        if (applied.includes(name) && values[name]) chosen[name] = values[name];
      }
      if (!first.hidden && (values.first || values.last)) {
        chosen.first = values.first || "0";
        chosen.last = values.last || inputs[1]!.placeholder;
      }
      return chosen;
    },
  };
}
