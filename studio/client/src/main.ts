import "./style/tokens.css";
import "./style/base.css";
import { element } from "./core/dom";
import { Studio } from "./core/studio";
import { layout } from "./layout";
import { PANELS } from "./panels";
import { clipsPanel } from "./panels/clips/panel";
import { banner, header } from "./shell/header";
import { helpKey } from "./shell/help";
import { registerPartKeys } from "./shell/part_keys";
import { offerTour } from "./shell/tour/tour";
import { timelinePanel } from "./timeline/timeline";
import { viewportPanel } from "./viewport/viewport";
import { acceptDrops } from "./widgets/add_files";
import { tabs } from "./widgets/tabs";
import { Toasts } from "./widgets/toasts";

// One style sheet per part of the page; new ones are picked up by themselves.
import.meta.glob("./style/*.css", { eager: true });

/**
 * Return the token that `motionloom studio` printed in its address, and take it out of the address bar, which others
 * see on a screen or in a picture of it. The tab keeps it, so that reloading works.
 */
function takeToken(): string | null {
  const given = new URLSearchParams(location.search).get("token");
  if (given === null) return sessionStorage.getItem("token");
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given;
}

/** Build the page. */
function start(root: HTMLElement): void {
  const token = takeToken();
  if (token === null) {
    root.append(element("p", {}, "This address is not complete: open the address that motionloom studio printed."));
    return;
  }
  const studio = new Studio(token);
  Object.assign(window, { studio });
  const toasts = new Toasts();
  studio.spoke.on(({ kind, text }) => (kind === "error" ? toasts.error(text) : toasts.info(text)));
  studio.began.on((task) => toasts.follow(task));
  addEventListener("unhandledrejection", ({ reason }) => studio.sayError(reason));
  addEventListener("error", ({ error }) => {
    if (error) studio.sayError(error); // none where the browser only warns
  });

  const clips = clipsPanel(studio);
  const viewport = viewportPanel(studio);
  const timeline = timelinePanel(studio);
  const panels = tabs(
    "panels",
    "Panels",
    PANELS.map((panel) => panel(studio)),
  );
  studio.panelRequested.on((id) => panels.show(id));
  const openHelp = helpKey(studio, () => [...(panels.current ? [panels.current] : []), clips, viewport, timeline]);

  root.append(
    layout({
      header: header(studio, openHelp),
      left: element("aside", { class: "left", "aria-label": clips.title }, clips.element),
      centre: element("main", { class: "centre" }, viewport.element),
      right: element("aside", { class: "right", "aria-label": "Panels" }, panels.element),
      bottom: element("div", { class: "bottom" }, timeline.element),
    }),
    banner(studio),
    toasts.element,
  );
  acceptDrops(studio);
  offerTour(studio);
  registerPartKeys(studio);
  studio.shortcuts.listen(document);
  studio.gesture.listen(document);
}

start(document.getElementById("studio")!);
