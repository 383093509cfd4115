import { expect, test } from "vitest";
import { numberField } from "../../src/widgets/fields";

test("numbers stay within their limits, and an empty field is none", () => {
  const heard: (number | null)[] = [];
  const { element } = numberField("Speed", { min: 0.01, max: 4 }, (value) => heard.push(value));
  const input = element.querySelector("input")!;
  for (const typed of ["0", "2.5", "9", ""]) {
    input.value = typed;
    input.dispatchEvent(new Event("change"));
  }
  expect(heard).toEqual([0.01, 2.5, 4, null]);
});
