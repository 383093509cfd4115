import { MANNEQUIN, STICKS } from "../core/characters";
import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import { iconButton, relabel } from "../widgets/buttons";
import { openJointMap } from "../widgets/joint_map";
import type { ViewName } from "./camera";
import type { Others, Settings, View } from "./settings";
import type { Viewport } from "./viewport";

type Toggle = { [Name in keyof View]: View[Name] extends boolean ? Name : never }[keyof View];

/** What can be shown beside the figures, in the list under Show. */
const SHOWN: [Toggle, string, string][] = [
  ["ghosts", "Sources", "of the selected clip, as ghosts at the frames it uses"],
  ["before", "Unplanted", "the selected clip before planting, as a ghost"],
  ["plants", "Plants", "where feet and hands stand; the ball turns red when they slide"],
  ["path", "Path", "of the root on the ground"],
  ["onion", "Onion skin", "earlier and later poses (O)"],
  ["names", "Names", "of figures, where there are several"],
  ["objects", "Objects", "stairs, blocks and targets of warps"],
  ["grid", "Grid", "on the floor"],
];
const TOGGLES: [Toggle, string, string][] = [
  ["follow", "Follow", "Let the camera follow the selected figure (C)"],
  ["sideBySide", "Side by side", "Line the selected clip and its sources up next to each other"],
];
const ONION_STEPS = [2, 5, 10, 20, 40];
export const VIEWS: [ViewName, string, string][] = [
  ["front", "Front", "1"],
  ["side", "Side", "3"],
  ["top", "Top", "7"],
];

/** Buttons over the viewport: what it shows, and from which side. */
export function toolbar(viewport: Viewport, studio: Studio): HTMLElement {
  const display = element("div", { class: "view-tools", role: "toolbar", "aria-label": "Display" });
  display.append(
    figureSelect(viewport, studio),
    ...characterButtons(studio),
    othersSelect(viewport),
    ...showList(viewport),
    ...TOGGLES.map((entry) => toggleButton(viewport, ...entry)),
  );
  const from = element("div", { class: "view-tools from", role: "toolbar", "aria-label": "Views" });
  for (const [name, label, key] of VIEWS) {
    from.append(
      tool(label, `${label} view, without perspective (${key}); orbit to leave it`, () => viewport.look(name)),
    );
  }
  from.append(
    tool("Frame selected", "Frame the selected figure (Z)", () => viewport.frameSelected()),
    tool("Frame all", "Frame all figures (F)", () => viewport.frameAll()),
  );
  return element("div", { class: "view-overlay" }, display, from, notes(studio), waiting(studio));
}

/** Register the shortcuts of the viewport. */
export function registerKeys(viewport: Viewport, studio: Studio): void {
  const { camera, settings } = viewport;
  const key = (id: string, keys: string[], label: string, action: () => void) => ({
    id: `view.${id}`,
    keys,
    label,
    group: "View",
    action,
  });
  studio.shortcuts.register(
    ...VIEWS.map(([name, label, digit]) => key(name, [digit], `${label} view`, () => viewport.look(name))),
    key("frame", ["F"], "Frame all figures", () => viewport.frameAll()),
    key("frameSelected", ["Z"], "Frame the selected figure", () => viewport.frameSelected()),
    key("left", ["4"], "Orbit left", () => camera.orbit(-1, 0)),
    key("right", ["6"], "Orbit right", () => camera.orbit(1, 0)),
    key("up", ["8"], "Orbit up", () => camera.orbit(0, 1)),
    key("down", ["2"], "Orbit down", () => camera.orbit(0, -1)),
    key("nearer", ["PageUp"], "Zoom in", () => camera.zoom(1)),
    key("farther", ["PageDown"], "Zoom out", () => camera.zoom(-1)),
    key("only", ["A"], "Hide unrelated clips, or show them faintly", () =>
      settings.set("others", settings.view.others === "hidden" ? "faint" : "hidden"),
    ),
    key("alone", ["Shift+A"], "Isolate the selected clip, without its sources", () =>
      settings.set("others", settings.view.others === "alone" ? "faint" : "alone"),
    ),
    key("onion", ["O"], "Onion skin on or off", () => settings.set("onion", !settings.view.onion)),
    key("follow", ["C"], "Camera follow on or off", () => settings.set("follow", !settings.view.follow)),
  );
}

