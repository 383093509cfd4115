import "../style/timeline.css";
import { element } from "../core/dom";
import type { Panel } from "../core/panel";
import { load, store } from "../core/storage";
import type { Studio } from "../core/studio";
import { Axis } from "./axis";
import { oncePerRepaint } from "./canvas";
import { readColours } from "./colours";
import { TimelineEditor } from "./editor";
import { LaneGroups } from "./lane_groups";
import { MarkList } from "./mark_list";
import { MarkTools } from "./mark_tools";
import { Playhead } from "./playhead";
import { Ruler } from "./ruler";
import { attachWheel, Scrollbar } from "./scrolling";
import { registerKeys } from "./shortcuts";
import { Transport } from "./transport";

const HELP =
  "Plays the selected clip and shows its foot plants, its events and, for blends, its weights. Drag the ruler to scrub; " +
  "drag bars, edges and keys to change them; double-click a lane to add one. The handles at both ends trim the clip. " +
  "Marks lists everything, to edit with the keyboard.";

/** The playhead, and the lanes of the selected clip and its sources. */
export function timelinePanel(studio: Studio): Panel {
  const axis = new Axis();
  const editor = new TimelineEditor(studio);
  const playhead = new Playhead(studio);
  let colours = readColours();
  const ruler = new Ruler(axis, () => colours, playhead);
  const groups = new LaneGroups(studio, editor, axis, playhead, ruler, () => colours);
  const drawer = markDrawer(studio, editor, axis, groups);
  const transport = new Transport(studio, playhead, axis, groups.easing, drawer.toggle);
  const body = element("div", { class: "timeline-body" }, groups.element);
  const scrollbar = new Scrollbar(axis);

  attachWheel(body, ruler.element, axis);
  registerKeys({ studio, editor, axis, playhead, removeSelected: () => groups.removeSelected() });
  studio.theme.changed.on(() => {
    colours = readColours();
    ruler.draw();
    groups.draw();
  });
  groups.updated.on(() => transport.update());
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

/** The list of marks on the right, which a button opens. */
function markDrawer(studio: Studio, editor: TimelineEditor, axis: Axis, groups: LaneGroups) {
  const list = new MarkList(
    editor,
    axis,
    (item) => groups.lanesOf(item),
    (item, seconds) => groups.goTo(item, seconds),
  );
  const tools = new MarkTools(
    editor,
    (item) => groups.timeAtPlayhead(item),
    (text) => studio.say(text),
  );
  const title = element("h2", { class: "timeline-marks-title" });
  const parts = [title, tools.element, tools.reset, list.element];
  const drawer = element("aside", { class: "timeline-marks", "aria-label": "Marks" }, ...parts);
  const toggle = element("button", { type: "button", title: "Show all marks as a list" }, "Marks");
  toggle.addEventListener("click", () => show(Boolean(drawer.hidden)));
  const update = () => {
    if (drawer.hidden) return;
    const id = editor.selectedMark?.item ?? studio.selected?.id ?? null;
    const view = id === null ? null : editor.view(id);
    title.textContent = view ? `Marks of ${view.item.name}` : "Marks";
    list.update(id);
    tools.update(id);
  };
  const show = (open: boolean) => {
    drawer.hidden = !open;
    toggle.setAttribute("aria-pressed", String(open));
    toggle.setAttribute("aria-expanded", String(open));
    store("timeline.marks", open);
    update();
  };
  show(load("timeline.marks", false));
  editor.selectedMarkChanged.on((mark) => {
    if (mark?.item !== undefined && !drawer.hidden && !drawer.contains(document.activeElement)) update();
    else list.showSelected();
  });
  const updateSoon = oncePerRepaint(update);
  axis.changed.on(updateSoon);
  groups.updated.on(updateSoon);
  return { element: drawer, toggle };
}
