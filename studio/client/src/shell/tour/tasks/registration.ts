import { open, select } from "../common_steps";
import type { Task } from "../step";

const MAP = [".distance-map", "#tab-registration"];

export const registrationTask: Task = {
  id: "registration",
  title: "See how clips correspond",
  result: "Pins are for clips whose steps were matched wrongly; these two need none.",
  needs: ["walk and jog"],
  steps: [
    select("walk and jog", "Click walk and jog, a blend of these two clips."),
    open(
      "registration",
      "Open the Registration tab: its map compares every two frames, and the line is the way that the blend takes.",
    ),
    {
      at: MAP,
      text: "Move over the map to see the two poses, and click to pin the frames under the pointer.",
      isDone: (guide) => (guide.recipe("blend")?.registration.pins.length ?? 0) > 0,
      act: () => {
        if (!document.querySelector("#registration-readout")?.textContent) return false; // still comparing
        document.querySelector<HTMLElement>(".registration-panel .buttons button")?.click();
        return true;
      },
    },
    {
      at: [`.layout > header [title^="Undo"]`],
      text: "Press Undo, or Ctrl+Z, to take the pin out again: everything here can be undone.",
      isDone: (guide) => guide.recipe("blend")?.registration.pins.length === 0,
    },
  ],
};
