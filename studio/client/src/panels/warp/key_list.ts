import { element } from "../../core/dom";
import type { JointKey, KeyResult } from "../../core/messages";
import { iconButton } from "../../widgets/button";
import { rounded, type WarpDesk } from "./desk";
import { spoken } from "./keys";
import type { Section } from "./panel";

/** Millimetres from which on it is said how far a key is missed. */
const SEEN_MILLIMETRES = 1;

/** All keys in the order of time: go to one, move it, delete it. */
export function keyList(desk: WarpDesk): Section {
  const list = element("ol", { class: "warp-keys", "aria-label": "Keys" });
  const empty = element(
    "p",
    { class: "warp-hint" },
    "No keys yet. Choose a joint, put the playhead somewhere, and turn or drag it.",
  );
  const help = element(
    "p",
    { class: "warp-hint" },
    "Enter goes to a key, Alt with the arrows moves it, Delete takes it out.",
  );
  const focusAt = (n: number): void => {
    const buttons = list.querySelectorAll<HTMLElement>(".warp-key");
    buttons[Math.min(n, buttons.length - 1)]?.focus();
  };
  const remove = (n: number): void => {
    const keys = desk.shown?.recipe.keys ?? [];
    wantedFocus = list.contains(document.activeElement) ? n : null;
    desk.setKeys(keys.filter((_, other) => other !== n));
  };
  const move = (n: number, frames: number): void => {
    const { shown, curves } = desk;
    const key = shown?.recipe.keys[n];
    if (!shown || !key || !curves) return;
    const { source_fps, source_duration } = curves.head;
    const time = rounded(Math.min(Math.max(key.time + frames / source_fps, 0), source_duration));
    desk.setKeys(shown.recipe.keys.map((other) => (other === key ? { ...key, time } : other)));
    desk.seekSource(time);
    wantedFocus = shown.recipe.keys.filter((other) => other !== key && other.time <= time).length;
  };
  /** The row that has the focus after the list is built again. */
  let wantedFocus: number | null = null;
  let shownRows = "";

  const row = (key: JointKey, n: number, result: KeyResult | undefined): HTMLElement => {
    const chosen = n === desk.keyNumber;
    const button = element(
      "button",
      {
        type: "button",
        class: "plain warp-key",
        "aria-current": String(chosen),
        onclick: () => {
          desk.choose(key.joint || (desk.shown?.motion?.head.names[0] ?? ""), key.kind);
          desk.seekSource(key.time);
        },
        onkeydown: (event: KeyboardEvent) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (event.key === "Delete") remove(n);
          else if (event.altKey && step) move(n, event.shiftKey ? 10 * step : step);
          else return;
          event.preventDefault();
        },
      },
      element("span", { class: "warp-time" }, `${key.time.toFixed(2)} s`),
      element("span", {}, spoken(key), missed(result)),
    );
    return element(
      "li",
      {},
      button,
      iconButton("remove", `Delete the key of ${key.joint || "the root"} at ${key.time.toFixed(2)} s`, () => remove(n)),
    );
  };
  return {
    element: element("section", {}, element("h3", {}, "Keys"), list, empty, help),
    update() {
      const keys = desk.shown?.recipe.keys ?? [];
      const results = desk.curves?.head.results ?? [];
      empty.hidden = keys.length > 0;
      help.hidden = keys.length === 0;
      // Rows stay the same elements as long as they say the same, so that the focus stays too.
      const rows = JSON.stringify([keys, results, desk.keyNumber]);
      if (rows === shownRows) return;
      shownRows = rows;
      const focused = [...list.querySelectorAll(".warp-key")].indexOf(document.activeElement as Element);
      list.replaceChildren(
        ...keys.map((key, n) =>
          row(
            key,
            n,
            results.find((result) => result.key === n),
          ),
        ),
      );
      const target = wantedFocus ?? (focused >= 0 ? focused : null);
      wantedFocus = null;
      if (target !== null) focusAt(target);
    },
  };
}

function missed(result: KeyResult | undefined): HTMLElement | null {
  if (!result || result.reached) return null;
  const millimetres = 1000 * result.distance;
  if (millimetres < SEEN_MILLIMETRES) return null;
  return element("span", { class: "warp-missed" }, ` out of reach by ${(millimetres / 10).toFixed(1)} cm`);
}
