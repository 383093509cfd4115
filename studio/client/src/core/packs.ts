/** A header of plain data with float32 arrays, as `motionloom.studio.packs` writes it: the length of the header in bytes
 * (uint32), the header as JSON padded with spaces to a multiple of four, the arrays. */
export interface Pack<Header> {
  header: Header;
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

export function unpack<Header>(bytes: ArrayBuffer): Pack<Header> {
  const length = new DataView(bytes).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  const { header, arrays: infos } = JSON.parse(text) as { header: Header; arrays: ArrayInfo[] };
  const arrays: Record<string, Table> = {};
  let offset = 4 + length;
  for (const { name, shape } of infos) {
    const size = shape.reduce((product, n) => product * n, 1);
    arrays[name] = { shape, values: new Float32Array(bytes, offset, size) };
    offset += 4 * size;
  }
  return { header, arrays };
}
