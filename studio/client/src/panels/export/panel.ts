import { MANNEQUIN } from "../../core/characters";
import { element } from "../../core/dom";
import type { ExportOption } from "../../core/messages";
import type { Panel } from "../../core/panel";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { icon } from "../../widgets/buttons";
import { choice } from "../../widgets/fields";

const HELP =
  "Saves the selected clip to a file. Copy as Python and Copy as commands give you a script that produces exactly the " +
  "same file without the studio.";

/** What carries the travel of a clip over the ground; "" leaves it as it is. */
const ROOT_MOTION = {
  "": "As it is",
  root: "On the root joint",
  hips: "On the hips",
  nowhere: "None: stay in place",
};

/** What happens to the steady travel of a gait; "" leaves it as it is. */
const TRAVEL = {
  "": "As it is",
  recover: "Recover from feet",
  remove: "Remove: stay in place",
};

/** Formats that are drawn as the studio's pictures are, without a character. */
const MOVIES = ["gif", "mp4"];

/** Export of the selected clip, and scripts that reproduce it. */
export function exportPanel(studio: Studio): Panel {
  const title = element("h2", {});
  const formats = element("fieldset", { class: "formats" }, element("legend", {}, "Format"));
  const save = element("button", { type: "button", class: "primary", onclick: () => void exportNow() });
  const copyButton = (language: "python" | "commands", label: string): HTMLButtonElement =>
    element("button", { type: "button", onclick: () => void copy(language) }, icon("copy"), label);
  const python = copyButton("python", "Copy as Python");
  const commands = copyButton("commands", "Copy as commands");
  const status = element("p", { class: "muted", role: "status" });
  const script = element("pre", { class: "script", tabindex: 0, "aria-label": "Script" });
  script.hidden = true;
  const rootMotion = choice("Root motion", ROOT_MOTION, (carrier) => {
    const item = studio.selected;
    if (!item) return;
    const root_motion = carrier || null;
    studio.do({ type: "set_edit", item: item.id, edit: { ...item.edit, root_motion }, marks: item.marks });
  });
  const travel = choice("Travel", TRAVEL, (chosen) => {
    const item = studio.selected;
    if (!item) return;
    studio.do({ type: "set_edit", item: item.id, edit: { ...item.edit, travel: chosen || null }, marks: item.marks });
  });
  const figure = element("select", {});
  const figureField = element("label", { class: "field" }, element("span", {}, "Character"), figure);
  let busy = false;

  /** List what the motion can be put on; the character that is shown is chosen first. */
  const listFigures = (): void => {
    const { characters, figure: shown } = studio.document;
    const choices: [string, string][] = [
      ["source", "None: source skeleton"],
      [MANNEQUIN, "Mannequin"],
      ...characters.map(({ id, name }): [string, string] => [id, name]),
    ];
    const listed = [...figure.options].map(({ value, label }) => value + label).join();
    if (listed === choices.map(([value, label]) => value + label).join()) return;
    figure.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
    figure.value = characters.some(({ id }) => id === shown) ? shown : "source";
  };

  const format = (): string => formats.querySelector<HTMLInputElement>("input:checked")?.value ?? "bvh";

  const update = (): void => {
    const item = studio.selected;
    const ready = item !== null && studio.motion(item.id) !== null && !studio.progressOf(item.id).working;
    title.textContent = item?.name ?? "No clip selected";
    save.replaceChildren(icon("down"), busy ? "Working…" : `Export as ${format().toUpperCase()}`);
    save.disabled = !ready || busy;
    rootMotion.set(item?.edit.root_motion ?? "");
    rootMotion.element.hidden = item === null;
    travel.set(item?.edit.travel ?? "");
    travel.element.hidden = item === null;
    listFigures();
    figureField.hidden = item === null || MOVIES.includes(format());
    for (const button of [python, commands]) button.disabled = item === null || busy;
  };

  const work = async (message: string, action: () => Promise<void>): Promise<void> => {
    busy = true;
    status.textContent = message;
    update();
    try {
      await action();
    } catch (error) {
      status.textContent = "";
      studio.sayError(error);
    }
    busy = false;
    update();
  };

  const exportNow = async (): Promise<void> => {
    const item = studio.selected;
    if (!item) return;
    await work(`Exporting ${item.name}…`, async () => {
      const { file, notes } = await studio.server.exportClip(item.id, format(), figure.value || "source");
      download(file);
      studio.exported.emit(item.id);
      const saved = `Saved ${file.name} (${formatSize(file.size)}) to your downloads.`;
      status.textContent = [saved, ...notes.map((note) => `${capitalize(note)}.`)].join(" ");
    });
  };

  const copy = async (language: "python" | "commands"): Promise<void> => {
    const item = studio.selected;
    if (!item) return;
    await work("Writing the script…", async () => {
      script.textContent = await studio.server.script(item.id, language, format());
      script.hidden = false;
      status.textContent = (await copyText(script.textContent))
        ? "Copied. Run it in the project folder."
        : "The browser blocked copying. Select the text below and copy it.";
    });
  };

  const reset = (): void => {
    script.hidden = true;
    status.textContent = "";
    update();
  };
  formats.addEventListener("change", reset);
  studio.selectionChanged.on(reset);
  studio.documentChanged.on(update);
  studio.itemChanged.on(update);
  update();
  studio.server.formats().then(
    ({ exports }) => formats.append(...exports.map(formatRow)),
    (error: unknown) => studio.sayError(error),
  );
  return {
    id: "export",
    title: "Export",
    help: HELP,
    element: element(
      "div",
      { class: "export" },
      title,
      formats,
      figureField,
      rootMotion.element,
      travel.element,
      save,
      element("h3", {}, "Reproduce without the studio"),
      element("div", { class: "buttons" }, python, commands),
      status,
      script,
    ),
  };
}

function formatRow({ name, title, description }: ExportOption, n: number): HTMLElement {
  const input = element("input", { type: "radio", name: "format", value: name, checked: n === 0 });
  return element("label", {}, input, element("span", {}, title), element("small", {}, description));
}

function download(file: File): void {
  const address = URL.createObjectURL(file);
  const link = element("a", { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function formatSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
