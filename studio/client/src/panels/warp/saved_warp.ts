import { element } from "../../core/dom";
import type { SavedKey } from "../../core/messages";
import type { Section } from "../../core/panel";
import type { WarpEditor } from "./editor";

/** A warp from a file, whose keys are at events and phases that are found in this clip. */
export function savedWarp(editor: WarpEditor): Section<"warp"> {
  const input = element("input", { type: "file", accept: ".json", hidden: true, "aria-label": "Warp file" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) void file.text().then((text) => editor.change({ saved: text }));
  });
  const load = element("button", { type: "button", onclick: () => input.click() }, "Load warp file");
  const remove = element("button", { type: "button", onclick: () => editor.change({ saved: null }) }, "Remove");
  const list = element("ul", { class: "warp-keys", "aria-label": "Keys of the warp file" });
  const hint = element("p", { class: "hint" }, "Apply the keys of a warp that was made and saved on another clip.");
  const box = element("section", {}, element("h3", {}, "Warp file"), list, hint, load, remove, input);
  return {
    element: box,
    update: ({ recipe }) => {
      box.hidden = recipe.preset !== null;
      const isLoaded = recipe.saved !== null;
      hint.hidden = isLoaded;
      remove.hidden = !isLoaded;
      const keys = isLoaded ? (editor.curves?.header.saved ?? []) : [];
      list.replaceChildren(...keys.map(row));
    },
  };
}

/** A key in a few words: its moment, where that is in this clip, its joint and kind. */
function row({ moment, times, joint, kind }: SavedKey): HTMLElement {
  const seconds = times.map((time) => `${time.toFixed(2)} s`).join(", ");
  return element(
    "li",
    {},
    element("span", { class: "warp-time" }, seconds),
    element("span", {}, `${moment}: ${joint || "root"}, ${kind}`),
  );
}
