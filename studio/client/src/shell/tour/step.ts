import type { Guide } from "./guide";

/** One thing to do. */
export interface Step {
  /** Selectors of the control and then of what leads to it: the first that is in view is pointed at. */
  at: string[];
  /** What to do, in one sentence. */
  text: string;
  isDone(guide: Guide): boolean;
  /** Do it in the user's place, where pressing what is pointed at is not enough; false where that cannot be yet. */
  act?(guide: Guide): boolean;
}

/** A few steps that lead to a result. */
export interface Task {
  id: string;
  title: string;
  /** What one has at the end, in one sentence. */
  result: string;
  /** Clips of the first project that the task is done with. */
  needs: Needed[];
  steps: Step[];
}

export type Needed = "walk" | "jog" | "walk left" | "walk and jog";
