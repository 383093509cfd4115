import { element, isVisible, showOnly } from "../../core/dom";
import { type ClipEdit, type Item, KINDS } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { afterPresses } from "../../core/presses";
import { sourcesOf } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { checkbox, numberField } from "../../widgets/fields";
import { copyFields, retargetFields, sequenceFields, type ValueFields } from "./recipe_fields";

const HELP =
  "The values of the selected clip: its speed and direction, and what a copy, a sequence or a retargeted clip is made " +
  "with. Change them at any time; everything that is made of the clip follows.";
const HINT = "Select a clip to see its values.";

/** Values of the selected clip that no other panel shows. */
export function clipPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body clip-panel" });
  const hint = element("p", { class: "hint" }, HINT);
  const origin = element("p", { class: "hint" });
  const status = element("p", { class: "status", role: "status" });
  const edits = editFields(studio);
  let builtFor = "";
  let recipe: ValueFields | null = null;

  const refresh = afterPresses(box, () => {
    if (!isVisible(box)) return;
    const item = studio.selected;
    if (!item) {
      builtFor = "";
      showOnly(box, hint);
      return;
    }
    const outline = `${item.id} ${item.recipe.type}`;
    if (outline !== builtFor) {
      builtFor = outline;
      recipe = fieldsOf(studio, item);
    }
    const shown = recipe ? [recipe.element] : [];
    showOnly(box, origin, status, ...shown, edits.element);
    origin.textContent = describe(studio, item);
    const { error, working } = studio.progressOf(item.id);
    status.textContent = error ?? (working ? "Computing…" : "");
    status.classList.toggle("bad", error !== null);
    recipe?.update(item);
    edits.update(item);
  });
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((id) => {
    if (id === studio.selected?.id) refresh();
  });
  new ResizeObserver(refresh).observe(box);
  return { id: "clip", title: "Clip", help: HELP, element: box };
}

function fieldsOf(studio: Studio, { recipe }: Item): ValueFields | null {
  if (recipe.type === "copy") return copyFields(studio);
  if (recipe.type === "sequence") return sequenceFields(studio);
  if (recipe.type === "retarget") return retargetFields(studio);
  return null;
}

function describe(studio: Studio, item: Item): string {
  const names = sourcesOf(item.recipe).map((id) => studio.item(id)?.name ?? id);
  const of = names.length > 0 ? ` of ${names.join(", ")}` : "";
  return `${item.name}: ${KINDS[item.recipe.type]}${of}`;
}

/** Speed and direction, which every clip has. */
function editFields(studio: Studio): ValueFields {
  const change = (changes: Partial<ClipEdit>): void => {
    const item = studio.selected;
    if (item) studio.do({ type: "set_edit", item: item.id, edit: { ...item.edit, ...changes }, marks: null });
  };
  const speed = numberField("Speed", { min: 0.05, max: 20, step: 0.05, placeholder: "1" }, (value) =>
    change({ speed: value === 1 ? null : value }),
  );
  const reverse = checkbox("Play backwards", (checked) => change({ reverse: checked }));
  const mirror = checkbox("Swap left and right", (checked) => change({ mirror: checked }));
  return {
    element: element("section", {}, element("h3", {}, "Playback"), speed.element, reverse.element, mirror.element),
    update: ({ edit }) => {
      speed.set(edit.speed);
      reverse.set(edit.reverse);
      mirror.set(edit.mirror);
    },
  };
}
