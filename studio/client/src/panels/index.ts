import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { blendPanel } from "./blend/panel";
import { clipPanel } from "./clip/panel";
import { exportPanel } from "./export/panel";
import { framespacePanel } from "./framespace/panel";
import { loopPanel } from "./loop/panel";
import { qualityPanel } from "./quality/panel";
import { registrationPanel } from "./registration/panel";
import { transitionPanel } from "./transition/panel";
import { warpPanel } from "./warp/panel";

/** The panels on the right, in the order of their tabs. A new panel is a file here and a line in this list. */
export const PANELS: ((studio: Studio) => Panel)[] = [
  blendPanel,
  qualityPanel,
  registrationPanel,
  transitionPanel,
  loopPanel,
  warpPanel,
  framespacePanel,
  clipPanel,
  exportPanel,
];
