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

test("an answer is not taken for a subject that was another one meanwhile", async () => {
  const answers: ((answer: string) => void)[] = [];
  const log: string[] = [];
  let key = "done";
  const request = new LatestRequest<string>({
    key: () => key,
    ask: () => new Promise((resolve) => answers.push(resolve)),
    receive: (answer) => log.push(answer),
    fail: () => log.push("failed"),
  });
  const running = request.update();
  for (key of ["undone", "done"]) void request.update();
  answers[0]!("about what was undone");
  await Promise.resolve();
  await Promise.resolve();
  expect(log).toEqual([]);
  answers[1]!("about what is done");
  await running;
  expect(log).toEqual(["about what is done"]);
});

test("an answer about something else is dropped, and so is its failure", async () => {
  const answers: ((answer: string | Promise<string>) => void)[] = [];
  const log: string[] = [];
  let subject = "walk";
  const request = new LatestRequest<string>({
    key: () => subject,
    subject: () => subject,
    ask: () => new Promise((resolve) => answers.push(resolve)),
    receive: (answer) => log.push(answer),
    fail: () => log.push("failed"),
  });
  const running = request.update();
  const answer = async (late: string | Promise<string>): Promise<void> => {
    answers.shift()!(late);
    await new Promise((done) => setTimeout(done));
  };
  subject = "jog";
  await answer("about the walk");
  subject = "run";
  await answer(Promise.reject(new RequestError("the jog is gone")));
  await answer("about the run");
  await running;
  expect(log).toEqual(["about the run"]);
});

test("what was dropped because nothing was selected is asked for again", async () => {
  const answers: ((answer: string) => void)[] = [];
  const log: string[] = [];
  let subject: string | null = "walk";
  const request = new LatestRequest<string>({
    key: () => subject,
    subject: () => subject,
    ask: () => new Promise((resolve) => answers.push(resolve)),
    receive: (answer) => log.push(answer),
    fail: () => log.push("failed"),
  });
  const first = request.update();
  subject = null;
  void request.update();
  answers.shift()!("too late");
  await first;
  subject = "walk";
  const second = request.update();
  answers.shift()?.("about the walk");
  await second;
  expect(log).toEqual(["about the walk"]);
});
