import { element } from "../../core/dom";
import { checkbox, choice, numberField } from "../../widgets/fields";
import { rounded, type WarpDesk } from "./desk";
import { EASE, KINDS, type KeyKind } from "./keys";
import { gizmoHint, setValue, valueAt } from "./posing";
import type { Section } from "./panel";

const NAMES = Object.fromEntries(Object.entries(KINDS).map(([kind, { name }]) => [kind, name])) as Record<
  KeyKind,
  string
>;

/** The joint, and its key at the playhead: numbers that can be typed, how it fades, when it is. */
export function keyFields(desk: WarpDesk): Section {
  const joint = element("select", { "aria-label": "Joint to pose", onchange: () => desk.choose(joint.value) });
  const kind = choice("Key", NAMES, (value) => desk.choose(desk.joint, value));
  const numbers = new Numbers(desk);
  const hint = gizmoHint();
  const state = element("output", { class: "warp-state" });
  const set = element("button", { type: "button", onclick: () => setKey(desk) }, "Set key");
  const timing = keyTiming(desk);
  const follow = (): void => {
    const { keyTime, keyNumber, shown } = desk;
    const key = shown?.recipe.keys[keyNumber];
    state.value = keyTime === null ? "" : key ? `Key at ${key.time.toFixed(2)} s` : `No key at ${keyTime.toFixed(2)} s`;
    state.classList.toggle("keyed", key !== undefined);
    set.disabled = keyTime === null || key !== undefined;
    timing.show(key ?? null);
    numbers.show();
  };
  return {
    element: element(
      "section",
      {},
      element("h3", {}, "Pose at the playhead"),
      element("label", { class: "field" }, element("span", {}, "Joint"), joint),
      kind.element,
      numbers.element,
      hint.element,
      element("div", { class: "warp-row" }, state, set),
      timing.element,
    ),
    update() {
      const names = desk.shown?.motion?.head.names ?? [];
      if (joint.length !== names.length || [...joint.options].some((option, n) => option.value !== names[n])) {
        joint.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
      }
      joint.value = desk.joint;
      kind.set(desk.kind);
      hint.update(desk);
      follow();
    },
    follow,
  };
}

/** A key that keeps what the joint does already: nothing changes until it is. */
function setKey(desk: WarpDesk): void {
  const value = valueAt(desk);
  if (value) setValue(desk, value);
}

/** The numbers of the key at the playhead, or what the joint has there; typing sets a key. */
class Numbers {
  readonly element = element("div", { class: "warp-numbers", role: "group" });
  private inputs: HTMLInputElement[] = [];
  private kind: KeyKind | null = null;

  constructor(private readonly desk: WarpDesk) {}

  show(): void {
    if (this.kind !== this.desk.kind) this.build();
    const value = valueAt(this.desk);
    const { factor } = KINDS[this.desk.kind];
    this.inputs.forEach((input, n) => {
      input.disabled = value === null;
      const number = value?.[n];
      if (number !== undefined && document.activeElement !== input)
        input.value = String(Number((number * factor).toFixed(3)));
    });
  }

  private build(): void {
    this.kind = this.desk.kind;
    const { fields, unit, step, name } = KINDS[this.kind];
    this.inputs = fields.map((field) =>
      element("input", {
        type: "number",
        step,
        "aria-label": `${name}, ${field}, ${unit}`,
        onchange: () => this.take(),
      }),
    );
    this.element.setAttribute("aria-label", name);
    this.element.replaceChildren(
      ...fields.map((field, n) => element("label", {}, element("span", {}, field), this.inputs[n]!)),
      element("span", { class: "warp-unit" }, unit),
    );
  }

  private take(): void {
    const before = valueAt(this.desk);
    const { factor } = KINDS[this.desk.kind];
    if (!before) return;
    // A field that was not touched keeps all its digits, not only those that are shown.
    const typed = this.inputs.map((input, n) => {
      const kept = Number((before[n]! * factor).toFixed(3)) === input.valueAsNumber;
      return kept || !Number.isFinite(input.valueAsNumber) ? before[n]! : input.valueAsNumber / factor;
    });
    setValue(this.desk, typed);
  }
}

interface Timed {
  time: number;
  ease: number | null;
}

/** When the key at the playhead is, and how it fades in and out. */
function keyTiming(desk: WarpDesk): { element: HTMLElement; show(key: Timed | null): void } {
  const change = (part: Partial<Timed>): void => {
    const { shown, keyNumber } = desk;
    if (!shown || keyNumber < 0) return;
    desk.setKeys(shown.recipe.keys.map((key, n) => (n === keyNumber ? { ...key, ...part } : key)));
    if (part.time !== undefined) desk.seekSource(part.time);
  };
  const time = numberField("Time, s", { min: 0, step: 0.01 }, (value) => {
    const end = desk.curves?.head.source_duration ?? 0;
    if (value !== null) change({ time: rounded(Math.min(Math.max(value, 0), end)) });
  });
  const ease = numberField("Fade, s", { min: 0.01, step: 0.05 }, (value) => change({ ease: value ?? EASE }));
  const hold = checkbox("Hold it up to the next key", (checked) => change({ ease: checked ? null : EASE }));
  const box = element("fieldset", { class: "warp-timing" }, time.element, ease.element, hold.element);
  return {
    element: box,
    show(key) {
      box.disabled = key === null;
      time.set(key?.time ?? null);
      ease.set(key?.ease ?? null);
      hold.set(key !== null && key.ease === null);
    },
  };
}
