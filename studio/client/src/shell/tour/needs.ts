import type { Item, Recipe } from "../../core/messages";
import { newBlend } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import type { Needed, Step } from "./step";

const NEW = ".clip-head .primary";

/** The step that comes first where clips are missing, or none. They can be added again: all of them are built in. */
export function preparing(studio: Studio, needs: Needed[]): Step[] {
  if (missing(studio, needs).length === 0) return [];
  return [
    {
      at: [NEW],
      text: `This task uses ${needs.join(" and ")}, which the project does not have: let them be added.`,
      isDone: () => missing(studio, needs).length === 0,
      // One at a time: the blend is made of what comes before it.
      act: () => add(studio, missing(studio, withSources(needs))),
    },
  ];
}

function missing(studio: Studio, needs: Needed[]): Needed[] {
  return needs.filter((name) => !named(studio, name));
}

function named(studio: Studio, name: string): Item | undefined {
  return studio.document.items.find((item) => item.name === name);
}

function withSources(needs: Needed[]): Needed[] {
  return needs.includes("walk and jog") ? ["walk", "jog", ...needs] : needs;
}

function add(studio: Studio, [name]: Needed[]): boolean {
  if (name) studio.do({ type: "add", name, recipe: recipeOf(studio, name) });
  return name !== undefined;
}

function recipeOf(studio: Studio, name: Needed): Recipe {
  if (name === "walk and jog") return newBlend(["walk", "jog"].map((source) => named(studio, source)?.id ?? ""));
  return { type: "motion", motion: name.replaceAll(" ", "_"), options: {} };
}
