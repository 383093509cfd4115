import { expect, test } from "vitest";
import { format } from "../../src/viewer/comparison";

test("numbers have three digits, and a dash stands for none", () => {
  expect([0.012345, -1.5, 12345.6, 0, null].map(format)).toEqual(["0.0123", "-1.5", "12346", "0", "–"]);
});
