import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import type { ThemeChoice } from "../core/theme";
import { iconButton, relabel } from "../widgets/buttons";

/** Name, undo and redo, project, save state, theme and help. */
export function header(studio: Studio, openHelp: () => void): HTMLElement {
  return element(
    "header",
    {},
    element("span", { class: "brand" }, element("img", { src: "./icon.svg", alt: "" }), "Motionloom studio"),
    ...historyButtons(studio),
    projectName(studio),
    element("span", { class: "push" }),
    saveState(studio),
    themeSelect(studio),
    helpButton(openHelp),
  );
}

function helpButton(open: () => void): HTMLElement {
  const attributes = { type: "button", title: "Help (?)", "aria-label": "Help", class: "icon" };
  return element("button", { ...attributes, onclick: () => open() }, "?");
}

function projectName(studio: Studio): HTMLElement {
  const name = element("span", { class: "project muted" });
  studio.documentChanged.on(() => {
    const path = studio.state?.project ?? "";
    name.textContent = path.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
    name.title = `Project folder: ${path}`;
  });
  return name;
}

function historyButtons(studio: Studio): HTMLElement[] {
  const undo = iconButton("undo", "Undo", () => studio.undo());
  const redo = iconButton("redo", "Redo", () => studio.redo());
  const update = (): void => {
    const { undo: last = null, redo: next = null } = studio.state ?? {};
    undo.disabled = last === null;
    redo.disabled = next === null;
    relabel(undo, last === null ? "Nothing to undo" : `Undo: ${last} (Ctrl+Z)`);
    relabel(redo, next === null ? "Nothing to redo" : `Redo: ${next} (Ctrl+Shift+Z)`);
  };
  studio.historyChanged.on(update);
  update();
  studio.shortcuts.register(
    { id: "undo", keys: ["Ctrl+Z"], label: "Undo", group: "Editing", action: () => studio.undo() },
    { id: "redo", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], label: "Redo", group: "Editing", action: () => studio.redo() },
  );
  return [undo, redo];
}

/** Whether the project, which saves itself, is saved. */
function saveState(studio: Studio): HTMLElement {
  const state = element("span", { class: "save-state muted", role: "status" }, "Connecting…");
  let savedRevision: number | null = null;
  const update = (): void => {
    const connected = studio.connection.connected;
    state.classList.toggle("bad", !connected && studio.state !== null);
    if (!connected) state.textContent = studio.state === null ? "Connecting…" : "Not connected";
    else state.textContent = studio.isAnswered && studio.state?.revision === savedRevision ? "Saved" : "Saving…";
  };
  studio.documentChanged.on(() => {
    savedRevision ??= studio.state!.revision; // the document that the server opened is on disk
    update();
  });
  studio.saved.on((revision) => {
    savedRevision = revision;
    update();
  });
  studio.connectionChanged.on((connected) => {
    if (connected) savedRevision = null;
    update();
  });
  return state;
}

function themeSelect({ theme }: Studio): HTMLElement {
  const choices: [ThemeChoice, string][] = [
    ["system", "System theme"],
    ["dark", "Dark"],
    ["light", "Light"],
  ];
  const select = element("select", {
    "aria-label": "Theme",
    onchange: () => (theme.choice = select.value as ThemeChoice),
  });
  select.append(...choices.map(([value, label]) => element("option", { value }, label)));
  select.value = theme.choice;
  return select;
}

/** Milliseconds without a connection before the banner appears; a restart of the server takes less. */
const BANNER_DELAY = 800;
const CONNECTION_LOST =
  "Connection to the server lost; reconnecting. " +
  "If you restarted `motionloom studio`, open the new address that it printed.";

/** Says that the server cannot be reached; disappears when the connection is back. */
export function banner(studio: Studio): HTMLElement {
  const box = element("div", { class: "banner", role: "status" });
  box.hidden = true;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const update = (connected: boolean): void => {
    clearTimeout(waiting);
    if (connected) {
      box.hidden = true;
      box.textContent = "";
      return;
    }
    waiting = setTimeout(() => {
      box.hidden = false;
      box.textContent = CONNECTION_LOST;
    }, BANNER_DELAY);
  };
  studio.connectionChanged.on(update);
  if (!studio.connection.connected) update(false);
  return box;
}
