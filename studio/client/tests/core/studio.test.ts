import { beforeEach, expect, test, vi } from "vitest";
import type { FromServer, Item } from "../../src/core/messages";
import { Studio } from "../../src/core/studio";

const answers: ((response: unknown) => void)[] = [];

beforeEach(() => {
  answers.length = 0;
  vi.stubGlobal("WebSocket", class {});
  vi.stubGlobal("location", { href: "http://127.0.0.1/" });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push(resolve)));
});

/** A page and what the server tells it: the clips of the document, or anything else. */
function connect() {
  const studio = new Studio("token");
  const hear = (message: object): void => studio.connection.received.emit(message as FromServer);
  const show = (...ids: string[]): void => {
    const items = ids.map((id) => ({ id, name: id }) as Item);
    hear({ type: "state", document: { items, characters: [], figure: "sticks" } });
  };
  return { studio, hear, show };
}

test("the error of a clip that was undone is not that of the next one with its id", () => {
  const { studio, hear, show } = connect();
  show("c1");
  hear({ type: "failed", item: "c1", error: "the clips hardly correspond" });
  expect(studio.progressOf("c1").error).toBe("the clips hardly correspond");
  show();
  show("c1");
  expect(studio.progressOf("c1").error).toBeNull();
});

test("a motion that arrives after its clip was undone is not that of the next one with its id", async () => {
  const { studio, hear, show } = connect();
  show("c1");
  hear({ type: "finished", item: "c1", key: "old" });
  show();
  show("c1");
  const text = JSON.stringify({ header: {}, arrays: [{ name: "positions", shape: [0] }] });
  const header = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const pack = new Uint8Array(4 + header.length);
  new DataView(pack.buffer).setUint32(0, header.length, true);
  pack.set(header, 4);
  answers[0]!({ ok: true, arrayBuffer: () => Promise.resolve(pack.buffer) });
  await new Promise((done) => setTimeout(done));
  expect(studio.motion("c1")).toBeNull();
});
