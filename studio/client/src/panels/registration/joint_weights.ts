import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import { partOf } from "../../widgets/body_map";
import { type Field, slider } from "../../widgets/fields";
import type { RegistrationEditor } from "./editor";

const LIMITS = { min: 0, max: 4, step: 0.1 };
const DEFAULT_WEIGHT = 1;
const OTHER = "other joints";

/** Weights of joints in the pose distance, for whole body parts and for single joints. */
export function jointWeights(editor: RegistrationEditor): Section<"blend"> {
  let builtFor = "";
  let partFields = new Map<string, Field<number>>();
  let jointFields = new Map<string, Field<number>>();
  let parts = new Map<string, string[]>();
  const list = element("div");
  const summary = element("summary");
  const reset = element(
    "button",
    { type: "button", onclick: () => editor.change({ joint_weights: null }) },
    `Reset all to ${DEFAULT_WEIGHT}`,
  );

  const setWeight = (joints: string[], weight: number): void => {
    const weights = { ...editor.options.joint_weights };
    for (const joint of joints) {
      if (weight === DEFAULT_WEIGHT) delete weights[joint];
      else weights[joint] = weight;
    }
    editor.change({ joint_weights: Object.keys(weights).length ? weights : null });
  };
  const weightField = (label: string, joints: string[]): Field<number> =>
    slider(
      label,
      LIMITS,
      (weight) => setWeight(joints, weight),
      (weight) => `× ${weight.toFixed(1)}`,
    );
  const build = (joints: string[]): void => {
    parts = new Map();
    for (const joint of joints) {
      const part = partOf(joint) ?? OTHER;
      parts.set(part, [...(parts.get(part) ?? []), joint]);
    }
    partFields = new Map([...parts].map(([part, members]) => [part, weightField(part, members)]));
    jointFields = new Map(joints.map((joint) => [joint, weightField(joint, [joint])]));
    list.replaceChildren(
      ...[...parts].map(([part, members]) =>
        element(
          "div",
          { class: "joint-part" },
          partFields.get(part)!.element,
          element(
            "details",
            {},
            element("summary", { class: "muted" }, members.length === 1 ? "1 joint" : `${members.length} joints`),
            ...members.map((joint) => jointFields.get(joint)!.element),
          ),
        ),
      ),
    );
  };
  return {
    element: element("details", { class: "joint-weights" }, summary, list, element("div", { class: "buttons" }, reset)),
    update: () => {
      const joints = editor.grid?.header.joints ?? [];
      if (joints.join() !== builtFor) {
        builtFor = joints.join();
        build(joints);
      }
      const weights = editor.options.joint_weights ?? {};
      const weightOf = (joint: string): number => weights[joint] ?? DEFAULT_WEIGHT;
      for (const [part, members] of parts) {
        const mean = members.reduce((sum, joint) => sum + weightOf(joint), 0) / members.length;
        partFields.get(part)?.set(mean);
        for (const joint of members) jointFields.get(joint)?.set(weightOf(joint));
      }
      const changed = Object.keys(weights).length;
      summary.textContent = changed ? `Joint weights (${changed} changed)` : "Joint weights";
      reset.disabled = changed === 0;
    },
  };
}
