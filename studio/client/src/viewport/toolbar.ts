import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import type { ViewName } from "./camera";
import type { View } from "./settings";
import type { Viewport } from "./viewport";

type Toggle = { [Name in keyof View]: View[Name] extends boolean ? Name : never }[keyof View];

const TOGGLES: [Toggle, string, string][] = [
  ["onlySelected", "Only selected", "Let clips that have nothing to do with the selected one fade (A)"],
  ["ghosts", "Inputs", "Show the clips that the selected one is made of, see-through, where it takes from them"],
  ["before", "Before", "Show the selected clip before its feet were planted, see-through"],
  ["plants", "Plants", "Show where feet and hands are planted; a ball turns red where they slide"],
  ["path", "Path", "Show the way of the root over the ground"],
  ["onion", "Onion", "Show poses before and after, every few frames"],
  ["follow", "Follow", "Let the camera follow the selected figure"],
  ["sideBySide", "Side by side", "Put the figures beside each other instead of where their motion is"],
];
const ONION_STEPS = [2, 5, 10, 20, 40];
const VIEWS: [ViewName, string, string][] = [
  ["front", "Front", "1"],
  ["side", "Side", "3"],
  ["top", "Top", "7"],
];

/** Buttons over the picture: what is shown, and from where. */
export function toolbar(viewport: Viewport, studio: Studio): HTMLElement {
  const shown = element("div", { class: "view-tools", role: "toolbar", "aria-label": "What the viewport shows" });
  shown.append(bodyButton(viewport), ...TOGGLES.map((entry) => toggleButton(viewport, ...entry)));
  shown.querySelector("[data-name=onion]")!.after(onionStep(viewport));
  const from = element("div", { class: "view-tools from", role: "toolbar", "aria-label": "Views" });
  for (const [name, label, key] of VIEWS) {
    from.append(tool(label, `${label} view (${key})`, () => viewport.view.look(name)));
  }
  from.append(tool("Frame", "Show everybody (F)", () => viewport.frameAll()));
  return element("div", { class: "view-overlay" }, shown, from, notes(viewport, studio), waiting(studio));
}

/** Keys of the viewport, which the help lists. */
export function registerKeys(viewport: Viewport, studio: Studio): void {
  const { view, settings } = viewport;
  const key = (id: string, keys: string[], label: string, action: () => void) => ({
    id: `view.${id}`,
    keys,
    label,
    group: "View",
    action,
  });
  studio.shortcuts.register(
    ...VIEWS.map(([name, label, digit]) => key(name, [digit], `${label} view`, () => view.look(name))),
    key("frame", ["F"], "Show everybody", () => viewport.frameAll()),
    key("left", ["4"], "Turn the view to the left", () => view.orbit(-1, 0)),
    key("right", ["6"], "Turn the view to the right", () => view.orbit(1, 0)),
    key("up", ["8"], "Turn the view up", () => view.orbit(0, 1)),
    key("down", ["2"], "Turn the view down", () => view.orbit(0, -1)),
    key("nearer", ["PageUp"], "Zoom in", () => view.zoom(1)),
    key("farther", ["PageDown"], "Zoom out", () => view.zoom(-1)),
    key("only", ["A"], "Only the selected clip, or all", () =>
      settings.set("onlySelected", !settings.view.onlySelected),
    ),
    key("onion", ["O"], "Onion skin", () => settings.set("onion", !settings.view.onion)),
    key("follow", ["C"], "Follow with the camera", () => settings.set("follow", !settings.view.follow)),
  );
}

function tool(label: string, title: string, action: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", title, onclick: () => action() }, label);
  // After a click with the mouse the space bar plays again instead of pressing the button once more.
  button.addEventListener("pointerup", () => setTimeout(() => button.blur()));
  return button;
}

function toggleButton({ settings }: Viewport, name: Toggle, label: string, title: string): HTMLButtonElement {
  const button = tool(label, title, () => settings.set(name, !settings.view[name]));
  button.dataset["name"] = name;
  const update = (): void => button.setAttribute("aria-pressed", String(settings.view[name]));
  settings.changed.on(update);
  update();
  return button;
}

function bodyButton({ settings }: Viewport): HTMLButtonElement {
  const button = tool("Body", "Draw full bodies instead of sticks", () =>
    settings.set("shape", settings.view.shape === "capsules" ? "sticks" : "capsules"),
  );
  const update = (): void => button.setAttribute("aria-pressed", String(settings.view.shape === "capsules"));
  settings.changed.on(update);
  update();
  return button;
}

function onionStep({ settings }: Viewport): HTMLElement {
  const select = element("select", {
    "aria-label": "Frames between poses of the onion skin",
    title: "Frames between poses of the onion skin",
    onchange: () => settings.set("onionStep", Number(select.value)),
  });
  select.append(...ONION_STEPS.map((step) => element("option", { value: step }, `every ${step}`)));
  const update = (): void => {
    select.value = String(settings.view.onionStep);
    select.hidden = !settings.view.onion;
  };
  settings.changed.on(update);
  update();
  return select;
}

/** What cannot be seen from the picture itself: the joint that was clicked, and that detail was lowered. */
function notes({ detail, settings }: Viewport, studio: Studio): HTMLElement {
  const joint = element("span", { role: "status" });
  const lowered = element("span", {}, "Sticks, since full bodies would be too slow here");
  const update = (): void => {
    lowered.hidden = detail.shape(settings.view.shape) === settings.view.shape;
  };
  studio.jointPicked.on((picked) => {
    joint.textContent = `${studio.item(picked.item)?.name ?? ""}: ${picked.joint}`;
  });
  detail.changed.on(update);
  settings.changed.on(update);
  update();
  return element("div", { class: "view-notes" }, joint, lowered);
}

/** What stands in place of figures as long as there are none. */
function waiting(studio: Studio): HTMLElement {
  const shown = element("p", { class: "view-waiting" }, "Loading…");
  const update = (): void => {
    const { items } = studio.document;
    const isDrawn = items.some(({ id }) => studio.motion(id) !== null);
    shown.hidden = isDrawn;
    if (studio.state === null) shown.textContent = "Loading…";
    else if (items.length > 0) shown.textContent = "Making the clips…";
    else shown.textContent = "Drop motion files here, or press New for a built-in motion.";
  };
  studio.documentChanged.on(update);
  studio.itemChanged.on(update);
  return shown;
}
