import { element } from "../../core/dom";
import type { Section } from "../../core/panel";
import type { TransitionEditor } from "./editor";
import { Rail, type RailState } from "./rail";

/** Half width in seconds that is shown until the real one is known. */
const DEFAULT_HALF_WIDTH = 0.5;

/** Seconds that are played before the transition starts. */
const LEAD_IN = 1;

/** Both clips as rails: where the first is left, where the second is entered, and how long that takes. */
export function rails(editor: TransitionEditor): Section<"transition"> {
  const setFrame = (which: 0 | 1, frame: number): void => {
    const at = editor.meetingFrames;
    at[which] = frame;
    editor.change({ at });
  };
  const both = ([0, 1] as const).map(
    (which) =>
      new Rail({
        onMove: (frame) => setFrame(which, frame),
        onResize: (halfWidth) => editor.change({ half_width: halfWidth }),
      }),
  );
  const play = element(
    "button",
    {
      type: "button",
      class: "primary",
      title: `Play from ${LEAD_IN} s before the transition`,
      onclick: () => playTransition(editor),
    },
    "Play",
  );
  const automatic = element(
    "button",
    { type: "button", class: "automatic", onclick: () => editor.change({ at: null, half_width: null }) },
    "Find best point",
  );
  const swap = element("button", { type: "button", onclick: () => swapClips(editor) }, "Swap clips");
  const text = element("p", { class: "hint", role: "status" });
  return {
    element: element(
      "section",
      { class: "rails" },
      ...both.map((rail) => rail.element),
      text,
      element("div", { class: "buttons" }, play, automatic, swap),
    ),
    update: ({ studio, item }) => {
      const states = ([0, 1] as const).map((which) => railState(editor, which));
      const seconds = Math.max(...states.map((state) => (state ? (state.frames - 1) / state.fps : 0)));
      states.forEach((state, n) => {
        if (state) both[n]!.set({ ...state, across: seconds * state.fps });
      });
      const { error, working } = studio.progressOf(item.id);
      play.disabled = error !== null || working || !studio.motion(item.id);
      automatic.disabled = editor.isAutomatic;
      text.textContent = describe(editor);
    },
  };
}

function railState(editor: TransitionEditor, which: 0 | 1): Omit<RailState, "across"> | null {
  const { studio, recipe, results, result } = editor;
  const id = which === 0 ? recipe.first : recipe.second;
  const [item, motion] = [studio.item(id), studio.motion(id)];
  if (!item || !motion) return null;
  return {
    name: item.name,
    colour: item.colour,
    fps: motion.header.fps,
    frames: motion.nFrames,
    strikes: motion.header.events.filter(({ label }) => label === "strike").map(({ frame }) => frame),
    repeats: results?.repeats[which] ?? null,
    centre: editor.meetingFrames[which],
    half: recipe.half_width ?? (result?.duration ? result.duration / 2 : DEFAULT_HALF_WIDTH),
    span: result?.spans?.[which] ?? null,
  };
}

/** Play the result from a moment before its first seam. */
function playTransition({ studio }: TransitionEditor): void {
  const header = studio.selected && studio.motion(studio.selected.id)?.header;
  if (!header) return;
  studio.playback.seek(Math.max(0, (header.seams[0] ?? 0) / header.fps - LEAD_IN));
  studio.playback.play(1);
}

function swapClips(editor: TransitionEditor): void {
  const { first, second, at } = editor.recipe;
  editor.change({ first: second, second: first, at: at && [at[1], at[0]] });
}

/** Where the transition is, and whether that was chosen automatically. */
function describe({ result, isAutomatic }: TransitionEditor): string {
  if (!result?.at) return "";
  const [a, b] = result.at;
  const how = isAutomatic ? "Automatic" : "Manual";
  return `${how}: frame ${a} meets frame ${b}, lasting ${result.duration!.toFixed(2)} s.`;
}
