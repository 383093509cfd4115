import { expect, test } from "vitest";
import { collectDropped } from "../../src/widgets/dropped_files";

const fileEntry = (name: string, content = "") => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(new File([content], name)),
});
const unreadableEntry = (name: string) => ({
  ...fileEntry(name),
  file: (_: unknown, reject: (error: Error) => void) => reject(new Error("no")),
});

/** A folder whose reader gives one entry at a time. */
const folderEntry = (...entries: object[]) => ({
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const left = [...entries];
    return { readEntries: (resolve: (some: object[]) => void) => resolve(left.splice(0, 1)) };
  },
});

/** What is collected of entries and files, and the names of files that could not be read. */
async function drop(...dropped: (object | File)[]): Promise<{ files: File[]; unreadable: string[] }> {
  const items = dropped.map((each) => ({
    webkitGetAsEntry: () => (each instanceof File ? null : each),
    getAsFile: () => (each instanceof File ? each : null),
  }));
  const unreadable: string[] = [];
  const collecting = {
    accepted: () => Promise.resolve([".bvh", ".gltf"]),
    onUnreadable: (name: string) => unreadable.push(name),
  };
  const files = await collectDropped({ items } as unknown as DataTransfer, collecting);
  return { files, unreadable };
}

const names = (files: File[]): string[] => files.map(({ name }) => name);

test("folders are searched for files that can be added, and other files are taken as they are", async () => {
  const takes = folderEntry(
    fileEntry("walk.BVH"),
    fileEntry("notes.txt"),
    folderEntry(fileEntry("jog.bvh"), fileEntry("thumbnail.png")),
  );
  const { files } = await drop(takes, new File([], "unknown.xyz"));
  expect(names(files)).toEqual(["jog.bvh", "walk.BVH", "unknown.xyz"]);
});

test("files that cannot be read are named, and the others are added", async () => {
  const { files, unreadable } = await drop(folderEntry(unreadableEntry("gone.bvh"), fileEntry("walk.bvh")));
  expect(names(files)).toEqual(["walk.bvh"]);
  expect(unreadable).toEqual(["gone.bvh"]);
});

test("buffers go into the file of their own folder", async () => {
  const gltf = JSON.stringify({ buffers: [{ uri: "scene.bin" }] });
  const model = (content: string) => folderEntry(fileEntry("scene.gltf", gltf), fileEntry("scene.bin", content));
  const { files } = await drop(folderEntry(model("first"), model("second")));
  expect(names(files)).toEqual(["scene.gltf", "scene.gltf"]);
  const texts = await Promise.all(files.map((file) => file.text()));
  for (const [text, content] of [
    [texts[0]!, "first"],
    [texts[1]!, "second"],
  ] as const)
    expect(text).toContain(btoa(content));
});
