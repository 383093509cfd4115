import { beforeEach, expect, test, vi } from "vitest";
import type { BlendRecipe, Edit, FromServer, Item } from "../../src/core/messages";
import { newBlend } from "../../src/core/recipes";
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

/** The answer to a request for a motion without joints. */
function packOf(header: object): object {
  const text = JSON.stringify({ header, arrays: [{ name: "positions", shape: [0] }] });
  const bytes = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const pack = new Uint8Array(4 + bytes.length);
  new DataView(pack.buffer).setUint32(0, bytes.length, true);
  pack.set(bytes, 4);
  return { ok: true, arrayBuffer: () => Promise.resolve(pack.buffer) };
}

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
  await new Promise((done) => setTimeout(done)); // until the motion is asked for
  show();
  show("c1");
  answers[0]!(packOf({}));
  await new Promise((done) => setTimeout(done));
  expect(studio.motion("c1")).toBeNull();
});

test("notes that take long to find come after the motion is shown", async () => {
  const { studio, hear, show } = connect();
  show("c1");
  hear({ type: "finished", item: "c1", key: "new" });
  await new Promise((done) => setTimeout(done));
  answers[0]!(packOf({ names: [], notes: ["lengths read as cm"], has_more_notes: true }));
  await new Promise((done) => setTimeout(done));
  expect(studio.motion("c1")?.header.notes).toEqual(["lengths read as cm"]);
  const changed = vi.fn();
  studio.itemChanged.on(changed);
  answers[1]!({ ok: true, json: () => Promise.resolve(["lengths read as cm", "faults of capture"]) });
  await new Promise((done) => setTimeout(done));
  expect(studio.motion("c1")?.header.notes).toEqual(["lengths read as cm", "faults of capture"]);
  expect(changed).toHaveBeenCalledExactlyOnceWith("c1");
});

/** A page that can send, and what it sent. */
function connectToSend() {
  const sent: { serial: number; edit: Edit }[] = [];
  class Socket {
    static readonly OPEN = 1;
    readonly readyState = 1;
    send(text: string): void {
      sent.push(JSON.parse(text) as { serial: number; edit: Edit });
    }
  }
  vi.stubGlobal("WebSocket", Socket);
  return { ...connect(), sent };
}

const blend = (changes: Partial<BlendRecipe> = {}): BlendRecipe => ({ ...newBlend(["c1", "c2"]), ...changes });

test("an edit is made to what the edit before it left, however late the server answers", () => {
  const { studio, show, sent } = connectToSend();
  show("c3");
  studio.setRecipe("c3", blend({ plant: false }));
  const latest = studio.item("c3")!.recipe as BlendRecipe;
  studio.setRecipe("c3", { ...latest, in_place: true });
  expect(sent[1]!.edit).toMatchObject({ recipe: { plant: false, in_place: true } });
});

test("panels hear of an edit once, after the event that caused it", async () => {
  const { studio, show, hear, sent } = connectToSend();
  show("c3");
  let told = 0;
  studio.documentChanged.on(() => told++);
  studio.setRecipe("c3", blend());
  studio.setRecipe("c3", blend({ plant: false }));
  expect(told).toBe(0);
  await Promise.resolve();
  expect(told).toBe(1);
  hear({
    type: "state",
    document: { items: [{ id: "c3", name: "c3", recipe: blend({ plant: false }) }], characters: [], figure: "sticks" },
  });
  expect(told).toBe(2);
  sent.forEach(({ serial }) => hear({ type: "applied", serial }));
  await Promise.resolve();
  expect(told).toBe(2);
});

test("a refused edit is taken back", () => {
  const { studio, show, hear, sent } = connectToSend();
  show("c3");
  studio.do({ type: "show", item: "c3", visible: false });
  expect(studio.item("c3")!.visible).toBe(false);
  hear({ type: "refused", error: "no", serial: sent[0]!.serial });
  expect(studio.item("c3")!.visible).toBeUndefined();
});

test("edits that were not answered are taken back with a word when the connection is lost", () => {
  const { studio, show } = connectToSend();
  show("c3");
  const said: string[] = [];
  studio.spoke.on(({ text }) => said.push(text));
  studio.connection.changed.emit(false);
  expect(said).toEqual([]);
  studio.do({ type: "show", item: "c3", visible: false });
  studio.connection.changed.emit(false);
  expect(studio.item("c3")!.visible).toBeUndefined();
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("before your last change was answered");
});

test("the server is asked about clips only after it knows all edits", async () => {
  const { studio, show, hear, sent } = connectToSend();
  show("c3");
  studio.setRecipe("c3", blend());
  void studio.server.json("./api/quality/c3");
  await new Promise((done) => setTimeout(done));
  expect(answers).toHaveLength(0);
  hear({ type: "applied", serial: sent[0]!.serial });
  await new Promise((done) => setTimeout(done));
  expect(answers).toHaveLength(1);
});
