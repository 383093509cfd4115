import { joinGltfFiles } from "./gltf_files";

/** What the collection of dropped files asks and tells. */
export interface Collecting {
  /** Endings of files that can be added. */
  accepted: () => Promise<string[]>;
  /** Told the name of a file that the browser cannot read. */
  onUnreadable: (name: string) => void;
}

/** All files that were dropped; of folders, those of a kind that can be added, from all folders inside. Must be called
 * while the drop is handled: what was dropped is gone afterwards. */
export function collectDropped(dropped: DataTransfer, collecting: Collecting): Promise<File[]> {
  const entries = [...dropped.items].map((item) => {
    const entry = item.webkitGetAsEntry?.();
    return entry?.isDirectory ? (entry as FileSystemDirectoryEntry) : item.getAsFile();
  });
  return collect(entries, collecting);
}

async function collect(
  entries: (FileSystemDirectoryEntry | File | null)[],
  { accepted, onUnreadable }: Collecting,
): Promise<File[]> {
  const files: File[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push(entry);
    else if (entry) {
      const suffixes = [...(await accepted()), ".vrm"];
      const inside = await readFolder(entry, onUnreadable);
      files.push(...inside.filter(({ name }) => suffixes.some((suffix) => name.toLowerCase().endsWith(suffix))));
    }
  }
  return files;
}

/** All files of a folder and of those inside. Buffers and textures go into the glTF files of their own folder: others
 * have some of the same names. */
async function readFolder(folder: FileSystemDirectoryEntry, onUnreadable: (name: string) => void): Promise<File[]> {
  const reader = folder.createReader();
  const own: File[] = [];
  const inside: File[] = [];
  // A reader gives a part of the entries at a time, and none at the end.
  for (let entries = await readEntries(reader); entries.length > 0; entries = await readEntries(reader)) {
    for (const entry of entries) {
      if (entry.isDirectory) inside.push(...(await readFolder(entry as FileSystemDirectoryEntry, onUnreadable)));
      else
        await readFile(entry as FileSystemFileEntry).then(
          (file) => own.push(file),
          () => onUnreadable(entry.name),
        );
    }
  }
  const files = [...own, ...inside].sort((a, b) => a.name.localeCompare(b.name));
  return own.some(({ name }) => /\.gltf$/i.test(name)) ? joinGltfFiles(files) : files;
}

function readEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
