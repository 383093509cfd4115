import { expect, test } from "vitest";
import { unpack } from "../../src/core/packs";

function pack(content: object, values: number[]): ArrayBuffer {
  const json = JSON.stringify(content);
  const header = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = new ArrayBuffer(4 + header.length + 4 * values.length);
  new DataView(bytes).setUint32(0, header.length, true);
  new Uint8Array(bytes).set(header, 4);
  new Float32Array(bytes, 4 + header.length).set(values);
  return bytes;
}

test("arrays follow the header in order", () => {
  const arrays = [
    { name: "a", shape: [2, 2] },
    { name: "b", shape: [3] },
  ];
  const found = unpack<{ fps: number }>(pack({ header: { fps: 30 }, arrays }, [1, 2, 3, 4, 5, 6, 7]));
  expect(found.header.fps).toBe(30);
  expect([...found.arrays["a"]!.values]).toEqual([1, 2, 3, 4]);
  expect(found.arrays["a"]!.shape).toEqual([2, 2]);
  expect([...found.arrays["b"]!.values]).toEqual([5, 6, 7]);
});

test("an empty array has no values", () => {
  const found = unpack(pack({ header: {}, arrays: [{ name: "none", shape: [0, 3] }] }, []));
  expect(found.arrays["none"]!.values).toHaveLength(0);
});
