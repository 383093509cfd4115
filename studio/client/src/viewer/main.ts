import "../style/tokens.css";
import "../style/base.css";
import "../style/viewport.css";
import "../style/curve_plot.css";
import "../style/overlays.css";
import "./viewer.css";
import { element } from "../core/dom";
import type { PageData } from "../core/messages";
import { Playback } from "../core/playback";
import { Theme } from "../core/theme";
import { comparison } from "./comparison";
import { Player } from "./player";
import { Sheet } from "./sheet";
import { readMotion, readPage } from "./unpacking";

const NO_WEBGL =
  "This browser cannot move the figures because WebGL 2 is missing. Turn on hardware acceleration or use another " +
  "browser. The picture shows: ";

const UNREADABLE =
  "The motion of this page cannot be read: the file is incomplete, or the browser is too old. Save the page again, or " +
  "open it in a current browser.";

/** Build the page around what it holds. */
function start(root: HTMLElement): void {
  const page = readPage();
  const theme = new Theme();
  const header = element("header", { class: "page-header" }, element("h1", {}, page.title));
  const notes = page.kind === "compare" ? [] : page.notes; // a comparison has them below its measurements
  root.append(header, ...notes.map((note) => element("p", { class: "note" }, note)));
  try {
    if (page.kind === "sheet") startSheet(page, theme, root, header);
    else startPlayer(page, theme, root);
    header.append(themeButton(theme));
  } catch (error) {
    explain(error, root);
    if (page.kind !== "compare") return;
    const still = element("main", { class: "compare" }, ...root.querySelectorAll(".poster"));
    still.append(comparison(page, new Playback(), theme));
    root.append(still);
  }
}

/** Say why nothing moves, above the still picture. */
function explain(error: unknown, root: HTMLElement): void {
  console.warn(error);
  if (root.querySelector("[role=alert]")) return; // said of another clip
  const hasWebGl = document.createElement("canvas").getContext("webgl2") !== null;
  const posters = document.querySelectorAll(".poster");
  const shown = posters[0]?.getAttribute("aria-label") ?? "nothing";
  const note = element("p", { class: "note", role: "alert" }, hasWebGl ? UNREADABLE : `${NO_WEBGL}${shown}.`);
  root.append(note, ...posters);
}

function startSheet(page: PageData, theme: Theme, root: HTMLElement, header: HTMLElement): void {
  const sheet = new Sheet(page, theme, (error) => explain(error, root));
  removePoster();
  document.documentElement.classList.add("scrolls");
  header.append(sheet.controls);
  root.append(sheet.element);
  playUnlessReduced(sheet.playback);
  Object.assign(window, { viewer: sheet });
}

function startPlayer(page: PageData, theme: Theme, root: HTMLElement): void {
  const player = new Player(page.clips, page.layout, theme);
  const main = element("main", { class: page.kind }, player.element);
  if (page.kind === "compare") main.append(comparison(page, player.playback, theme));
  root.append(main);
  Object.assign(window, { viewer: player.view, player });
  load(page, player).catch((error: unknown) => explain(error, root));
}

async function load(page: PageData, player: Player): Promise<void> {
  for (const [n, clip] of page.clips.entries()) {
    player.add(n, await readMotion(clip, n));
    if (n === 0) removePoster();
  }
  player.start();
  playUnlessReduced(player.playback);
  document.documentElement.dataset["ready"] = "true";
}

function removePoster(): void {
  document.querySelector(".poster")?.remove();
}

function playUnlessReduced(playback: Playback): void {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) playback.play();
}

function themeButton(theme: Theme): HTMLElement {
  return element(
    "button",
    {
      type: "button",
      class: "icon plain",
      title: "Light or dark",
      "aria-label": "Light or dark",
      onclick: () => (theme.choice = document.documentElement.dataset["theme"] === "light" ? "dark" : "light"),
    },
    "◐",
  );
}

start(document.getElementById("viewer")!);
