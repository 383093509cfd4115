import { element } from "../core/dom";
import { roundTo } from "../core/numbers";
import type { OptionField } from "../core/options";
import { checkbox, choice, type Field, numberField, textField } from "./fields";

/** Values of options by name, and those in effect where a recipe leaves the choice to the library. */
type Values = Readonly<Record<string, unknown>>;

/** A field of an option; `suggest` shows what an empty one stands for. */
interface Control extends Field<unknown> {
  suggest: (usual: string) => void;
}

/** Fields of options as they are declared, with unusual ones folded away. */
export interface OptionFields {
  element: HTMLElement;
  /** Show the values of a recipe; `inEffect` are those that empty fields stand for, where they are known. */
  set: (values: object, inEffect?: Values) => void;
}

const MORE = "More options";

/** Characters that a field has room for; the whole default is in its tooltip. */
const MAX_HINT = 22;

/** Degrees per radian: fields show degrees. */
const DEGREES = 180 / Math.PI;

/** Fields for options; `change` gets what the user changes. */
export function optionFields<Recipe extends object>(
  options: readonly OptionField[],
  change: (changes: Partial<Recipe>) => void,
): OptionFields {
  const controls = options.map((option) => {
    const control = controlFor(option, (value) => change({ [option.name]: value } as Partial<Recipe>));
    control.element.title = option.usual ? `${option.help} Default: ${option.usual}.` : option.help;
    return { option, control };
  });
  const part = (folded: boolean): HTMLElement[] =>
    controls.filter(({ option }) => option.folded === folded).map(({ control }) => control.element);
  const summary = element("summary", {}, MORE);
  const folded = element("div", { class: "option-fields" }, ...part(true));
  const more = folded.hasChildNodes() ? element("details", { class: "more-options" }, summary, folded) : null;
  return {
    element: element("div", { class: "option-fields" }, ...part(false), more),
    set: (values, inEffect = {}) => {
      let changed = 0;
      for (const { option, control } of controls) {
        const value = (values as Values)[option.name];
        control.suggest(usualOf(option, inEffect[option.name]));
        control.set(value);
        if (option.folded && !isEmpty(option, value)) changed += 1;
      }
      summary.textContent = changed ? `${MORE} (${changed} changed)` : MORE;
    },
  };
}

/** The options of these names. */
export function pickOptions(options: readonly OptionField[], ...names: string[]): OptionField[] {
  return options.filter(({ name }) => names.includes(name));
}

function isEmpty(option: OptionField, value: unknown): boolean {
  return JSON.stringify(value ?? null) === JSON.stringify(option.default);
}

/** What an empty field stands for: the value in effect, or the default in words. */
function usualOf(option: OptionField, inEffect: unknown): string {
  if (typeof inEffect === "number") return String(Number(inEffect.toFixed(3)));
  const words = typeof inEffect === "string" ? (option.words[inEffect] ?? inEffect) : option.usual;
  return words.length > MAX_HINT ? "automatic" : words;
}

function controlFor(option: OptionField, change: (value: unknown) => void): Control {
  const { kind, label } = option;
  if (kind === "flag") return { ...checkbox(label, change), suggest: () => {} } as Control;
  if (kind === "choice") return choiceControl(option, change);
  if ((kind === "count" || kind === "number") && Object.keys(option.words).length === 0) {
    return numberControl(option, change);
  }
  const field = textField(
    label,
    (text) => parse(option, text),
    change,
    (value) => format(option, value),
  );
  const input = field.element.querySelector("input")!;
  return { ...field, suggest: (usual) => (input.placeholder = usual) };
}

function choiceControl({ label, words, optional }: OptionField, change: (value: unknown) => void): Control {
  // Without a value of its own the choice is the library's.
  const entries: Record<string, string> = optional ? { "": "Default", ...words } : words;
  const field = choice(label, entries, (value) => change(value === "" ? null : value));
  const empty = optional ? field.element.querySelector("option") : null;
  return {
    element: field.element,
    set: (value) => field.set((value as string | null) ?? ""),
    suggest: (usual) => {
      if (empty) empty.textContent = usual ? `Default (${usual})` : "Default";
    },
  };
}

function numberControl(option: OptionField, change: (value: unknown) => void): Control {
  const { label, kind, optional } = option;
  const limits = Object.fromEntries(
    (["min", "max", "step"] as const).flatMap((name) => (option[name] === null ? [] : [[name, option[name]]])),
  );
  const field = numberField(label, limits, (value) => {
    if (value === null && !optional) change(option.default);
    else change(value !== null && kind === "count" ? Math.round(value) : value);
  });
  const input = field.element.querySelector("input")!;
  return {
    element: field.element,
    set: (value) => field.set(value as number | null),
    suggest: (usual) => (input.placeholder = /^[\d./]+$/.test(usual) ? `${usual} (default)` : usual),
  };
}

/** Read what was typed into a field of words and numbers; undefined if it says nothing that the option can be. */
function parse(option: OptionField, text: string): unknown {
  if (text.trim() === "") return option.default;
  const words = text.split(",").map((word) => word.trim());
  if (words.length === 1 && words[0]! in option.words) return words[0];
  const numbers = numbersIn(text);
  switch (option.kind) {
    case "labels":
      return words.filter((word) => word !== "");
    case "count":
    case "number":
      return numbers?.length === 1 ? numbers[0] : undefined;
    case "pair":
      return numbers?.length === 2 ? numbers : undefined;
    case "placement":
      return numbers?.length === 3 ? [numbers[0]! / DEGREES, numbers[1], numbers[2]] : undefined;
    case "pairs": {
      const rows = text.split(";").map(numbersIn);
      return rows.every((row) => row?.length === 2) ? rows : undefined;
    }
    case "rows": {
      const rows = text.split(";").map((entry) => entry.split("="));
      const weights = rows.map(([name, row]): [string, number[] | null] => [name!.trim(), numbersIn(row ?? "")]);
      return weights.every(([name, row]) => name !== "" && row) ? Object.fromEntries(weights) : undefined;
    }
    default:
      return numbers ?? undefined;
  }
}

function numbersIn(text: string): number[] | null {
  const numbers = text.split(",").map((word) => (word.trim() === "" ? NaN : Number(word)));
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** Write a value as it is typed. */
function format({ kind }: OptionField, value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([name, row]) => `${name}=${String(row)}`)
      .join("; ");
  const rows = value as unknown[];
  if (kind === "pairs") return rows.map((row) => (row as number[]).join(", ")).join("; ");
  if (kind === "placement") return [roundTo((rows[0] as number) * DEGREES, 3), ...rows.slice(1)].join(", ");
  return rows.join(", ");
}
