import { element } from "../core/dom";
import type { Studio } from "../core/studio";
import { RequestError } from "../core/server";
import type { Task } from "../core/task";
import { openDialog } from "./dialog";
import { collectDropped } from "./dropped_files";
import { joinGltfFiles } from "./gltf_files";

/** A file that could not be added, and why. */
interface RejectedFile {
  name: string;
  reason: string;
}

const SKELETON = /\.asf$/i;

/** Add files to the project, each as a clip, and list those that could not be added. */
export async function addFiles(studio: Studio, files: Iterable<File>): Promise<void> {
  const all = await joinGltfFiles([...files]);
  if (all.length === 0) return;
  const stop = new AbortController();
  const task = studio.begin(describeProgress(all, 0), () => stop.abort());
  const rejected = await upload(studio, all, task, stop.signal);
  const added = all.length - rejected.length;
  if (stop.signal.aborted) task.end("adding files was cancelled; files added before stay");
  else if (added === 0) task.end();
  else task.end(added === 1 && all.length === 1 ? `added ${all[0]!.name}` : `added ${added} of ${all.length} files`);
  if (stop.signal.aborted) return;
  if (rejected.length > 0) showRejected(rejected, all.length - rejected.length);
}

function describeProgress(files: File[], done: number): string {
  return files.length === 1 ? `adding ${files[0]!.name}…` : `adding file ${done + 1} of ${files.length}…`;
}

async function upload(studio: Studio, files: File[], task: Task, stop: AbortSignal): Promise<RejectedFile[]> {
  const rejected: RejectedFile[] = [];
  // Skeletons first: the server looks for them when it reads the motions that need them.
  const ordered = [...files].sort((a, b) => Number(SKELETON.test(b.name)) - Number(SKELETON.test(a.name)));
  let skeletons = 0;
  for (const [n, file] of ordered.entries()) {
    if (stop.aborted) break;
    task.update(describeProgress(files, n));
    try {
      await checkReadable(file);
      const { path, has_motion, has_character, notes } = await studio.server.upload(file, stop);
      if (SKELETON.test(file.name)) skeletons++;
      if (has_motion) studio.add(stem(file.name), { type: "file", path });
      if (has_character) studio.do({ type: "add_character", name: stem(file.name), path });
      for (const note of notes) studio.say(`${file.name}: ${note}`);
    } catch (error) {
      rejected.push({ name: file.name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (skeletons > 0 && skeletons === ordered.length) {
    studio.say("skeleton added; now add the .amc files that use it");
  }
  return rejected;
}

/** The server would seem not to respond to a file that the browser cannot read. */
async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new Error("the browser cannot read this file; it may have been moved, or belong to somebody else");
  }
}

function showRejected(rejected: RejectedFile[], added: number): void {
  const title = rejected.length === 1 ? "One file could not be added" : `${rejected.length} files could not be added`;
  const rows = rejected.map(({ name, reason }) =>
    element("li", {}, element("strong", {}, name), element("p", {}, reason)),
  );
  const others = ["No file was added.", "The other file was added."][added] ?? `The other ${added} files were added.`;
  openDialog(title, element("ul", { class: "rejected-files" }, ...rows), element("p", { class: "muted" }, others));
}

function stem(name: string): string {
  return name.replace(/\.[^.]+$/, "");
}

/** Add files that are dropped anywhere on the page, which says so while they are dragged over it. */
export function acceptDrops(studio: Studio): void {
  const overlay = element(
    "div",
    { class: "drop-overlay" },
    element("p", {}, "Drop motion files or characters to add them to the project"),
  );
  overlay.hidden = true;
  document.body.append(overlay);

  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // or the browser would open the file in place of the page
    overlay.hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    overlay.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const collecting = {
      accepted: async () => (await studio.server.formats()).accepted,
      onUnreadable: (name: string) => studio.sayError(new RequestError(`${name} cannot be read`)),
    };
    collectDropped(event.dataTransfer!, collecting).then(
      (files) => (files.length > 0 ? addFiles(studio, files) : studio.say("there are no motion files in this folder")),
      () => studio.sayError(new RequestError("what was dropped cannot be read")),
    );
  });
}
