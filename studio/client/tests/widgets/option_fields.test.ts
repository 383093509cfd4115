import { expect, test } from "vitest";
import { BLEND_DEFAULTS, BLEND_FIELDS, REGISTRATION_DEFAULTS, REGISTRATION_FIELDS } from "../../src/core/options";
import { optionFields, pickOptions } from "../../src/widgets/option_fields";

/** The fields of options, what they report, and a way to type into one by its label. */
function openFields(options: Parameters<typeof optionFields>[0]) {
  const heard: object[] = [];
  const fields = optionFields(options, (changes) => heard.push(changes));
  const control = (label: string): HTMLInputElement | HTMLSelectElement => {
    const found = [...fields.element.querySelectorAll("label")].find((each) => each.textContent.startsWith(label));
    return found!.querySelector<HTMLInputElement | HTMLSelectElement>("input, select")!;
  };
  const type = (label: string, text: string): unknown => {
    control(label).value = text;
    control(label).dispatchEvent(new Event("change"));
    return heard.pop();
  };
  return { fields, heard, control, type };
}

test("what is typed becomes a value of the option", () => {
  const { type } = openFields(REGISTRATION_FIELDS);
  expect(type("Slope limit", "2.4")).toEqual({ slope_limit: 2 });
  expect(type("Window", "9")).toEqual({ window: 2 });
  expect(type("Window", "")).toEqual({ window: null });
  expect(type("Points", "joints")).toEqual({ points: "joints" });
  expect(type("Points", "40")).toEqual({ points: 40 });
  expect(type("Start frames", "30, 42")).toEqual({ start: [30, 42] });
  expect(type("End frames", "free")).toEqual({ end: "free" });
  expect(type("Events", "strike, apex")).toEqual({ events: ["strike", "apex"] });
  expect(type("Alignment rule", "thesis")).toEqual({ form: "thesis" });
  expect(type("Alignment rule", "")).toEqual({ form: null });
});

test("text that cannot be right changes nothing, and the field says so", () => {
  const { type, control } = openFields(REGISTRATION_FIELDS);
  expect(type("Points", "few")).toBeUndefined();
  expect((control("Points") as HTMLInputElement).validationMessage).not.toBe("");
  expect(type("Points", "")).toEqual({ points: null });
});

test("angles are degrees in fields and radians in recipes", () => {
  const { fields, type, control } = openFields(pickOptions(BLEND_FIELDS, "place", "joint_weights"));
  const { place } = type("Start at", "90, 1, -2") as { place: number[] };
  expect(place).toEqual([Math.PI / 2, 1, -2]);
  expect(type("Weights of joints", "Head=1,0; LeftHand=0.5,0.5")).toEqual({
    joint_weights: { Head: [1, 0], LeftHand: [0.5, 0.5] },
  });
  fields.set({ ...BLEND_DEFAULTS, place, joint_weights: { Head: [1, 0] } });
  expect(control("Start at").value).toBe("90, 1, -2");
  expect(control("Weights of joints").value).toBe("Head=1,0");
});

test("unusual options are folded, and the fold says how many were changed", () => {
  const { fields, control } = openFields(REGISTRATION_FIELDS);
  const more = fields.element.querySelector("details")!;
  fields.set(REGISTRATION_DEFAULTS, { stiffness: 5, window: 1 / 15, form: "thesis" });
  expect(more.open).toBe(false);
  expect(more.querySelector("summary")!.textContent).toBe("More options");
  expect(more.contains(control("Stiffness"))).toBe(true);
  expect(more.contains(control("Slope limit"))).toBe(false);
  expect((control("Window") as HTMLInputElement).placeholder).toBe("0.067 (default)");
  expect(control("Alignment rule").querySelector("option")!.textContent).toBe("Default (As in the thesis)");
  fields.set({ ...REGISTRATION_DEFAULTS, stiffness: 2, slope_limit: 2 });
  expect(more.querySelector("summary")!.textContent).toBe("More options (1 changed)");
});
