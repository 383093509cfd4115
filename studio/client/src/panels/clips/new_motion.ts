import { element } from "../../core/dom";
import type { BuiltInMotion, MotionOption, Motions } from "../../core/messages";
import type { Studio } from "../../core/studio";
import { openDialog } from "../../widgets/dialog";

/** Ask for a built-in motion and add it. */
export async function chooseMotion(studio: Studio): Promise<void> {
  try {
    const { motions } = await studio.server.json<Motions>("./api/motions");
    ask(studio, motions);
  } catch (error) {
    studio.sayError(error);
  }
}

function ask(studio: Studio, motions: BuiltInMotion[]): void {
  const motion = element("select", { onchange: () => showOptions() }, ...choices(motions));
  const fields = element("div", { class: "motion-options" });
  const options = (): MotionOption[] => motions.find(({ name }) => name === motion.value)?.options ?? [];
  const showOptions = (): void => fields.replaceChildren(...options().map(field));
  const form = element(
    "form",
    { method: "dialog" },
    element("label", { class: "field" }, "Motion", motion),
    fields,
    element("p", { class: "muted" }, "Fields that stay empty keep what is usual, which they show in grey."),
    element("button", { type: "submit", class: "primary" }, "Add"),
  );
  form.addEventListener("submit", () => {
    studio.do({
      type: "add",
      name: spoken(motion.value),
      recipe: { type: "motion", motion: motion.value, options: given(options(), new FormData(form)) },
    });
  });
  showOptions();
  openDialog("New built-in motion", form);
  motion.focus();
}

/** The motions under their headings. */
function choices(motions: BuiltInMotion[]): HTMLElement[] {
  const headings = [...new Set(motions.map(({ heading }) => heading))];
  return headings.map((label) => {
    const below = motions.filter(({ heading }) => heading === label);
    return element("optgroup", { label }, ...below.map(({ name }) => element("option", { value: name }, spoken(name))));
  });
}

function field(option: MotionOption): HTMLElement {
  const input = option.choices.length > 0 ? chooser(option) : entry(option);
  return element("label", { class: "field" }, option.words, input);
}

function chooser({ name, usual, choices }: MotionOption): HTMLElement {
  const unless = element("option", { value: "" }, usual === null ? "usual" : `${usual} (usual)`);
  const others = choices.filter((choice) => choice !== usual);
  return element("select", { name }, unless, ...others.map((choice) => element("option", { value: choice }, choice)));
}

function entry({ name, usual, is_text, example }: MotionOption): HTMLElement {
  const placeholder = example || String(usual ?? "usual");
  return element("input", { name, type: is_text ? "text" : "number", step: is_text ? null : "any", placeholder });
}

/** What was filled in, numbers as numbers. */
function given(options: MotionOption[], data: FormData): Record<string, number | string> {
  const typed = options.map(({ name, is_text }) => ({ name, is_text, text: textOf(data.get(name)) }));
  const filled = typed.filter(({ text }) => text !== "");
  return Object.fromEntries(filled.map(({ name, is_text, text }) => [name, is_text ? text : Number(text)]));
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === "string" ? entry.trim() : "";
}

function spoken(motion: string): string {
  return motion.replaceAll("_", " ");
}
