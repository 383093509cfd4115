import { element } from "../core/dom";
import type { Studio } from "../core/studio";

/** Milliseconds without a connection before it is worth a word: a reload of the server takes less. */
const GRACE = 800;
const WORDS =
  "The server does not answer; trying again. " +
  "If you started `motionloom studio` anew, open the address that it printed.";

/** Says that the server is out of reach; it goes away by itself when the connection is back. */
export function banner(studio: Studio): HTMLElement {
  const shown = element("div", { class: "banner", role: "status" });
  shown.hidden = true;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const update = (connected: boolean): void => {
    clearTimeout(waiting);
    if (connected) {
      shown.hidden = true;
      shown.textContent = "";
      return;
    }
    waiting = setTimeout(() => {
      shown.hidden = false;
      shown.textContent = WORDS;
    }, GRACE);
  };
  studio.connectionChanged.on(update);
  if (!studio.connection.connected) update(false);
  return shown;
}
