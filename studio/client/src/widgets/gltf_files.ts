/** What a glTF file names outside of itself. */
interface Reference {
  uri?: string;
}

/** Endings of files that the page turns into others before it sends them: buffers, images, and GLB by another name. */
export const JOINED_SUFFIXES = [".vrm", ".bin", ".png", ".jpg", ".jpeg", ".webp"];

const GLTF = /\.gltf$/i;
const VRM = /\.vrm$/i;

/** Put the files that belong to `.gltf` files (buffers and images) into them, and call `.vrm` files what they are: GLB.
 * Files that belong to none stay. */
export async function joinGltfFiles(files: File[]): Promise<File[]> {
  const byName = new Map(files.map((file) => [file.name.toLowerCase(), file]));
  const taken = new Set<File>();
  const joined: File[] = [];
  for (const file of files) {
    if (VRM.test(file.name)) joined.push(new File([file], file.name.replace(VRM, ".glb")));
    else if (GLTF.test(file.name)) joined.push(await embed(file, byName, taken));
    else joined.push(file);
  }
  return joined.filter((file) => !taken.has(file));
}

/** The same file with all that it names inside; the server says what is missing or damaged. */
async function embed(file: File, byName: Map<string, File>, taken: Set<File>): Promise<File> {
  let content: { buffers?: Reference[]; images?: Reference[] };
  try {
    content = JSON.parse(await file.text()) as typeof content;
  } catch {
    return file;
  }
  for (const reference of [...(content.buffers ?? []), ...(content.images ?? [])]) {
    const uri = reference.uri ?? "";
    const name = uri.split("/").at(-1) ?? "";
    const found = uri.startsWith("data:") ? undefined : byName.get(decode(name).toLowerCase());
    if (!found) continue;
    try {
      reference.uri = await dataUri(found);
    } catch {
      continue; // it is listed among the files that cannot be read
    }
    taken.add(found);
  }
  return new File([JSON.stringify(content)], file.name);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const text = reader.result as string;
      // A file of an unknown kind has no media type, and the rest of the address counts.
      resolve(text.startsWith("data:;") ? text.replace("data:;", "data:application/octet-stream;") : text);
    };
    reader.onerror = () => reject(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}
