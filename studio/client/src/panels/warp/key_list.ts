import { element } from "../../core/dom";
import type { JointKey, KeyResult } from "../../core/messages";
import { clamp, removeAt, replaceAt, roundTo } from "../../core/numbers";
import type { Section } from "../../core/panel";
import { iconButton } from "../../widgets/buttons";
import { TIME_DECIMALS, type WarpEditor } from "./editor";
import { describeKey } from "./keys";

/** Metres below which a missed target is not worth mentioning. */
const MIN_MISS = 0.001;

/** All keys in order of time: go to one, move it, delete it. */
export function keyList(editor: WarpEditor): Section<"warp"> {
  const list = element("ol", { class: "warp-keys", "aria-label": "Keys" });
  const empty = element(
    "p",
    { class: "hint" },
    "No keys yet. Choose a joint, move the playhead, then rotate or drag the joint.",
  );
  const help = element(
    "p",
    { class: "hint" },
    "Enter goes to a key, Alt+Left and Alt+Right move it, Delete removes it.",
  );
  /** The row to focus after the list is rebuilt. */
  let rowToFocus: number | null = null;
  let builtFor = "";

  /** The index of a key by now: the list may not show the latest keys yet. */
  const indexOf = ({ time, joint, kind }: JointKey): number =>
    editor.recipe.keys.findIndex((each) => each.time === time && each.joint === joint && each.kind === kind);
  const remove = (key: JointKey): void => {
    const n = indexOf(key);
    if (n < 0) return;
    rowToFocus = list.contains(document.activeElement) ? n : null;
    editor.setKeys(removeAt(editor.recipe.keys, n));
  };
  const move = (shown: JointKey, frames: number): void => {
    const { keys } = editor.recipe;
    const header = editor.curves?.header;
    const n = indexOf(shown);
    const key = keys[n];
    if (!key || !header) return;
    const time = roundTo(clamp(key.time + frames / header.source_fps, 0, header.source_duration), TIME_DECIMALS);
    editor.setKeys(replaceAt(keys, n, { ...key, time }));
    editor.seekSource(time);
    rowToFocus = keys.filter((other) => other !== key && other.time <= time).length;
  };
  const select = (key: JointKey): void => {
    editor.choose(key.joint || (editor.motion?.header.names[0] ?? ""), key.kind);
    editor.seekSource(key.time);
  };
  const row = (key: JointKey, n: number, result: KeyResult | undefined): HTMLElement => {
    const time = `${key.time.toFixed(2)} s`;
    const button = element(
      "button",
      {
        type: "button",
        class: "plain warp-key",
        "aria-current": String(n === editor.keyIndex),
        onclick: () => select(key),
        onkeydown: (event: KeyboardEvent) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (event.key === "Delete") remove(key);
          else if (event.altKey && step) move(key, event.shiftKey ? 10 * step : step);
          else return;
          event.preventDefault();
        },
      },
      element("span", { class: "warp-time" }, time),
      element("span", {}, describeKey(key), missLabel(result)),
    );
    const removeLabel = `Delete the key of ${key.joint || "the root"} at ${time}`;
    return element(
      "li",
      {},
      button,
      iconButton("remove", removeLabel, () => remove(key)),
    );
  };
  const box = element("section", {}, element("h3", {}, "Keys"), list, empty, help);
  return {
    element: box,
    update: ({ recipe }) => {
      const { keys } = recipe;
      const results = editor.curves?.header.results ?? [];
      box.hidden = recipe.preset !== null;
      empty.hidden = keys.length > 0;
      help.hidden = keys.length === 0;
      // Rows are rebuilt only if their content changes, so that they keep the focus.
      const content = JSON.stringify([keys, results, editor.keyIndex]);
      if (content === builtFor) return;
      builtFor = content;
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
      const target = rowToFocus ?? (focused >= 0 ? focused : null);
      rowToFocus = null;
      const buttons = list.querySelectorAll<HTMLElement>(".warp-key");
      if (target !== null) buttons[Math.min(target, buttons.length - 1)]?.focus();
    },
  };
}

/** How far a key misses its target position, if it does. */
function missLabel(result: KeyResult | undefined): HTMLElement | null {
  if (!result || result.reached || result.distance < MIN_MISS) return null;
  return element("span", { class: "warp-missed" }, ` out of reach by ${(100 * result.distance).toFixed(1)} cm`);
}
