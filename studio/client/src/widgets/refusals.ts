import { element } from "../core/dom";
import { addFiles, type Refusal } from "../core/uploads";
import type { Studio } from "../core/studio";
import { openDialog } from "./dialog";

/** Put files into the project and list those that were not taken. */
export async function takeFiles(studio: Studio, files: Iterable<File>): Promise<void> {
  const all = [...files];
  if (all.length === 0) return;
  studio.say(all.length === 1 ? `adding ${all[0]!.name}…` : `adding ${all.length} files…`);
  const refused = await addFiles(studio, all);
  if (refused.length > 0) showRefusals(refused, all.length);
}

function rest(taken: number): string {
  if (taken === 0) return "Nothing was changed.";
  return taken === 1 ? "The other one is in the project." : `The other ${taken} are in the project.`;
}

function showRefusals(refused: Refusal[], total: number): void {
  const taken = total - refused.length;
  const title = refused.length === 1 ? "One file was not added" : `${refused.length} files were not added`;
  const rows = refused.map(({ name, reason }) =>
    element("li", {}, element("strong", {}, name), element("p", {}, reason)),
  );
  openDialog(title, element("ul", { class: "refusals" }, ...rows), element("p", { class: "muted" }, rest(taken)));
}
