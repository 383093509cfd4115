import { JOINED_SUFFIXES } from "./gltf_files";

/** All files that were dropped; of folders, those of a kind that can be added, from all folders inside. Must be called
 * while the drop is handled: what was dropped is gone afterwards. */
export function collectDropped(dropped: DataTransfer, accepted: () => Promise<string[]>): Promise<File[]> {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  return collect(entries, accepted);
}

async function collect(entries: (FileSystemEntry | File | null)[], accepted: () => Promise<string[]>): Promise<File[]> {
  const files: File[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push(entry);
    else if (entry?.isFile) files.push(await readFile(entry as FileSystemFileEntry));
    else if (entry) {
      const suffixes = [...(await accepted()), ...JOINED_SUFFIXES];
      const inside = await readFolder(entry as FileSystemDirectoryEntry);
      files.push(...inside.filter(({ name }) => suffixes.some((suffix) => name.toLowerCase().endsWith(suffix))));
    }
  }
  return files;
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  // A reader gives a part of the entries at a time, and none at the end.
  for (let entries = await readEntries(reader); entries.length > 0; entries = await readEntries(reader)) {
    for (const entry of entries) {
      if (entry.isDirectory) files.push(...(await readFolder(entry as FileSystemDirectoryEntry)));
      else files.push(await readFile(entry as FileSystemFileEntry));
    }
  }
  return files.sort((a, b) => a.name.localeCompare(b.name));
}

function readEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
