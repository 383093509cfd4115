import { element } from "../core/dom";

/** Put a text field in place of a label until Enter, Esc or a click elsewhere; `onChange` gets another text. */
export function editText(label: HTMLElement, text: string, name: string, onChange: (text: string) => void): void {
  const input = element("input", { type: "text", class: "clip-rename", value: text, "aria-label": name });
  const finish = (keep: boolean): void => {
    const typed = input.value.trim();
    input.onblur = null;
    input.replaceWith(label);
    if (keep && typed && typed !== text) onChange(typed);
    label.focus();
  };
  input.onblur = () => finish(true);
  input.onkeydown = (event) => {
    if (event.key === "Enter") finish(true);
    else if (event.key === "Escape") finish(false);
  };
  label.replaceWith(input);
  input.select();
  input.focus();
}
