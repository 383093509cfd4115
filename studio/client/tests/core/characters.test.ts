import { expect, test } from "vitest";
import { Characters } from "../../src/core/characters";
import type { CharacterFile, Document, Item } from "../../src/core/messages";
import { OutdatedError, RequestError, type Server } from "../../src/core/server";
import { Signal } from "../../src/core/signal";
import type { Studio } from "../../src/core/studio";

const HERO: CharacterFile = { id: "k1", name: "hero", path: "files/hero.glb", joint_map: {} };
const WALK = { id: "c1", name: "walk" } as Item;
const MESH = { header: { materials: [] }, arrays: {} };

/** Characters of a project with one clip; `answers` are what the server says, in turn. */
function project(answers: unknown[]) {
  const asked: string[] = [];
  const said: string[] = [];
  const say = (error: unknown): number => said.push((error as Error).message);
  const studio = {
    document: { items: [WALK], characters: [HERO], figure: "k1" } as unknown as Document,
    documentChanged: new Signal<Document>(),
    connectionChanged: new Signal<boolean>(),
    motion: () => ({ key: "a", header: { mannequin: null } }),
    say: (text: string) => said.push(text),
    sayError: say,
    sayErrorAbout: (_: string, error: unknown) => say(error),
  };
  const answer = (path: string): Promise<unknown> => {
    asked.push(path);
    const next = answers.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const server = { pack: answer, blob: answer };
  const characters = new Characters(studio as unknown as Studio, server as unknown as Server);
  const change = (document: Partial<Document>): void => {
    studio.document = { ...studio.document, ...document };
    studio.documentChanged.emit(studio.document);
  };
  return { characters, studio, asked, said, change };
}

/** Let everything happen that waits for an answer. */
function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

test("a mesh that could not be had is asked for again when the server is back", async () => {
  const { characters, studio, asked, said, change } = project([new RequestError("no answer"), MESH]);
  expect(characters.mesh(HERO)).toBeNull();
  await settle();
  change({});
  expect(characters.mesh(HERO)).toBeNull();
  expect(asked.length).toBe(1);
  studio.connectionChanged.emit(true);
  expect(characters.mesh(HERO)).toBeNull();
  await settle();
  expect(characters.mesh(HERO)?.pack).toBe(MESH);
  expect(said).toEqual(["no answer"]);
});

test("a motion that cannot be put on a character is asked for once", async () => {
  const { characters, asked, said, change } = project([new RequestError("no legs"), new RequestError("no legs")]);
  for (let n = 0; n < 3; n++) {
    expect(characters.motion(WALK, HERO)).toBeNull();
    await settle();
    change({});
  }
  expect(asked).toEqual(["./api/characters/k1/clips/c1?key=a"]);
  expect(said).toEqual(["no legs"]);
});

test("what was removed while it was asked for is asked for again once it is back", async () => {
  const { characters, asked, said, change } = project([new OutdatedError("gone"), MESH]);
  let changes = 0;
  characters.changed.on(() => changes++);
  characters.mesh(HERO);
  change({ characters: [] });
  change({ characters: [HERO] });
  await settle();
  expect(changes).toBe(1);
  characters.mesh(HERO);
  await settle();
  expect(characters.mesh(HERO)?.pack).toBe(MESH);
  expect([asked.length, said.length]).toEqual([2, 0]);
});

test("a texture is called broken only where it came", async () => {
  const textured = { header: { materials: [{ textured: true }] }, arrays: {} };
  const answers = [textured, new OutdatedError("gone"), textured, new RequestError("no answer"), textured, new Blob()];
  const { characters, studio, said, change } = project(answers);
  characters.mesh(HERO);
  change({});
  await settle();
  expect([characters.mesh(HERO), said]).toEqual([null, []]);
  await settle();
  expect([characters.mesh(HERO), said]).toEqual([null, ["no answer"]]);
  studio.connectionChanged.emit(true);
  characters.mesh(HERO);
  await settle();
  expect(characters.mesh(HERO)?.textures.size).toBe(0);
  expect(said[1]).toBe("a texture of hero cannot be decoded: its plain colour is shown");
});

test("the mesh of a removed character is dropped", async () => {
  const { characters, asked, change } = project([MESH, MESH]);
  characters.mesh(HERO);
  await settle();
  const skin = characters.mesh(HERO)!;
  change({});
  expect(characters.has(skin)).toBe(true);
  change({ characters: [], figure: "mannequin" });
  expect(characters.has(skin)).toBe(false);
  change({ characters: [HERO] });
  characters.mesh(HERO);
  expect(asked.length).toBe(2);
});