export function tool(label: string, title: string, action: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", title, onclick: () => action() }, label);
  // After a mouse click, the space bar plays again instead of pressing the button.
  button.addEventListener("pointerup", () => setTimeout(() => button.blur()));
  return button;
}

export function toggleButton(
  { settings }: { settings: Settings },
  name: Toggle,
  label: string,
  title: string,
): HTMLButtonElement {
  const button = tool(label, title, () => settings.set(name, !settings.view[name]));
  button.dataset["name"] = name;
  const update = (): void => button.setAttribute("aria-pressed", String(settings.view[name]));
  settings.changed.on(update);
  update();
  return button;
}

export function bodyButton({ settings }: { settings: Settings }): HTMLButtonElement {
  const button = tool("Body", "Draw bodies instead of stick figures", () =>
    settings.set("shape", settings.view.shape === "capsules" ? "sticks" : "capsules"),
  );
  const update = (): void => button.setAttribute("aria-pressed", String(settings.view.shape === "capsules"));
  settings.changed.on(update);
  update();
  return button;
}

/** What clips are shown as: the mannequin, a character of the project, or sticks. */
function figureSelect({ settings }: Viewport, studio: Studio): HTMLSelectElement {
  const title = "Show the clips as a mannequin, on a character (drop a GLB file to add one), or as sticks";
  const select = element("select", { "aria-label": "Figure", title, class: "figure-select" });
  const update = (): void => {
    const { characters, figure } = studio.document;
    const choices: [string, string][] = [
      [MANNEQUIN, "Mannequin"],
      ...characters.map(({ id, name }): [string, string] => [id, name]),
      [STICKS, "Sticks"],
    ];
    select.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
    select.value = settings.view.shape === "sticks" ? STICKS : figure;
  };
  select.addEventListener("change", () => {
    const figure = select.value;
    settings.set("shape", "capsules"); // the choice is the project's now
    if (figure !== studio.document.figure) studio.do({ type: "choose_figure", figure });
    update();
  });
  blurAfterClick(select);
  studio.documentChanged.on(update);
  settings.changed.on(update);
  update();
  return select;
}

/** A button that opens a list of what the viewport shows, to check. */
function showList({ settings }: Viewport): HTMLElement[] {
  const list = element("div", { class: "menu show-list", popover: "auto", role: "group", "aria-label": "Show" });
  for (const [name, label, hint] of SHOWN) {
    const box = element("input", { type: "checkbox", onchange: () => settings.set(name, box.checked) });
    const update = (): void => {
      box.checked = settings.view[name];
    };
    settings.changed.on(update);
    update();
    list.append(element("label", {}, box, element("span", {}, label), element("small", {}, hint)));
  }
  const step = element(
    "label",
    { class: "onion-step" },
    element("span", {}, "Onion skin spacing"),
    onionStep({ settings }),
  );
  const updateStep = (): void => {
    step.hidden = !settings.view.onion;
  };
  settings.changed.on(updateStep);
  updateStep();
  list.append(step);
  const button = element(
    "button",
    { type: "button", class: "show-button", title: "What is shown beside the figures", "aria-expanded": "false" },
    "Show",
  );
  button.popoverTargetElement = list;
  list.addEventListener("beforetoggle", (event) => {
    button.setAttribute("aria-expanded", String(event.newState === "open"));
    const { left, bottom } = button.getBoundingClientRect();
    list.style.left = `${left}px`;
    list.style.top = `${bottom + 4}px`;
  });
  return [button, list];
}

