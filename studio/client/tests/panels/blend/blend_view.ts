import { LiveControl } from "../../../src/core/live";
import type { Connection } from "../../../src/core/connection";
import type { BlendRecipe, Item } from "../../../src/core/messages";
import type { Motion } from "../../../src/core/motion";
import type { View } from "../../../src/core/panel";
import { newBlend } from "../../../src/core/recipes";
import { Signal } from "../../../src/core/signal";
import type { Studio } from "../../../src/core/studio";
import { fakeConnection } from "../../fake_connection";

/** What the sections of the blend panel work on: a blend of some clips in a page without a server. */
export function blendView(nClips: number) {
  const { connection, sent } = fakeConnection();
  const sources = Array.from({ length: nClips }, (_, n) => `c${n}`);
  const motions = new Map<string, Motion>();
  const recipe: BlendRecipe = newBlend(sources);
  const said: string[] = [];
  const studio = {
    live: new LiveControl(connection as unknown as Connection),
    item: (id: string) => ({ id, name: id, colour: 0 }) as Item,
    motion: (id: string) => motions.get(id) ?? null,
    jointPicked: new Signal(),
    sayError: (error: Error) => void said.push(error.message),
  } as unknown as Studio;
  const view: View<"blend"> = {
    studio,
    item: { id: "blend", name: "blend" } as Item,
    recipe,
    change: (fields) => void Object.assign(recipe, fields),
  };
  return { view, motions, connection, sent, said };
}
