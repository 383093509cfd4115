import { setBusy } from "../../core/dom";
import { type Panel, recipePanel, type RecipePanel, statusLine } from "../../core/panel";
import { newTransition } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { clipPair } from "../../widgets/clip_pair";
import { TransitionEditor } from "./editor";
import { methodTable } from "./methods";
import { transitionOptions } from "./options";
import { rails } from "./rails";

const HELP =
  "A transition joins one clip to another. Drag the middle handle of a rail to choose the frames that meet and the outer " +
  "handle to set the width, or press Find best point. The table compares four methods; click one to use it.";
const HINT = "Select a transition, or choose two clips to join.";

/** Point, width and method of the selected transition. */
export function transitionPanel(studio: Studio): Panel {
  const labels = { hint: HINT, first: "From", second: "To", create: "Create transition" };
  const editor = new TransitionEditor(studio, (isBusy) => setBusy(panel.element, isBusy));
  const panel: RecipePanel = recipePanel(studio, {
    id: "transition",
    title: "Transition",
    help: HELP,
    kind: "transition",
    empty: clipPair(studio, labels, (...ids) => studio.add("transition", newTransition(...ids))),
    prepare: (view) => editor.update(view),
    build: () => [statusLine<"transition">(), rails(editor), methodTable(editor), transitionOptions(editor)],
  });
  editor.changed.on(panel.refresh);
  return panel;
}