/** How clips other than the selected one are drawn. */
function othersSelect({ settings }: Viewport): HTMLSelectElement {
  const title = "Clips other than the selected one: A hides unrelated clips, Shift+A its sources, too";
  const labels: Record<Others, string> = {
    solid: "Others solid",
    faint: "Others faint",
    hidden: "Others hidden",
    alone: "Selected alone",
  };
  const select = element("select", { "aria-label": "Other clips", title });
  select.append(...Object.entries(labels).map(([value, label]) => element("option", { value }, label)));
  select.addEventListener("change", () => settings.set("others", select.value as Others));
  blurAfterClick(select);
  const update = (): void => {
    select.value = settings.view.others;
  };
  settings.changed.on(update);
  update();
  return select;
}

/** Give the arrow keys back to the timeline after a choice with the pointer; with the keyboard the list keeps them. */
function blurAfterClick(select: HTMLSelectElement): void {
  let isClicked = false;
  select.addEventListener("pointerdown", () => (isClicked = true));
  select.addEventListener("keydown", () => (isClicked = false));
  select.addEventListener("change", () => isClicked && select.blur());
}

/** The joint map of the character that clips are shown on, and a way to remove the character. */
function characterButtons(studio: Studio): HTMLElement[] {
  const map = tool("Joint map", "See and correct which joints of the clip drive the character", () =>
    openJointMap(studio),
  );
  const remove = iconButton("remove", "Remove the character from the project", () => {
    const { chosen } = studio.characters;
    if (chosen) studio.do({ type: "remove_character", character: chosen.id });
  });
  const update = (): void => {
    const { chosen } = studio.characters;
    map.hidden = chosen === null || studio.selected === null;
    remove.hidden = chosen === null;
    if (chosen) relabel(remove, `Remove the character ${chosen.name} from the project`);
  };
  studio.documentChanged.on(update);
  studio.selectionChanged.on(update);
  update();
  return [map, remove];
}

export function onionStep({ settings }: { settings: Settings }): HTMLElement {
  const select = element("select", {
    "aria-label": "Onion skin spacing in frames",
    title: "Onion skin spacing in frames",
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

/** Notes in the corner: the joint that was clicked, whether the selected clip is hidden and, while something moves,
 * whether detail is reduced. */
function notes(studio: Studio): HTMLElement {
  const joint = element("span", { role: "status" });
  const hidden = element("span", {});
  const show = (): void => {
    if (studio.selected) studio.do({ type: "show", item: studio.selected.id, visible: true });
  };
  const update = (): void => {
    const { selected } = studio;
    const isHidden = selected !== null && !selected.visible;
    hidden.replaceChildren(
      ...(isHidden ? [`${selected.name} is hidden `, tool("Show it", "Show the clip", show)] : []),
    );
  };
  studio.documentChanged.on(update);
  studio.selectionChanged.on(update);
  update();
  const title = "So that playback stays smooth on this machine; the picture is complete when it stands still";
  const reduced = element("span", { class: "view-reduced", title }, "Reduced detail");
  studio.selectionChanged.on(() => (joint.textContent = ""));
  studio.jointPicked.on((picked) => {
    joint.textContent = `${studio.item(picked.item)?.name ?? ""}: ${picked.joint}`;
  });
  return element("div", { class: "view-notes" }, joint, hidden, reduced);
}

/** A message in place of the figures while there are none. */
function waiting(studio: Studio): HTMLElement {
  const message = element("p", { class: "view-waiting" }, "Loading…");
  const isHopeless = (): boolean => studio.document.items.every(({ id }) => studio.progressOf(id).error !== null);
  const update = (): void => {
    const { items } = studio.document;
    const isDrawn = items.some(({ id }) => studio.motion(id) !== null);
    message.hidden = isDrawn;
    if (studio.state === null) message.textContent = "Loading…";
    else if (items.length > 0)
      message.textContent = isHopeless() ? "No clip could be computed." : "Computing the clips…";
    else message.textContent = "Drop motion files here, or press New to add a built-in motion.";
  };
  studio.documentChanged.on(update);
  studio.itemChanged.on(update);
  return message;
}
