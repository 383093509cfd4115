import { open, play, select } from "../common_steps";
import type { Task } from "../step";

export const limpTask: Task = {
  id: "limp",
  title: "Make a limp",
  result: "The walk itself stays as it is: the warp is a clip of its own.",
  needs: ["walk"],
  steps: [
    select("walk", "Click walk, the clip that is to limp."),
    open("warp", "Open the Warp tab."),
    {
      at: [".warp-panel .primary", "#tab-warp"],
      text: "Press Warp walk: it makes a copy that can be reshaped.",
      isDone: (guide) => guide.made("warp") !== null,
    },
    {
      at: [`.warp-preset[data-name="limp"]`, ".preset-box:not([open]) summary", ".preset-box", "#tab-warp"],
      text: "Choose limp among the warp presets.",
      isDone: (guide) => guide.recipe("warp")?.preset === "limp",
    },
    {
      at: [".warp-strength input", "#tab-warp"],
      text: "Drag Strength to limp more or less.",
      isDone: (guide) => (guide.recipe("warp")?.amount ?? 1) !== 1,
      act: (guide) => guide.change("warp", { amount: 1.5 }),
    },
    play("Play it beside the walk that it is made of."),
  ],
};
