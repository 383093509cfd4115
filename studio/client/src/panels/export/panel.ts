import { MANNEQUIN } from "../../core/characters";
import { element } from "../../core/dom";
import type { ExportOption, ExportProgress, Item } from "../../core/messages";
import type { Panel } from "../../core/panel";
import type { Studio } from "../../core/studio";
import { capitalize } from "../../core/text";
import { zipFiles } from "../../core/zip";
import { icon } from "../../widgets/buttons";
import { choice } from "../../widgets/fields";
import { settingFields } from "./settings";

const HELP =
  "Saves the selected clip, or all clips that are checked in the list, to files. Copy as Python and Copy as commands " +
  "give you a script that produces exactly the same file without the studio.";

/** Milliseconds between two looks at how far an export is. */
const POLL = 300;

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
const DRAWN = ["gif", "mp4", "png", "html"];

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
    studio.do({ type: "set_edit", item: item.id, edit: { ...item.edit, root_motion }, marks: null });
  });
  const travel = choice("Travel", TRAVEL, (chosen) => {
    const item = studio.selected;
    if (!item) return;
    studio.do({ type: "set_edit", item: item.id, edit: { ...item.edit, travel: chosen || null }, marks: null });
  });
  const figure = element("select", {});
  const figureField = element("label", { class: "field" }, element("span", {}, "Character"), figure);
  const purpose = element("small", {});
  const which = choice("Clips", { one: "The selected clip", all: "The checked clips" }, () => reset());
  const bar = element("progress", { class: "export-progress", hidden: true, "aria-label": "Progress of the export" });
  const cancel = element("button", { type: "button", hidden: true, onclick: () => stopExport() }, "Cancel");
  const settings = settingFields(studio, () => reset());
  let options: ExportOption[] = [];
  let busy = false;
  /** Counts changes of what is to be exported. */
  let revision = 0;
  let stopExport = (): void => undefined;

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

  const isSeveral = (): boolean => studio.checked.size > 1 && which.element.querySelector("select")!.value === "all";
  const chosen = (): Item[] => {
    const ids = isSeveral() ? studio.checked.ids : [studio.selected?.id ?? ""];
    return ids.map((id) => studio.item(id)).filter((item) => item !== null);
  };
  const format = (): string => formats.querySelector<HTMLInputElement>("input:checked")?.value ?? "bvh";

  const update = (): void => {
    const item = studio.selected;
    const several = isSeveral();
    const ready =
      chosen().length > 0 && chosen().every(({ id }) => studio.motion(id) && !studio.progressOf(id).working);
    title.textContent = several ? `${studio.checked.size} checked clips` : (item?.name ?? "No clip selected");
    const label = several ? `Export ${studio.checked.size} clips as` : "Export as";
    save.replaceChildren(icon("down"), busy ? "Working…" : `${label} ${format().toUpperCase()}`);
    save.disabled = !ready || busy;
    which.element.hidden = studio.checked.size < 2;
    const option = options.find(({ name }) => name === format());
    purpose.textContent = option ? `${option.title}: ${option.description}.` : "";
    settings.update(option, several);
    rootMotion.set(item?.edit.root_motion ?? "");
    rootMotion.element.hidden = item === null || several;
    travel.set(item?.edit.travel ?? "");
    travel.element.hidden = item === null || several;
    listFigures();
    figureField.hidden = item === null || DRAWN.includes(format());
    for (const button of [python, commands]) button.disabled = item === null || several || busy;
  };

  const work = async (message: string, action: () => Promise<void>): Promise<void> => {
    busy = true;
    status.textContent = message;
    update();
    try {
      await action();
    } finally {
      busy = false;
      update();
    }
  };

  const exportNow = async (): Promise<void> => {
    const items = chosen();
    const stop = new AbortController();
    const [chosenFormat, chosenSettings] = [format(), settings.values()];
    const on = (!figureField.hidden && figure.value) || "source";
    const files: File[] = [];
    const notes: string[] = [];
    let job = "";
    stopExport = () => {
      stop.abort();
      if (job) studio.server.stopExport(job).catch(() => undefined); // it may have ended meanwhile
    };
    bar.hidden = cancel.hidden = false;
    await work(`Exporting ${items.map(({ name }) => name).join(", ")}…`, async () => {
      for (const [n, item] of items.entries()) {
        job = crypto.randomUUID();
        const polling = setInterval(() => void followJob(job, n, items.length), POLL);
        showProgress(n, items.length);
        try {
          const result = await studio.server.exportClip(item.id, chosenFormat, on, chosenSettings, job, stop.signal);
          files.push(result.file);
          notes.push(...result.notes);
        } finally {
          clearInterval(polling);
        }
      }
      const file = files.length === 1 ? files[0]! : await zipFiles(files, `${files.length}-clips.zip`);
      download(file);
      items.forEach(({ id }) => studio.exported.emit(id));
      const saved = `Saved ${file.name} (${formatSize(file.size)}) to your downloads.`;
      status.textContent = [saved, ...[...new Set(notes)].map((note) => `${capitalize(note)}.`)].join(" ");
    }).catch((error: unknown) => {
      status.textContent = stop.signal.aborted ? "The export was cancelled." : "";
      if (!stop.signal.aborted) studio.sayError(error);
    });
    bar.hidden = cancel.hidden = true;
  };

  const showProgress = (done: number, total: number): void => {
    if (total > 1) {
      bar.max = total;
      bar.value = done;
    } else bar.removeAttribute("value");
  };

  /** Show how far a movie is; other files are written too fast to tell. */
  const followJob = async (job: string, n: number, count: number): Promise<void> => {
    const { done, total } = await studio.server
      .json<ExportProgress>(`./api/export-jobs/${job}`)
      .catch(() => ({ done: 0, total: 0 })); // not yet begun, or done
    if (busy && total > 0) showProgress(n * total + done, count * total);
  };

  const copy = async (language: "python" | "commands"): Promise<void> => {
    const item = studio.selected;
    if (!item) return;
    await work("Writing the script…", async () => {
      const asked = revision;
      const text = await studio.server.script(item.id, language, format(), settings.values());
      if (revision !== asked) return; // the panel is about another clip or format by now
      script.textContent = text;
      script.hidden = false;
      status.textContent = (await copyText(text))
        ? "Copied. Run it in the project folder."
        : "The browser blocked copying. Select the text below and copy it.";
    }).catch((error: unknown) => {
      status.textContent = "";
      studio.sayError(error);
    });
  };

  const reset = (): void => {
    revision++;
    script.hidden = true;
    status.textContent = "";
    update();
  };
  formats.addEventListener("change", reset);
  studio.selectionChanged.on(reset);
  studio.documentChanged.on(update);
  studio.itemChanged.on(update);
  studio.checked.changed.on(() => {
    // Clips are also checked to combine them, so that the selected one is exported unless somebody chooses.
    if (studio.checked.size < 2) which.set("one");
    update();
  });
  update();
  studio.server.formats().then(
    ({ exports }) => {
      options = exports;
      formats.append(...exports.map(formatRow));
      update();
    },
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
      which.element,
      formats,
      purpose,
      figureField,
      settings.element,
      rootMotion.element,
      travel.element,
      element("div", { class: "buttons" }, save, cancel),
      bar,
      status,
      element("h3", {}, "Reproduce without the studio"),
      element("div", { class: "buttons" }, python, commands),
      script,
    ),
  };
}

function formatRow({ name, title, description }: ExportOption, n: number): HTMLElement {
  const input = element("input", { type: "radio", name: "format", value: name, checked: n === 0 });
  return element("label", { title: description }, input, element("span", {}, title));
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
