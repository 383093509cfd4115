import { element } from "../../core/dom";
import type { JointKey } from "../../core/messages";
import { clamp, replaceAt, roundTo } from "../../core/numbers";
import type { Section } from "../../core/panel";
import { checkbox, choice, numberField } from "../../widgets/fields";
import { TIME_DECIMALS, type WarpEditor } from "./editor";
import { EASE, type KeyKind, KINDS } from "./keys";
import { poseWithGizmo, setKeyValue, valueAtPlayhead } from "./posing";

const NAMES = Object.fromEntries(Object.entries(KINDS).map(([kind, { name }]) => [kind, name])) as Record<
  KeyKind,
  string
>;

/** Decimals that the number fields show. */
const SHOWN_DECIMALS = 3;

/** The chosen joint and its key at the playhead, set by numbers or with the gizmo in the viewport. */
export function keyFields(editor: WarpEditor): Section<"warp"> {
  const joint = element("select", { "aria-label": "Joint to pose", onchange: () => editor.choose(joint.value) });
  const kind = choice("Key type", NAMES, (value) => editor.choose(editor.joint, value));
  const numbers = new Numbers(editor);
  const hint = element("p", { class: "hint" });
  const state = element("output", { class: "key-state" });
  const set = element("button", { type: "button", onclick: () => setKey(editor) }, "Set key");
  const timing = keyTiming(editor);
  const gizmo = poseWithGizmo(editor);
  const follow = (): void => {
    const { keyTime, key } = editor;
    state.value = keyTime === null ? "" : key ? `Key at ${key.time.toFixed(2)} s` : `No key at ${keyTime.toFixed(2)} s`;
    state.classList.toggle("keyed", key !== null);
    set.disabled = keyTime === null || key !== null;
    timing.show(key);
    numbers.show();
    gizmo.update();
  };
  const box = element(
    "section",
    {},
    element("h3", {}, "Pose at the playhead"),
    element("label", { class: "field" }, element("span", {}, "Joint"), joint),
    kind.element,
    numbers.element,
    hint,
    element("div", { class: "row wrap between" }, state, set),
    timing.element,
  );
  return {
    element: box,
    follow,
    hide: gizmo.hide,
    dispose: gizmo.dispose,
    update: ({ recipe }) => {
      box.hidden = recipe.preset !== null;
      const names = editor.motion?.header.names ?? [];
      if (joint.length !== names.length || [...joint.options].some((option, n) => option.value !== names[n])) {
        joint.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
      }
      joint.value = editor.joint;
      kind.set(editor.kind);
      hint.textContent = gizmoHint(editor);
      follow();
    },
  };
}

/** Set a key that keeps the present pose, so that nothing changes yet. */
function setKey(editor: WarpEditor): void {
  const value = valueAtPlayhead(editor);
  if (value) setKeyValue(editor, value);
}

/** How to use the gizmo, or why there is none. */
function gizmoHint({ isMirrored, kind }: WarpEditor): string {
  if (isMirrored) {
    return "This clip is mirrored after its keys. Type numbers, or turn the mirror off to use the viewport.";
  }
  if (kind === "scale") return "Above 1 exaggerates the motion of the joint, below 1 softens it.";
  if (kind === "rotate" || kind === "orient") {
    return "Drag the rings in the viewport, or type degrees about the joint's own axes.";
  }
  return "Drag the arrows in the viewport, or type metres.";
}

/** The numbers of the key at the playhead, or of the present pose; typing sets a key. */
class Numbers {
  readonly element = element("div", { class: "warp-numbers", role: "group" });
  private inputs: HTMLInputElement[] = [];
  private kind: KeyKind | null = null;

  constructor(private readonly editor: WarpEditor) {}

  show(): void {
    if (this.kind !== this.editor.kind) this.build();
    const value = valueAtPlayhead(this.editor);
    const { factor } = KINDS[this.editor.kind];
    this.inputs.forEach((input, n) => {
      input.disabled = value === null;
      const number = value?.[n];
      if (number !== undefined && document.activeElement !== input) {
        input.value = String(roundTo(number * factor, SHOWN_DECIMALS));
      }
    });
  }

  private build(): void {
    this.kind = this.editor.kind;
    const { fields, unit, step, name } = KINDS[this.kind];
    this.inputs = fields.map((field) =>
      element("input", {
        type: "number",
        step,
        "aria-label": `${name}, ${field}, ${unit}`,
        onchange: () => this.applyTyped(),
      }),
    );
    this.element.setAttribute("aria-label", name);
    this.element.replaceChildren(
      ...fields.map((field, n) => element("label", {}, element("span", {}, field), this.inputs[n]!)),
      element("span", { class: "warp-unit" }, unit),
    );
  }

  private applyTyped(): void {
    const before = valueAtPlayhead(this.editor);
    const { factor } = KINDS[this.editor.kind];
    if (!before) return;
    // A field that was not changed keeps all its digits, not only those that are shown.
    const typed = this.inputs.map((input, n) => {
      const isUnchanged = roundTo(before[n]! * factor, SHOWN_DECIMALS) === input.valueAsNumber;
      return isUnchanged || !Number.isFinite(input.valueAsNumber) ? before[n]! : input.valueAsNumber / factor;
    });
    setKeyValue(this.editor, typed);
  }
}

/** The time of the key at the playhead, and how it fades in and out. */
function keyTiming(editor: WarpEditor): { element: HTMLElement; show: (key: JointKey | null) => void } {
  const change = (fields: Partial<JointKey>): void => {
    const { key, keyIndex, recipe } = editor;
    if (!key) return;
    editor.setKeys(replaceAt(recipe.keys, keyIndex, { ...key, ...fields }));
    if (fields.time !== undefined) editor.seekSource(fields.time);
  };
  const time = numberField("Time (s)", { min: 0, step: 0.01 }, (value) => {
    const end = editor.curves?.header.source_duration ?? 0;
    if (value !== null) change({ time: roundTo(clamp(value, 0, end), TIME_DECIMALS) });
  });
  const ease = numberField("Fade (s)", { min: 0.01, step: 0.05 }, (value) => change({ ease: value ?? EASE }));
  const hold = checkbox("Hold until the next key", (checked) => change({ ease: checked ? null : EASE }));
  const box = element("fieldset", { class: "warp-timing" }, time.element, ease.element, hold.element);
  return {
    element: box,
    show: (key) => {
      box.disabled = key === null;
      time.set(key?.time ?? null);
      ease.set(key?.ease ?? null);
      hold.set(key !== null && key.ease === null);
    },
  };
}
