import "../style/timeline.css";
import { element } from "../core/dom";
import { read, write } from "../core/memory";
import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { Axis } from "./axis";
import { Desk } from "./desk";
import { GroupStack } from "./group_stack";
import { readInks } from "./inks";
import { registerKeys } from "./keys";
import { MarkList } from "./mark_list";
import { MarkTools } from "./mark_tools";
import { oncePerPicture } from "./once_per_picture";
import { Playhead } from "./playhead";
import { Ruler } from "./ruler";
import { Scrollbar } from "./scrollbar";
import { Transport } from "./transport";
import { attachWheel } from "./wheel";

const HELP =
  "Plays the selected clip and shows what is in it: where feet are planted, events, and of blends the weights. " +
  "Drag the ruler to scrub, drag bars, edges and keys to change them, double click a lane to add one. " +
  "The handles at both ends of a clip trim it. Marks lists everything for the keyboard.";

/** The playhead and the lanes of the selected clip and of the clips that it is made of. */
export function timelinePanel(studio: Studio): Panel {
  const axis = new Axis();
  const desk = new Desk(studio);
  const playhead = new Playhead(studio);
  let inks = readInks();
  const ruler = new Ruler(axis, () => inks, playhead);
  const stack = new GroupStack(studio, desk, axis, playhead, ruler, () => inks);
  const drawer = markDrawer(studio, desk, axis, stack);
  const transport = new Transport(studio, playhead, axis, stack.easing, drawer.toggle);
  const body = element("div", { class: "timeline-body" }, stack.element);
  const scrollbar = new Scrollbar(axis);

  attachWheel(body, ruler.element, axis);
  registerKeys({ studio, desk, axis, playhead, removeChosen: () => stack.removeChosen() });
  studio.theme.changed.on(() => {
    inks = readInks();
    ruler.draw();
    stack.draw();
  });
  stack.updated.on(() => transport.update());
  new ResizeObserver(() => {
    if (ruler.element.clientWidth > 0) axis.width = ruler.element.clientWidth;
  }).observe(ruler.element);

  const left = element("div", { class: "timeline-left" }, body, scrollbar.element);
  const main = element("div", { class: "timeline-main" }, left, drawer.element);
  return {
    id: "timeline",
    title: "Timeline",
    help: HELP,
    element: element("section", { class: "timeline", "aria-label": "Timeline" }, transport.element, main),
  };
}

/** The list of marks at the right, which a button opens. */
function markDrawer(studio: Studio, desk: Desk, axis: Axis, stack: GroupStack) {
  const list = new MarkList(desk, axis, (item, seconds) => stack.goTo(item, seconds));
  const tools = new MarkTools(
    desk,
    (item) => stack.momentOf(item),
    (text) => studio.say(text),
  );
  const title = element("h2", { class: "timeline-marks-title" });
  const parts = [title, tools.element, tools.found, list.element];
  const drawer = element("aside", { class: "timeline-marks", "aria-label": "Marks" }, ...parts);
  const toggle = element("button", { type: "button", title: "Marks as a list, for the keyboard" }, "Marks");
  toggle.addEventListener("click", () => show(Boolean(drawer.hidden)));
  const update = () => {
    if (drawer.hidden) return;
    const id = desk.chosen?.item ?? studio.selected?.id ?? null;
    const shown = id === null ? null : desk.shown(id);
    title.textContent = shown ? `Marks of ${shown.item.name}` : "Marks";
    list.update(id, id === null ? [] : stack.lanesOf(id));
    tools.update(shown);
  };
  const show = (open: boolean) => {
    drawer.hidden = !open;
    toggle.setAttribute("aria-pressed", String(open));
    toggle.setAttribute("aria-expanded", String(open));
    write("timeline.marks", open);
    update();
  };
  show(read("timeline.marks", false));
  desk.chosenChanged.on((chosen) => {
    if (chosen?.item !== undefined && !drawer.hidden && !drawer.contains(document.activeElement)) update();
    else list.mark();
  });
  const soon = oncePerPicture(update);
  axis.changed.on(soon);
  stack.updated.on(soon);
  return { element: drawer, toggle };
}
