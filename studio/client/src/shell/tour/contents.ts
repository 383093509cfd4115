import { element } from "../../core/dom";
import type { Task } from "./step";
import { TASKS } from "./tasks";

const WELCOME =
  "Motionloom mixes and reshapes motion. Each of these tasks takes a minute; the tour waits until you have done a step.";

/** What the card shows between tasks: all of them, and which to do next. */
export function contents(
  finished: Set<string>,
  last: Task | null,
  begin: (task: Task) => void,
  end: () => void,
): HTMLElement {
  const next = following(finished, last);
  const rows = TASKS.map((task) => {
    const state = finished.has(task.id) ? "done" : task === next ? "next" : "";
    const row = element("button", { type: "button", class: "plain tour-task", onclick: () => begin(task) });
    row.append(element("span", {}, task.title), element("small", {}, state));
    return element("li", {}, row);
  });
  const button = (words: string, action: () => void): HTMLElement =>
    element("button", { type: "button", class: "primary", onclick: action }, words);
  const start = next ? button(`Start: ${lowerFirst(next.title)}`, () => begin(next)) : button("Close the tour", end);
  return element(
    "div",
    {},
    element("p", { role: "status" }, last ? `Done. ${last.result}` : WELCOME),
    element("ol", { class: "tour-tasks" }, ...rows),
    element("div", { class: "buttons" }, start),
  );
}

/** The first task after the last one that is not finished; else the first of all. */
function following(finished: Set<string>, last: Task | null): Task | null {
  const after = last ? TASKS.indexOf(last) + 1 : 0;
  const inTurn = [...TASKS.slice(after), ...TASKS.slice(0, after)];
  return inTurn.find(({ id }) => !finished.has(id)) ?? null;
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
