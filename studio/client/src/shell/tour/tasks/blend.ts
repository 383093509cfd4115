import { make, mark, open } from "../common_steps";
import type { Task } from "../step";

export const blendTask: Task = {
  id: "blend",
  title: "Blend two walks and export",
  result: "The file with the blend is in your downloads.",
  needs: ["walk", "walk left"],
  steps: [
    mark("walk", "Tick the coloured box of walk to mark it."),
    mark("walk left", "Mark walk left, too."),
    make("Blend", "blend", "Press New and choose Blend: it mixes the marked clips."),
    {
      at: [".blend-panel input[type=range]", "#tab-blend"],
      text: "Drag the slider towards the walk that you want more of; the figure follows.",
      isDone: (guide) => new Set(guide.recipe("blend")?.weights).size > 1,
      act: (guide) => guide.change("blend", { weights: [0.25, 0.75] }),
    },
    open("export", "Open the Export tab."),
    {
      at: [".export > .primary", "#tab-export"],
      text: "Press Export: the file goes to your downloads.",
      isDone: (guide) => guide.exported,
    },
  ],
};
