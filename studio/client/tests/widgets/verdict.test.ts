import { expect, test } from "vitest";

import { VerdictLine } from "../../src/widgets/verdict";

const GOOD = {
  fit: "good",
  level: "good match",
  reason: "they do the same",
  remedy: "",
  figure: "12 % differ",
} as const;
const UNFIT = { ...GOOD, fit: "unfit", level: "no match", reason: "they differ", remedy: "choose others" } as const;

test("a verdict says level and reason, and keeps the figure behind a question", () => {
  const line = new VerdictLine();
  line.show(GOOD);
  expect(line.element.querySelector(".status")?.textContent).toBe("Good match: they do the same.");
  const why = line.element.querySelector("details");
  expect(why?.open).toBe(false);
  expect(why?.textContent).toBe("Why?12 % differ.");
});

test("what to do comes after the reason, and an error hides the figure", () => {
  const line = new VerdictLine();
  line.show(UNFIT);
  expect(line.element.textContent).toContain("No match: they differ. Choose others.");
  line.say("It went wrong", true);
  expect(line.element.querySelector(".status.bad")?.textContent).toBe("It went wrong");
  expect(line.element.querySelector("details")?.hidden).toBe(true);
  line.show(GOOD);
  expect(line.element.querySelector("details")?.hidden).toBe(false);
});
