import { element } from "../core/dom";
import { clamp } from "../core/numbers";

/** A labelled input that shows a value and reports changes by the user. */
export interface Field<T> {
  element: HTMLElement;
  set: (value: T) => void;
}

/** A choice between a few values, each with its label. */
export function choice<T extends string>(
  label: string,
  options: Record<T, string>,
  onChange: (value: T) => void,
): Field<T> {
  const select = element(
    "select",
    { onchange: () => onChange(select.value as T) },
    ...Object.entries<string>(options).map(([value, name]) => element("option", { value }, name)),
  );
  return {
    element: element("label", { class: "field" }, element("span", {}, label), select),
    set: (value) => {
      select.value = value;
    },
  };
}

export function checkbox(label: string, onChange: (checked: boolean) => void): Field<boolean> {
  const box = element("input", { type: "checkbox", onchange: () => onChange(box.checked) });
  return {
    element: element("label", { class: "check" }, box, element("span", {}, label)),
    set: (checked) => {
      box.checked = checked;
    },
  };
}

/** A number within limits; an empty field is null. */
export function numberField(
  label: string,
  limits: { min?: number; max?: number; step?: number; placeholder?: string },
  onChange: (value: number | null) => void,
): Field<number | null> {
  const { min = -Infinity, max = Infinity } = limits;
  const input = element("input", {
    type: "number",
    ...limits,
    onchange: () => {
      if (!Number.isFinite(input.valueAsNumber)) return onChange(null);
      const value = clamp(input.valueAsNumber, min, max);
      if (value !== input.valueAsNumber) input.value = String(value);
      onChange(value);
    },
  });
  return {
    element: element("label", { class: "field" }, element("span", {}, label), input),
    set: (value) => {
      if (document.activeElement !== input) input.value = value === null ? "" : String(value);
    },
  };
}

/** Words or numbers as text. `parse` gives undefined for text that cannot be right; the field then says so. */
export function textField(
  label: string,
  parse: (text: string) => unknown,
  onChange: (value: unknown) => void,
  format: (value: unknown) => string,
): Field<unknown> {
  const input = element("input", {
    type: "text",
    onchange: () => {
      const value = parse(input.value);
      input.setCustomValidity(value === undefined ? "This is not a value of the option." : "");
      if (value === undefined) input.reportValidity();
      else onChange(value);
    },
  });
  return {
    element: element("label", { class: "field" }, element("span", {}, label), input),
    set: (value) => {
      if (document.activeElement !== input) input.value = format(value);
    },
  };
}

/** A number in a range, chosen by dragging. */
export function slider(
  label: string,
  limits: { min: number; max: number; step: number },
  onInput: (value: number) => void,
  format: (value: number) => string = String,
): Field<number> {
  const output = element("output", { class: "value" });
  const input = element("input", {
    type: "range",
    ...limits,
    oninput: () => {
      output.value = format(input.valueAsNumber);
      onInput(input.valueAsNumber);
    },
  });
  return {
    element: element("label", { class: "field" }, element("span", {}, label), input, output),
    set: (value) => {
      input.value = String(value);
      output.value = format(value);
    },
  };
}
