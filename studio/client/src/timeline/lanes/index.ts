import type { Shown } from "../shown";
import { clipLane } from "./clip_lane";
import { eventLanes } from "./event_lanes";
import type { Lane } from "./lane";
import { plantLanes } from "./plant_lanes";
import { timingLane } from "./timing_lane";
import { fixedWeightLane, weightLane } from "./weight_lane";

/** All lanes of a clip, from top to bottom. */
export function lanesOf(shown: Shown): Lane[] {
  const recipe = shown.item.recipe;
  const weights = recipe.type === "blend" ? weightLane(shown, recipe) : fixedWeightLane(shown);
  const lanes = [clipLane(shown), weights, timingLane(shown), ...plantLanes(shown), ...eventLanes(shown)];
  return lanes.filter((lane) => lane !== null);
}
