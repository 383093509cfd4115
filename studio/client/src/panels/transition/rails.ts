import { element } from "../../core/dom";
import { Rail } from "./rail";
import { made, type Section, type TransitionView } from "./view";

/** Half of a transition that nothing is known about yet, seconds. */
const USUAL_HALF = 0.5;

/** Both clips as rails: where the first is left and the second entered, and how long it takes. */
export function rails(view: TransitionView, play: HTMLElement): Section {
  let latest = view;
  const move = (which: 0 | 1, frame: number): void => {
    const at = meeting(latest);
    at[which] = frame;
    latest.change({ at });
  };
  const widened = (half: number): void => latest.change({ half_width: half });
  const both = ([0, 1] as const).map((which) => new Rail({ centred: (frame) => move(which, frame), widened }));
  const automatic = element(
    "button",
    { type: "button", class: "automatic", onclick: () => latest.change({ at: null, half_width: null }) },
    "Find the best place",
  );
  const swap = element(
    "button",
    { type: "button", title: "Lead from the second clip to the first", onclick: () => latest.change(swapped(latest)) },
    "Swap",
  );
  const words = element("p", { class: "hint", role: "status" });
  return {
    element: element(
      "section",
      { class: "rails" },
      ...both.map((rail) => rail.element),
      words,
      element("div", { class: "buttons" }, play, automatic, swap),
    ),
    update(next) {
      latest = next;
      const states = ([0, 1] as const).map((which) => stateOf(next, which));
      const seconds = Math.max(...states.map((state) => (state ? (state.frames - 1) / state.fps : 0)));
      states.forEach((state, n) => {
        if (state) both[n]!.set({ ...state, across: seconds * state.fps });
      });
      const { at, half_width } = next.recipe;
      automatic.disabled = at === null && half_width === null;
      words.textContent = placement(next);
    },
  };
}

/** The frames that meet: those asked for, those that were found, or the middles of the clips. */
function meeting({ studio, recipe, ...rest }: TransitionView): [number, number] {
  const found = made({ studio, recipe, ...rest })?.at;
  const middle = (id: string): number => Math.floor((studio.motion(id)?.nFrames ?? 0) / 2);
  const [a, b] = recipe.at ?? found ?? [middle(recipe.first), middle(recipe.second)];
  return [Math.round(a), Math.round(b)];
}

function stateOf(view: TransitionView, which: 0 | 1) {
  const { studio, recipe, found } = view;
  const id = which === 0 ? recipe.first : recipe.second;
  const [item, motion] = [studio.item(id), studio.motion(id)];
  if (!item || !motion) return null;
  const seconds = made(view)?.seconds;
  return {
    name: item.name,
    colour: item.colour,
    fps: motion.head.fps,
    frames: motion.nFrames,
    strikes: motion.head.events.filter(({ label }) => label === "strike").map(({ frame }) => frame),
    repeats: found?.repeats[which] ?? null,
    centre: meeting(view)[which],
    half: recipe.half_width ?? (seconds ? seconds / 2 : USUAL_HALF),
    span: made(view)?.spans?.[which] ?? null,
  };
}

function swapped({ recipe }: TransitionView) {
  const at: [number, number] | null = recipe.at && [recipe.at[1], recipe.at[0]];
  return { first: recipe.second, second: recipe.first, at };
}

/** Where the transition is and who chose that. */
function placement(view: TransitionView): string {
  const chosen = made(view);
  if (!chosen?.at) return "";
  const [a, b] = chosen.at;
  const { at, half_width } = view.recipe;
  const who = at === null && half_width === null ? "Found" : "By hand";
  return `${who}: frame ${a} meets ${b}, over ${chosen.seconds!.toFixed(2)} s.`;
}
