import { element } from "../../core/dom";
import type { ClipEdit, Item } from "../../core/messages";
import { newCopy, newEdit, newRetarget } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { openDialog } from "../../widgets/dialog";
import type { MenuEntry } from "../../widgets/menu";
import { type RetargetTarget, retargetTargets } from "../../widgets/retarget_targets";

/** A number to ask for. */
interface Question {
  name: string;
  label: string;
  value: number;
  min?: number;
}

/** Entries of the New menu that make another version of each clip: retimed, mirrored, cleaned up or placed. */
export function copyEntries(studio: Studio, sources: Item[], onAdded: () => void): MenuEntry[] {
  const copy = (suffix: string, changes: Partial<ClipEdit>, options: Parameters<typeof newCopy>[1] = {}): void => {
    for (const { id, name } of sources) studio.add(`${name} ${suffix}`, newCopy(id, options), newEdit(changes));
    onAdded();
  };
  const which = sources.length === 1 ? sources[0]!.name : `${sources.length} clips`;
  const entry = (label: string, hint: string, action: () => void): MenuEntry => ({
    label,
    hint: sources.length > 0 ? hint : "Select a clip first",
    disabled: sources.length === 0,
    action,
  });
  return [
    entry("Resample…", `${which} at another frame rate`, () =>
      ask("Resample", [{ name: "fps", label: "Frames per second", value: 30, min: 1 }], ({ fps }) =>
        copy(`at ${fps} fps`, {}, { fps: fps! }),
      ),
    ),
    entry("Speed…", `${which} faster or slower`, () =>
      ask("Speed", [{ name: "speed", label: "Times as fast", value: 2, min: 0.05 }], ({ speed }) =>
        copy(`× ${speed}`, { speed: speed! }),
      ),
    ),
    entry("Reverse", `${which} backwards`, () => copy("reversed", { reverse: true })),
    entry("Mirror", `${which} with left and right swapped`, () => copy("mirrored", { mirror: true })),
    entry("Clean up", `${which} without capture artifacts`, () => copy("cleaned", { repair: true })),
    entry("Retarget…", `${which} on a character or another skeleton`, () =>
      askTarget(studio, sources, (target) => {
        for (const { id, name } of sources) {
          studio.add(`${name} on ${target.label.replace(/ \(character\)$/, "")}`, newRetarget(id, target.fields));
        }
        studio.panelRequested.emit("clip");
        onAdded();
      }),
    ),
    entry("Place…", `${which} elsewhere on the floor`, () =>
      ask(
        "Place",
        [
          { name: "yaw", label: "Turn to the left (degrees)", value: 0 },
          { name: "x", label: "Move along X (metres)", value: 0 },
          { name: "z", label: "Move along Z (metres)", value: 0 },
        ],
        ({ yaw, x, z }) => copy("placed", {}, { place: [(yaw! * Math.PI) / 180, x!, z!] }),
      ),
    ),
    entry("In place", `${which} without travel`, () => copy("in place", { travel: "remove" })),
    entry("Root motion", `${which} with the travel on the root joint`, () =>
      copy("with root motion", { root_motion: "root" }),
    ),
  ];
}

/** Ask whose skeleton clips are retargeted to. */
function askTarget(studio: Studio, sources: Item[], onAnswer: (target: RetargetTarget) => void): void {
  const targets = retargetTargets(studio).filter(({ key }) => !sources.some(({ id }) => key === `clip ${id}`));
  const select = element("select", {}, ...targets.map(({ key, label }) => element("option", { value: key }, label)));
  const hint = "Drop a character (GLB, glTF or VRM) or another skeleton's clip onto the page to add it to this list.";
  const form = element(
    "form",
    { method: "dialog" },
    element("label", { class: "field" }, "Onto", select),
    element("p", { class: "muted" }, hint),
    element("button", { type: "submit", class: "primary", disabled: targets.length === 0 }, "Add"),
  );
  form.addEventListener("submit", () => {
    const target = targets.find(({ key }) => key === select.value);
    if (target) onAnswer(target);
  });
  openDialog("Retarget", form);
  select.focus();
}

/** Ask for numbers in a dialog. */
function ask(title: string, questions: Question[], onAnswer: (values: Record<string, number>) => void): void {
  const inputs = questions.map(({ name, value, min }) =>
    element("input", { name, type: "number", step: "any", value, min: min ?? null, required: true }),
  );
  const form = element(
    "form",
    { method: "dialog" },
    ...questions.map(({ label }, n) => element("label", { class: "field" }, label, inputs[n]!)),
    element("button", { type: "submit", class: "primary" }, "Add"),
  );
  form.addEventListener("submit", () => {
    onAnswer(Object.fromEntries(questions.map(({ name }, n) => [name, inputs[n]!.valueAsNumber])));
  });
  openDialog(title, form);
  inputs[0]!.select();
}
