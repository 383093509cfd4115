import type { Item, Recipe } from "../../core/messages";
import { newBlend, newFramespace } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import type { Guide } from "./guide";

/** One action that the tour asks for. */
export interface Step {
  /** Selectors of the control, then of whatever leads to it. The tour points at the first one in view. */
  at: string[];
  /** What to do, in one sentence. */
  text: string;
  isDone(guide: Guide): boolean;
  /** Does the step for the user where clicking the control is not enough; false if that is not possible yet. */
  act?(guide: Guide): boolean;
}

/** A few steps that lead to a result. */
export interface Task {
  id: string;
  title: string;
  /** What the user has at the end, in one sentence. */
  result: string;
  /** Clips of the built-in project that the task works on. */
  needs: BuiltInClip[];
  steps: Step[];
}

export type BuiltInClip = "walk" | "jog" | "walk left" | "walk and jog";

const NEW_BUTTON = ".clip-head .primary";
const CLOSED_FOLDER = `.clip-folder [aria-expanded="false"]`;
const DISTANCE_MAP = [".distance-map", "#tab-registration"];
const PLANT_BUTTON = [".quality-panel > button", "#tab-quality"];
const RAILS = ".transition-panel .rails";

/** All tasks, in the recommended order. */
export const TASKS: Task[] = [
  {
    id: "play",
    title: "Play a clip",
    result: "Drag in the viewport to orbit, and drag the ruler below to scrub.",
    needs: ["walk"],
    steps: [
      select("walk", "Click walk in the clip list. The selected clip is drawn solid."),
      play("Press Play or the space bar."),
      {
        at: [`.timeline-bar [title^="Pause"]`, ".timeline-bar"],
        text: "Press it again to pause.",
        isDone: ({ studio }) => !studio.playback.playing,
      },
    ],
  },
  {
    id: "blend",
    title: "Blend two walks and export",
    result: "The blend is saved in your downloads.",
    needs: ["walk", "walk left"],
    steps: [
      check("walk", "Check the coloured box of walk."),
      check("walk left", "Check walk left, too."),
      create("Blend", "blend", "Press New and choose Blend to mix the checked clips."),
      {
        at: [".blend-panel input[type=range]", "#tab-blend"],
        text: "Drag the slider towards the walk you want more of; the figure follows.",
        isDone: (guide) => new Set(guide.recipe("blend")?.weights).size > 1,
        act: (guide) => guide.change("blend", { weights: [0.25, 0.75] }),
      },
      open("export", "Open the Export tab."),
      {
        at: [".export .primary", "#tab-export"],
        text: "Press Export to download the file.",
        isDone: (guide) => guide.exported,
      },
    ],
  },
  {
    id: "registration",
    title: "See how clips line up",
    result: "Pin frames when steps were matched wrongly; these two clips need no pins.",
    needs: ["walk and jog"],
    steps: [
      select("walk and jog", "Click walk and jog, a blend of those two clips."),
      open(
        "registration",
        "Open the Registration tab. Its map compares every pair of frames, and the blend follows the curve.",
      ),
      {
        at: DISTANCE_MAP,
        text: "Move over the map to compare two poses, and click to pin the frames under the pointer.",
        isDone: (guide) => (guide.recipe("blend")?.registration.pins.length ?? 0) > 0,
        act: () => {
          if (!document.querySelector("#registration-readout")?.textContent) return false; // still comparing
          document.querySelector<HTMLElement>(".registration-panel .buttons button")?.click();
          return true;
        },
      },
      {
        at: [`.layout > header [title^="Undo"]`],
        text: "Press Undo or Ctrl+Z to remove the pin. Everything in the studio can be undone.",
        isDone: (guide) => guide.recipe("blend")?.registration.pins.length === 0,
      },
    ],
  },
  {
    id: "plant",
    title: "Fix a sliding foot",
    result: "The table compares every measure before and after: planted feet no longer slide.",
    needs: ["walk and jog"],
    steps: [
      select("walk and jog", "Click walk and jog, a blend with planted feet."),
      open("quality", "Open the Quality tab."),
      {
        at: PLANT_BUTTON,
        text: "Press Turn planting off to see the blend without it.",
        isDone: (guide) => guide.recipe("blend")?.plant === false,
      },
      play("Play it. The ball at a foot turns red while the foot slides."),
      {
        at: PLANT_BUTTON,
        text: "Press Plant feet to remove the sliding.",
        isDone: (guide) => guide.recipe("blend")?.plant === true,
      },
    ],
  },
  {
    id: "transition",
    title: "Make a transition",
    result: "The table compares four methods; click one to use it.",
    needs: ["walk", "jog"],
    steps: [
      check("walk", "Check walk, where the transition starts."),
      check("jog", "Then check jog, where it ends."),
      create("Transition", "transition", "Press New and choose Transition. The best point is found automatically."),
      play("Press Play here to watch it, starting one second before.", `${RAILS} .primary`),
      {
        at: [`${RAILS} .rail-centre`, "#tab-transition"],
        text: "Drag the middle handle of a rail, or use the arrow keys, to choose other frames.",
        isDone: (guide) => (guide.recipe("transition")?.at ?? null) !== null,
        act: () => {
          const key = new KeyboardEvent("keydown", {
            key: "ArrowLeft",
            shiftKey: true,
            bubbles: true,
            cancelable: true,
          });
          return document.querySelector(`${RAILS} .rail-centre`)?.dispatchEvent(key) === false; // it used the key
        },
      },
      {
        at: [`${RAILS} .automatic`, "#tab-transition"],
        text: "Press Find best point to return to the automatic choice.",
        isDone: (guide) => guide.recipe("transition")?.at === null,
      },
    ],
  },
  {
    id: "limp",
    title: "Make a limp",
    result: "The original walk is unchanged: the warp is a separate clip.",
    needs: ["walk"],
    steps: [
      select("walk", "Click walk, the clip that should limp."),
      open("warp", "Open the Warp tab."),
      {
        at: [".warp-panel .primary", "#tab-warp"],
        text: "Press Warp walk to create a copy that you can edit.",
        isDone: (guide) => guide.newClip("warp") !== null,
      },
      {
        at: [`.warp-preset[data-name="limp"]`, ".preset-box:not([open]) summary", ".preset-box", "#tab-warp"],
        text: "Choose the preset limp.",
        isDone: (guide) => guide.recipe("warp")?.preset === "limp",
      },
      {
        at: [".warp-strength input", "#tab-warp"],
        text: "Drag Strength to limp more or less.",
        isDone: (guide) => (guide.recipe("warp")?.amount ?? 1) !== 1,
        act: (guide) => guide.change("warp", { amount: 1.5 }),
      },
      play("Play it next to the original walk."),
    ],
  },
  {
    id: "framespace",
    title: "Draw a framespace curve",
    result: "Double-click to add a vertex; press Delete to remove the selected one.",
    needs: ["walk", "jog"],
    steps: [
      check("walk", "Check walk."),
      check("jog", "Check jog. Both are cycles, and the framespace lies between them."),
      create("Framespace", "framespace", "Press New and choose Framespace."),
      {
        at: [".space-field", "#tab-framespace"],
        text: "Drag a round vertex: up means more jog, and time runs from left to right.",
        isDone: (guide) => {
          const recipe = guide.recipe("framespace");
          return recipe !== null && String(recipe.curve) !== String(newFramespace(recipe.sources).curve);
        },
        act: (guide) =>
          guide.change("framespace", {
            curve: [
              [0, 0],
              [0.25, 0.9],
              [0.75, 0.9],
              [1, 0],
            ],
          }),
      },
      play("Play it: the motion follows your curve."),
    ],
  },
];

