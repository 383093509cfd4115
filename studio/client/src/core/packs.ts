/** A head of plain data with float32 arrays, as `motionloom.studio.packing` writes it: the length of the head in bytes
 * (uint32), the head as JSON padded with spaces to a multiple of four, the arrays. */
export interface Pack<Head> {
  head: Head;
  arrays: Record<string, Table>;
}

/** An array with any number of axes, the last one varying fastest. */
export interface Table {
  shape: number[];
  values: Float32Array;
}

interface ArrayInfo {
  name: string;
  shape: number[];
}

export function unpack<Head>(bytes: ArrayBuffer): Pack<Head> {
  const length = new DataView(bytes).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  const { head, arrays: infos } = JSON.parse(text) as { head: Head; arrays: ArrayInfo[] };
  const arrays: Record<string, Table> = {};
  let offset = 4 + length;
  for (const { name, shape } of infos) {
    const size = shape.reduce((product, n) => product * n, 1);
    arrays[name] = { shape, values: new Float32Array(bytes, offset, size) };
    offset += 4 * size;
  }
  return { head, arrays };
}
