import { type Panel, recipePanel, type Section } from "../../core/panel";
import { newBlend } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { clipPair } from "../../widgets/clip_pair";
import { VerdictLine } from "../../widgets/verdict";
import { bodyPartWeights } from "./body_parts";
import { liveControl } from "./live_control";
import { blendOptions } from "./options";
import { weightRows } from "./weights";

const HELP =
  "A blend mixes clips that show the same action. Check two or more clips in the list, press New and choose Blend, " +
  "then drag the weights. Steer live keeps playing while you drag, or while you steer speed and turn with W, A, S and D " +
  "or a gamepad; Record saves what you do as keys in the timeline.";
const HINT =
  "Select a blend, or choose two clips to mix. To mix more, check them in the clip list, press New and choose Blend.";

/** Weights, options and body part masks of the selected blend. */
export function blendPanel(studio: Studio): Panel {
  const labels = { hint: HINT, first: "First clip", second: "Second clip", create: "Create blend" };
  return recipePanel(studio, {
    id: "blend",
    title: "Blend",
    help: HELP,
    kind: "blend",
    empty: clipPair(studio, labels, (...ids) => {
      const name = ids.map((id) => studio.item(id)?.name ?? id).join(" + ");
      studio.add(name, newBlend(ids));
    }),
    // Not built again for other changes, so that a slider being dragged stays the same element.
    outline: ({ item, recipe }) => JSON.stringify([item.id, recipe.sources.map((id) => [id, studio.item(id)?.name])]),
    build: (view) => [
      // Buttons and pad are first, so that both are in view on a small screen.
      liveControl(view),
      weightRows(view),
      verdict(),
      blendOptions(view),
      bodyPartWeights(view),
    ],
  });
}

/** How well the clips match, as the registration found it. */
function verdict(): Section<"blend"> {
  const line = new VerdictLine();
  return {
    element: line.element,
    update: ({ studio, item }) => {
      const { error, working } = studio.progressOf(item.id);
      const shown = studio.motion(item.id)?.header.verdict;
      if (error !== null) line.say(capitalize(error), true);
      else if (shown) line.show(shown);
      else line.say(working ? "Registering the clips…" : "");
    },
  };
}
