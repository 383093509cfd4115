/** A ZIP archive without compression: motion files of several clips in one download. */
export async function zipFiles(files: File[], name: string): Promise<File> {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const file of files) {
    const content = new Uint8Array(await file.arrayBuffer());
    const path = new TextEncoder().encode(file.name);
    const common = [20, 0x0800, 0, 0, DATE, crc32(content), content.length, content.length, path.length, 0];
    const local = record([0x04034b50, ...common], "42222244422", path);
    directory.push(record([0x02014b50, 20, ...common, 0, 0, 0, 0, offset], "422222244422" + "22244", path));
    parts.push(local, content);
    offset += local.length + content.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record([0x06054b50, 0, 0, files.length, files.length, size, offset, 0], "42222442", new Uint8Array());
  return new File([...parts, ...directory, end], name, { type: "application/zip" });
}

/** The first of January 1980, the earliest date that the format knows. */
const DATE = 0x21;

/** A record of little-endian numbers of these sizes in bytes, then a name. */
function record(values: number[], sizes: string, name: Uint8Array): Uint8Array<ArrayBuffer> {
  const widths = [...sizes].map(Number);
  const length = widths.reduce((sum, width) => sum + width, 0);
  const bytes = new Uint8Array(length + name.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  values.forEach((value, n) => {
    if (widths[n] === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
    at += widths[n]!;
  });
  bytes.set(name, length);
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum that ZIP archives hold for each file. */
export function crc32(content: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of content) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff]!;
  return (value ^ 0xffffffff) >>> 0;
}
