import { element } from "../../core/dom";
import { partOf } from "../../widgets/body_map";
import { type Field, slider } from "../../widgets/fields";
import type { Grid } from "./grid";
import type { RegistrationView, Section } from "./view";

const LIMITS = { min: 0, max: 4, step: 0.1 };
const USUAL = 1;
const OTHER = "other joints";

/** What joints count when poses are compared: by parts of the body, and each by itself. */
export function jointWeights(view: RegistrationView): Section & { showUsed(grid: Grid): void } {
  let latest = view;
  let listed = "";
  let fields = new Map<string, Field<number>>();
  let parts = new Map<string, string[]>();
  const list = element("div");
  const summary = element("summary", {}, "What joints count");
  const reset = element(
    "button",
    { type: "button", onclick: () => latest.change({ joint_weights: null }) },
    "All count as usual",
  );

  const weigh = (joints: string[], weight: number): void => {
    const weights = { ...latest.options.joint_weights };
    for (const joint of joints) {
      if (weight === USUAL) delete weights[joint];
      else weights[joint] = weight;
    }
    latest.change({ joint_weights: Object.keys(weights).length ? weights : null });
  };
  const build = (joints: string[]): void => {
    parts = new Map();
    for (const joint of joints) {
      const part = partOf(joint) ?? OTHER;
      parts.set(part, [...(parts.get(part) ?? []), joint]);
    }
    const field = (name: string, label: string, own: string[]): HTMLElement => {
      const made = slider(
        label,
        LIMITS,
        (weight) => weigh(own, weight),
        (weight) => `× ${weight.toFixed(1)}`,
      );
      fields.set(name, made);
      return made.element;
    };
    fields = new Map();
    list.replaceChildren(
      ...[...parts].map(([part, own]) =>
        element(
          "div",
          { class: "joint-part" },
          field(`part ${part}`, part, own),
          element(
            "details",
            {},
            element("summary", { class: "muted" }, own.length === 1 ? "1 joint" : `${own.length} joints`),
            ...own.map((joint) => field(joint, joint, [joint])),
          ),
        ),
      ),
    );
  };
  const show = (): void => {
    const weights = latest.options.joint_weights ?? {};
    const of = (joint: string): number => weights[joint] ?? USUAL;
    for (const [part, own] of parts) {
      const mean = own.reduce((sum, joint) => sum + of(joint), 0) / own.length;
      fields.get(`part ${part}`)?.set(mean);
      for (const joint of own) fields.get(joint)?.set(of(joint));
    }
    const changed = Object.keys(weights).length;
    summary.textContent = changed ? `What joints count (${changed} changed)` : "What joints count";
    reset.disabled = changed === 0;
  };
  return {
    element: element("details", { class: "joint-weights" }, summary, list, element("div", { class: "buttons" }, reset)),
    update(next) {
      latest = next;
      show();
    },
    showUsed({ head }) {
      if (head.joints.join() !== listed) {
        listed = head.joints.join();
        build(head.joints);
      }
      show();
    },
  };
}
