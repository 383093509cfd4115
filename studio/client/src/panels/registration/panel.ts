import { element, setBusy } from "../../core/dom";
import { type Panel, recipePanel, type RecipePanel, type Section, type View } from "../../core/panel";
import { newBlend } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { clipPair } from "../../widgets/clip_pair";
import { choice } from "../../widgets/fields";
import { VerdictLine } from "../../widgets/verdict";
import { comparison } from "./comparison";
import { RegistrationEditor } from "./editor";
import { jointWeights } from "./joint_weights";
import { registrationOptions } from "./options";
import { pins } from "./pins";

const HELP =
  "Shows which frames of a blend's clips correspond. The map compares every pair of frames, and the blend follows the " +
  "curve through it. Point at the map to see both poses, click to pin two frames together, or choose where the clips " +
  "start. With the map focused, the arrow keys move the cursor, Enter pins and Delete unpins.";
const HINT = "Select a blend to see how its clips line up, or choose two clips to compare.";

/** The registration of the selected blend: its distance map, its timewarp curve and its settings. */
export function registrationPanel(studio: Studio): Panel {
  const labels = { hint: HINT, first: "First clip", second: "Second clip", create: "Register clips" };
  const editor = new RegistrationEditor(studio, (isBusy) => setBusy(panel.element, isBusy));
  const panel: RecipePanel = recipePanel(studio, {
    id: "registration",
    title: "Registration",
    help: HELP,
    kind: "blend",
    empty: clipPair(studio, labels, (...ids) => studio.add("blend", newBlend(ids))),
    // Names and colours are drawn.
    outline: ({ item, recipe }) => {
      const clips = recipe.sources.map((id) => [id, studio.item(id)?.name, studio.item(id)?.colour]);
      return JSON.stringify([item.id, clips]);
    },
    prepare: (view) => editor.update(view),
    build: (view) => {
      editor.update(view);
      const pinned = pins(editor);
      return [
        clipFields(editor, view),
        verdict(editor),
        comparison(studio, editor, pinned),
        pinned,
        report(editor),
        registrationOptions(editor),
        jointWeights(editor),
      ];
    },
  });
  editor.changed.on(panel.refresh);
  return panel;
}

/** Which two of three or more clips are compared. */
function clipFields(editor: RegistrationEditor, { studio, recipe }: View<"blend">): Section<"blend"> {
  const names = Object.fromEntries(recipe.sources.map((id, n) => [n, studio.item(id)?.name ?? id]));
  const fields = (["First clip", "Second clip"] as const).map((label, which) =>
    choice(label, names, (source: string) => editor.choose(which as 0 | 1, Number(source))),
  );
  const box = element("section", {}, ...fields.map((field) => field.element));
  return {
    element: box,
    update: () => {
      box.hidden = editor.canPin;
      fields.forEach((field, which) => field.set(String(editor.pair[which])));
    },
  };
}

/** Whether the clips match, and why. */
function verdict(editor: RegistrationEditor): Section<"blend"> {
  const line = new VerdictLine();
  line.say("Comparing the clips…");
  return {
    element: line.element,
    update: () => {
      const { error, grid } = editor;
      if (error !== null) line.say(capitalize(error), true);
      else if (grid) line.show(grid.header.verdict);
    },
  };
}

/** What the verdict is based on. */
function report(editor: RegistrationEditor): Section<"blend"> {
  const list = element("ul");
  const box = element("details", { class: "report" }, element("summary", {}, "Report"), list);
  return {
    element: box,
    update: () => {
      const header = editor.error === null ? editor.grid?.header : undefined;
      const lines = header?.lines ?? [];
      box.hidden = lines.length === 0;
      list.replaceChildren(...lines.map((line) => element("li", {}, capitalize(line))));
    },
  };
}
