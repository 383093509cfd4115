import type { Task } from "../step";
import { blendTask } from "./blend";
import { framespaceTask } from "./framespace";
import { limpTask } from "./limp";
import { plantTask } from "./plant";
import { playTask } from "./play";
import { registrationTask } from "./registration";
import { transitionTask } from "./transition";

/** All tasks, in the order in which they are best done. A new one is a file here and a line in this list. */
export const TASKS: Task[] = [
  playTask,
  blendTask,
  registrationTask,
  plantTask,
  transitionTask,
  limpTask,
  framespaceTask,
];
