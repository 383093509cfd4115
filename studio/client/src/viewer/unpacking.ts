import type { FigureHeader, PackedTable, PageData, ViewerClip } from "../core/messages";
import { Motion } from "../core/motion";
import type { Table } from "../core/packs";

/** The motion of a clip of the page. */
export type ViewerMotion = Motion<FigureHeader>;

/** What the page shows, as Python wrote it into the page. */
export function readPage(): PageData {
  return JSON.parse(document.getElementById("page")!.textContent) as PageData;
}

/** Unpack the motion of a clip; its text is dropped, so that it does not take memory twice. */
export async function readMotion(clip: ViewerClip, index: number): Promise<ViewerMotion> {
  const holder = document.getElementById(`clip-${index}`)!;
  const bytes = await inflate(fromBase64(holder.textContent));
  holder.remove();
  const arrays: Record<string, Table> = {};
  let offset = 0;
  for (const table of clip.tables) {
    arrays[table.name] = { shape: table.shape, values: unpackTable(table, bytes, offset) };
    offset += packedSize(table);
  }
  return new Motion(clip.name, clip.header, arrays);
}

/** Bytes of a packed table: a bit per frame and point where there are gaps, then the numbers. */
export function packedSize({ shape, n_bytes, has_gaps }: PackedTable): number {
  const size = shape.reduce((product, n) => product * n, 1);
  return (has_gaps ? Math.ceil(size / 3 / 8) : 0) + n_bytes * size;
}

/** Unpack a table (T, P, 3), as `motionloom.viewer.packing` packed it: second differences of whole steps, folded to
 * positive numbers, split into bytes of equal weight, one column after the other. Gaps become NaN. */
export function unpackTable({ shape, quantum, n_bytes, has_gaps }: PackedTable, bytes: Uint8Array, offset = 0) {
  const [nFrames = 0, nPoints = 0] = shape;
  const nColumns = 3 * nPoints;
  const size = nFrames * nColumns;
  const gaps = offset;
  const first = offset + (has_gaps ? Math.ceil(size / 3 / 8) : 0);
  const values = new Float32Array(size);
  for (let column = 0; column < nColumns; column++) {
    let [value, slope] = [0, 0];
    const isGap = has_gaps ? gapReader(bytes, gaps, Math.floor(column / 3) * nFrames) : null;
    for (let frame = 0, at = first + column * nFrames; frame < nFrames; frame++, at++) {
      let folded = bytes[at]!;
      for (let n = 1; n < n_bytes; n++) folded |= bytes[at + n * size]! << (8 * n);
      slope += (folded >>> 1) ^ -(folded & 1);
      value += slope;
      values[frame * nColumns + column] = isGap?.(frame) ? NaN : value * quantum;
    }
  }
  return values;
}

function gapReader(bytes: Uint8Array, offset: number, from: number): (frame: number) => boolean {
  return (frame) => {
    const bit = from + frame;
    return ((bytes[offset + (bit >> 3)]! >> (7 - (bit & 7))) & 1) === 1;
  };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let n = 0; n < raw.length; n++) bytes[n] = raw.charCodeAt(n);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
