import { element } from "../../core/dom";
import type { BuiltInMotion, Item, MotionOption, Motions, Recipe } from "../../core/messages";
import { newBlend, newEnforce, newFramespace, newLoop, newSequence, newTransition, newWarp } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { openDialog } from "../../widgets/dialog";
import type { MenuEntry } from "../../widgets/menu";
import { copyEntries } from "./copies";

/** Entries of the New menu: one per kind of clip, with a hint about what is missing if it is disabled. */
export function newClipEntries(studio: Studio, sources: Item[], onAdded: () => void): MenuEntry[] {
  const ids = sources.map(({ id }) => id);
  const names = sources.map(({ name }) => name);
  const add = (name: string, recipe: Recipe) => () => {
    studio.add(name, recipe);
    const panels: Partial<Record<Recipe["type"], string>> = { enforce: "quality", sequence: "clip" };
    studio.panelRequested.emit(panels[recipe.type] ?? recipe.type);
    onAdded();
  };
  const one = ids.length === 1;
  const two = ids.length === 2;
  const [first = "", second = ""] = ids;
  const isLoop = one && (studio.motion(first)?.header.cyclic ?? false);
  return [
    { label: "Built-in motion…", hint: "Walk, jog, turn, kick and more", action: () => void chooseMotion(studio) },
    {
      label: "Blend",
      hint: ids.length >= 2 ? `Mix ${names.join(", ")}` : "Check two or more clips first",
      disabled: ids.length < 2,
      action: add(ids.length > 3 ? `blend of ${ids.length}` : names.join(" + "), newBlend(ids)),
    },
    {
      label: "Transition",
      hint: two ? `From ${names[0]} to ${names[1]}` : "Check two clips first, in order",
      disabled: !two,
      action: add(`${names[0]} to ${names[1]}`, newTransition(first, second)),
    },
    {
      label: "Sequence",
      hint: ids.length >= 2 ? `Play ${names.join(", ")} in a row` : "Check two or more clips first, in order",
      disabled: ids.length < 2,
      action: add(ids.length > 3 ? `sequence of ${ids.length}` : names.join(", "), newSequence(ids)),
    },
    {
      label: "Planted copy",
      hint: one ? `${names[0]} without foot sliding` : "Select one clip first",
      disabled: !one,
      action: add(`${names[0]} planted`, newEnforce(first)),
    },
    {
      label: "Loop",
      hint: isLoop
        ? `${names[0]} is a loop already`
        : one
          ? `A seamless cycle of ${names[0]}`
          : "Select one clip first",
      disabled: !one || isLoop,
      action: add(`${names[0]} loop`, newLoop(first)),
    },
    {
      label: "Warp",
      hint: one ? `Edit ${names[0]} with pose keys` : "Select one clip first",
      disabled: !one,
      action: add(`${names[0]} warped`, newWarp(first)),
    },
    {
      label: "Framespace",
      hint: two || ids.length === 4 ? `Mix ${names.join(", ")} along a curve` : "Check two or four cyclic clips first",
      disabled: !two && ids.length !== 4,
      action: add(two ? `${names[0]}-${names[1]} space` : `space of ${ids.length}`, newFramespace(ids)),
    },
    ...copyEntries(studio, sources, onAdded),
  ];
}

/** Open a dialog that adds a built-in motion. */
export async function chooseMotion(studio: Studio): Promise<void> {
  try {
    const { motions } = await studio.server.json<Motions>("./api/motions");
    openMotionDialog(studio, motions);
  } catch (error) {
    studio.sayError(error);
  }
}

function openMotionDialog(studio: Studio, motions: BuiltInMotion[]): void {
  const motion = element("select", { onchange: () => showOptions() }, ...motionGroups(motions));
  const fields = element("div", { class: "motion-options" });
  const options = (): MotionOption[] => motions.find(({ name }) => name === motion.value)?.options ?? [];
  const showOptions = (): void => fields.replaceChildren(...options().map(field));
  const form = element(
    "form",
    { method: "dialog" },
    element("label", { class: "field" }, "Motion", motion),
    fields,
    element("p", { class: "muted" }, "Leave a field empty to use its default, shown in grey."),
    element("button", { type: "submit", class: "primary" }, "Add"),
  );
  form.addEventListener("submit", () => {
    const given = filledIn(options(), new FormData(form));
    studio.add(displayName(motion.value), { type: "motion", motion: motion.value, options: given });
  });
  showOptions();
  openDialog("New built-in motion", form);
  motion.focus();
}

/** The motions, grouped under their headings. */
function motionGroups(motions: BuiltInMotion[]): HTMLElement[] {
  const headings = [...new Set(motions.map(({ heading }) => heading))];
  return headings.map((label) => {
    const below = motions.filter(({ heading }) => heading === label);
    return element(
      "optgroup",
      { label },
      ...below.map(({ name }) => element("option", { value: name }, displayName(name))),
    );
  });
}

function field(option: MotionOption): HTMLElement {
  const input = option.choices.length > 0 ? chooser(option) : entry(option);
  return element("label", { class: "field" }, option.label, input);
}

function chooser({ name, default: value, choices }: MotionOption): HTMLElement {
  const byDefault = element("option", { value: "" }, value === null ? "default" : `${value} (default)`);
  const others = choices.filter((choice) => choice !== value);
  return element(
    "select",
    { name },
    byDefault,
    ...others.map((choice) => element("option", { value: choice }, choice)),
  );
}

function entry({ name, default: value, is_string, example }: MotionOption): HTMLElement {
  const placeholder = example ? `for example ${example}` : String(value ?? "default");
  return element("input", { name, type: is_string ? "text" : "number", step: is_string ? null : "any", placeholder });
}

/** The options that were filled in; numbers as numbers. */
function filledIn(options: MotionOption[], data: FormData): Record<string, number | string> {
  const typed = options.map(({ name, is_string }) => ({ name, is_string, text: textOf(data.get(name)) }));
  const filled = typed.filter(({ text }) => text !== "");
  return Object.fromEntries(filled.map(({ name, is_string, text }) => [name, is_string ? text : Number(text)]));
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === "string" ? entry.trim() : "";
}

function displayName(motion: string): string {
  return motion.replaceAll("_", " ");
}
