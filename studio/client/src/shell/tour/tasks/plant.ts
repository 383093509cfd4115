import { open, play, select } from "../common_steps";
import type { Task } from "../step";

const SWITCH = [".quality-panel > button", "#tab-quality"];

export const plantTask: Task = {
  id: "plant",
  title: "Plant a sliding foot",
  result: "The table shows every figure before and after: planted feet slide no more.",
  needs: ["walk and jog"],
  steps: [
    select("walk and jog", "Click walk and jog, a blend whose feet are planted."),
    open("quality", "Open the Quality tab."),
    {
      at: SWITCH,
      text: "Press Let the feet go, to see what the blend does by itself.",
      isDone: (guide) => guide.recipe("blend")?.plant === false,
    },
    play("Play it: a ball at a foot turns red while the foot slides."),
    {
      at: SWITCH,
      text: "Press Plant the feet, and the sliding is gone.",
      isDone: (guide) => guide.recipe("blend")?.plant === true,
    },
  ],
};
