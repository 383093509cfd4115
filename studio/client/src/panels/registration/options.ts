import { element } from "../../core/dom";
import { REGISTRATION_FIELDS } from "../../core/options";
import type { Section } from "../../core/panel";
import { optionFields } from "../../widgets/option_fields";
import type { RegistrationEditor } from "./editor";

/** Settings of the registration; empty fields use the profile's values. */
export function registrationOptions(editor: RegistrationEditor): Section<"blend"> {
  const fields = optionFields(REGISTRATION_FIELDS, (changes) => editor.change(changes));
  return {
    element: element("section", {}, element("h3", {}, "Options"), fields.element),
    update: () => fields.set(editor.options, editor.grid?.header.settings),
  };
}
