import { expect, test } from "vitest";
import { packedSize, unpackTable } from "../../src/viewer/unpacking";

const TABLE = { name: "positions", shape: [4, 1, 3], quantum: 0.5, n_bytes: 1, has_gaps: false };

test("second differences become positions again", () => {
  // As in tests/viewer/test_packing.py: steps 2, 3, 5, 4 of the first column, and nothing in the others.
  const bytes = Uint8Array.from([4, 1, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0]);
  const values = unpackTable(TABLE, bytes);
  expect([...values].filter((_, n) => n % 3 === 0)).toEqual([1, 1.5, 2.5, 2]);
  expect(packedSize(TABLE)).toBe(12);
});

test("numbers of two bytes are split into planes", () => {
  // 300 folded is 600, which is 2 * 256 + 88.
  const table = { ...TABLE, shape: [1, 1, 3], n_bytes: 2, quantum: 1 };
  expect([...unpackTable(table, Uint8Array.from([88, 0, 0, 2, 0, 0]))]).toEqual([300, 0, 0]);
});

test("gaps are marked by a bit for each frame", () => {
  const table = { ...TABLE, shape: [2, 1, 3], has_gaps: true, quantum: 1 };
  const values = unpackTable(table, Uint8Array.from([0b01000000, 2, 0, 0, 0, 0, 0]));
  expect([...values]).toEqual([1, 0, 0, NaN, NaN, NaN]);
  expect(packedSize(table)).toBe(7);
});
