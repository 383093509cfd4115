import type { Studio } from "../../core/studio";

/** Attributes that tell of something that was done: opened, chosen, hidden, switched. */
const TELLING = ["hidden", "open", "disabled", "class", "title", "aria-selected", "aria-pressed"];
const EVENTS = ["change", "toggle", "scroll"];

/** Call `act` once per picture in which the studio or the page changed; the function that is returned stops it. */
export function onAnyChange(studio: Studio, act: () => void): () => void {
  let asked = 0;
  const ask = (): void => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      act();
    });
  };
  const { documentChanged, selectionChanged, itemChanged, exported, playback } = studio;
  const stops = [documentChanged, selectionChanged, itemChanged, exported, playback.changed].map((signal) =>
    signal.on(ask),
  );
  const observer = new MutationObserver(ask);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: TELLING });
  // Scrolling and opening do not bubble, but they can be caught on their way down.
  EVENTS.forEach((name) => document.addEventListener(name, ask, true));
  addEventListener("resize", ask);
  return () => {
    cancelAnimationFrame(asked);
    stops.forEach((stop) => stop());
    observer.disconnect();
    EVENTS.forEach((name) => document.removeEventListener(name, ask, true));
    removeEventListener("resize", ask);
  };
}
