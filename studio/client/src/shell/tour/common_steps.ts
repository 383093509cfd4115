import type { Recipe } from "../../core/messages";
import type { Step } from "./step";

/** Steps that several tasks have. */

const NEW = ".clip-head .primary";

export function select(name: string, text: string): Step {
  return {
    at: [`.clip-name[title^="${name}:"]`],
    text,
    isDone: ({ studio }) => studio.selected?.name === name,
  };
}

export function mark(name: string, text: string): Step {
  const box = `[aria-label="Mark ${name}"]`;
  return { at: [box], text, isDone: () => document.querySelector<HTMLInputElement>(box)?.checked ?? false };
}

/** Choose an entry of New, which adds a clip of a kind. */
export function make(entry: string, kind: Recipe["type"], text: string): Step {
  return { at: [`.menu [data-label="${entry}"]`, NEW], text, isDone: (guide) => guide.made(kind) !== null };
}

export function open(panel: string, text: string): Step {
  const tab = `#tab-${panel}`;
  return { at: [tab], text, isDone: () => document.querySelector(tab)?.ariaSelected === "true" };
}

/** Play the selected clip; `at` is another button that does so. */
export function play(text: string, at = `.timeline-bar [title^="Play"]`): Step {
  return { at: [at, ".timeline-bar"], text, isDone: ({ studio }) => studio.playback.playing };
}
