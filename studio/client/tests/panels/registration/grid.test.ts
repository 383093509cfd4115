import { expect, test } from "vitest";
import type { RegisteredClip, RegistrationHeader } from "../../../src/core/messages";
import { Grid } from "../../../src/panels/registration/grid";

/** A loop of 30.9 frames beside one of 21.6, both shown from within a cycle to a frame after its end. */
const WALK = { first: 92.933, step: 0.99555, start: 78, end: 108.862, cells: 33, cyclic: true };
const JOG = { first: 42.779, step: 0.9799, start: 32, end: 53.558, cells: 24, cyclic: true };

function gridOf(a: object, b: object): Grid {
  const header = { a: a as RegisteredClip, b: b as RegisteredClip } as RegistrationHeader;
  const names = ["distances", "path", "timewarp"];
  const empty = { shape: [0, 2], values: new Float32Array() };
  return new Grid({ header, arrays: Object.fromEntries(names.map((name) => [name, empty])) });
}

test("a cell past the end of a cycle stands for the frame that it shows", () => {
  const grid = gridOf(WALK, JOG);
  // 92.933 + 28 * 0.99555 = 120.81, less a period of 30.862: 89.95; 42.779 + 19 * 0.9799 = 61.40, less 21.558: 39.84.
  expect(grid.frames({ row: 28, column: 19 })).toEqual([90, 40]);
});

test("frames of cycles are found again in the cell next to them", () => {
  const grid = gridOf(WALK, JOG);
  for (let a = 78; a <= 108; a++)
    for (let b = 32; b <= 53; b++) {
      const { row, column } = grid.cellOf([a, b]);
      const cell = grid.clampCell({ row: Math.round(row), column: Math.round(column) });
      expect(grid.frames(cell)).toEqual([a, b]);
    }
});
