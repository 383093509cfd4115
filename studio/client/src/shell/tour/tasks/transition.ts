import { make, mark, play } from "../common_steps";
import type { Task } from "../step";

const RAILS = ".transition-panel .rails";

export const transitionTask: Task = {
  id: "transition",
  title: "Find a transition",
  result: "The table below compares four ways to make it; press one to take it.",
  needs: ["walk", "jog"],
  steps: [
    mark("walk", "Mark walk, where the transition starts."),
    mark("jog", "Then mark jog, where it leads."),
    make("Transition", "transition", "Press New and choose Transition: the best place for it is found."),
    play("Press Play here to see it, from a second before it begins.", `${RAILS} .primary`),
    {
      at: [`${RAILS} .rail-centre`, "#tab-transition"],
      text: "Drag the middle handle of a rail, or use the arrow keys, to let other frames meet.",
      isDone: (guide) => (guide.recipe("transition")?.at ?? null) !== null,
      act: () => {
        const key = new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, bubbles: true, cancelable: true });
        return document.querySelector(`${RAILS} .rail-centre`)?.dispatchEvent(key) === false; // it took the key
      },
    },
    {
      at: [`${RAILS} .automatic`, "#tab-transition"],
      text: "Press Find the best place to go back to what was found.",
      isDone: (guide) => guide.recipe("transition")?.at === null,
    },
  ],
};
