import { newFramespace } from "../../../core/recipes";
import { make, mark, play } from "../common_steps";
import type { Task } from "../step";

export const framespaceTask: Task = {
  id: "framespace",
  title: "Draw a framespace curve",
  result: "Double-click adds a vertex, Delete removes the chosen one.",
  needs: ["walk", "jog"],
  steps: [
    mark("walk", "Mark walk."),
    mark("jog", "Mark jog: both are cycles, and the space lies between them."),
    make("Framespace", "framespace", "Press New and choose Framespace."),
    {
      at: [".space-field", "#tab-framespace"],
      text: "Drag a round vertex: up is more of the jog, and time goes from left to right.",
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
    play("Play it: the motion goes along your curve."),
  ],
};
