import { expect, test } from "vitest";
import { LatestRequest } from "../../src/core/latest_request";
import { OutdatedError, RequestError } from "../../src/core/server";

function asking(answers: (string | Error)[]): { request: LatestRequest<string>; log: string[] } {
  const log: string[] = [];
  const request = new LatestRequest<string>({
    key: () => "a clip",
    ask: () => {
      const answer = answers.shift() ?? "nothing";
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    receive: (answer) => log.push(answer),
    fail: (error) => log.push(`failed: ${(error as Error).message}`),
  });
  return { request, log };
}

test("a question whose subject changed meanwhile is asked again", async () => {
  const { request, log } = asking([new OutdatedError("gone"), "there again"]);
  await request.update();
  expect(log).toEqual(["there again"]);
});

test("but not for ever", async () => {
  const { request, log } = asking(Array.from({ length: 9 }, () => new OutdatedError("gone")));
  await request.update();
  expect(log).toEqual(["failed: gone"]);
});

test("other failures are reported once", async () => {
  const { request, log } = asking([new RequestError("no"), "later"]);
  await request.update();
  expect(log).toEqual(["failed: no"]);
  await request.update();
  expect(log).toEqual(["failed: no", "later"]);
});
