import { expect, test } from "vitest";
import { collectDropped } from "../../src/widgets/dropped_files";

const fileEntry = (name: string) => ({
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(new File([], name)),
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

test("folders are searched for files that can be added, and other files are taken as they are", async () => {
  const takes = folderEntry(
    fileEntry("walk.BVH"),
    fileEntry("notes.txt"),
    folderEntry(fileEntry("jog.bvh"), fileEntry("skin.png")),
  );
  const entries = [takes, fileEntry("unknown.xyz")];
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  const dropped = { items } as unknown as DataTransfer;
  const names = (await collectDropped(dropped, () => Promise.resolve([".bvh"]))).map(({ name }) => name);
  expect(names).toEqual(["jog.bvh", "skin.png", "walk.BVH", "unknown.xyz"]);
});

test("files without an entry are taken, too", async () => {
  const items = [{ webkitGetAsEntry: () => null, getAsFile: () => new File([], "walk.bvh") }];
  const dropped = { items } as unknown as DataTransfer;
  expect(await collectDropped(dropped, () => Promise.reject(new Error("nobody asks")))).toHaveLength(1);
});