function select(name: string, text: string): Step {
  return {
    at: [`.clip-name[title^="${name}:"]`, CLOSED_FOLDER],
    text,
    isDone: ({ studio }) => studio.selected?.name === name,
  };
}

function check(name: string, text: string): Step {
  const box = `[aria-label="Check ${name}"]`;
  const isDone = (): boolean => document.querySelector<HTMLInputElement>(box)?.checked ?? false;
  return { at: [box, CLOSED_FOLDER], text, isDone };
}

/** Choose an entry of the New menu, which adds a clip of a kind. */
function create(entry: string, kind: Recipe["type"], text: string): Step {
  return { at: [`.menu [data-label="${entry}"]`, NEW_BUTTON], text, isDone: (guide) => guide.newClip(kind) !== null };
}

function open(panel: string, text: string): Step {
  const tab = `#tab-${panel}`;
  return { at: [tab], text, isDone: () => document.querySelector(tab)?.ariaSelected === "true" };
}

/** Play the selected clip; `at` selects another button that does so. */
function play(text: string, at = `.timeline-bar [title^="Play"]`): Step {
  return { at: [at, ".timeline-bar"], text, isDone: ({ studio }) => studio.playback.playing };
}

/** The step that comes first if clips are missing, or none. All of them are built in, so they can be added again. */
export function stepsToAddClips(studio: Studio, needs: BuiltInClip[]): Step[] {
  if (missing(studio, needs).length === 0) return [];
  const withSources: BuiltInClip[] = needs.includes("walk and jog") ? ["walk", "jog", ...needs] : needs;
  return [
    {
      at: [NEW_BUTTON],
      text: `This task needs ${needs.join(" and ")}, which the project does not have. Add what is missing.`,
      isDone: () => missing(studio, needs).length === 0,
      // One at a time: the blend needs the ids of its sources.
      act: () => add(studio, missing(studio, withSources)),
    },
  ];
}

function missing(studio: Studio, needs: BuiltInClip[]): BuiltInClip[] {
  return needs.filter((name) => !findByName(studio, name));
}

function findByName(studio: Studio, name: string): Item | undefined {
  return studio.document.items.find((item) => item.name === name);
}

function add(studio: Studio, [name]: BuiltInClip[]): boolean {
  if (name) studio.add(name, recipeOf(studio, name));
  return name !== undefined;
}

function recipeOf(studio: Studio, name: BuiltInClip): Recipe {
  if (name === "walk and jog") return newBlend(["walk", "jog"].map((source) => findByName(studio, source)?.id ?? ""));
  return { type: "motion", motion: name.replaceAll(" ", "_"), options: {} };
}
