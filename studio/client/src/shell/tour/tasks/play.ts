import { play, select } from "../common_steps";
import type { Task } from "../step";

export const playTask: Task = {
  id: "play",
  title: "Look at a clip",
  result: "Drag the picture to turn it, and the ruler below to go through the clip.",
  needs: ["walk"],
  steps: [
    select("walk", "Click walk in the list: the selected clip is the solid figure."),
    play("Press Play, or the space bar."),
    {
      at: [`.timeline-bar [title^="Pause"]`, ".timeline-bar"],
      text: "Press it again to stop.",
      isDone: ({ studio }) => !studio.playback.playing,
    },
  ],
};
