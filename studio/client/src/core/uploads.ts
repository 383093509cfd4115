import type { Studio } from "./studio";

/** A file that was not taken, and why. */
export interface Refusal {
  name: string;
  reason: string;
}

const SKELETON = /\.asf$/i;

/** Put files into the project, each as a clip; what comes back are those that were not taken. */
export async function addFiles(studio: Studio, files: Iterable<File>): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  // Skeletons first: the motions that need them look for them when they come.
  const ordered = [...files].sort((a, b) => Number(SKELETON.test(b.name)) - Number(SKELETON.test(a.name)));
  let skeletons = 0;
  for (const file of ordered) {
    try {
      const path = await studio.server.upload(file);
      if (SKELETON.test(file.name)) skeletons++;
      else studio.do({ type: "add", name: stem(file.name), recipe: { type: "file", path } });
    } catch (error) {
      refused.push({ name: file.name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (skeletons > 0 && skeletons === ordered.length) {
    studio.say("the skeleton is in the project: now add the .amc files that use it");
  }
  return refused;
}

function stem(name: string): string {
  return name.replace(/\.[^.]+$/, "");
}
