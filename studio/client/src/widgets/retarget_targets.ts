import type { RetargetRecipe } from "../core/messages";
import { sourcesOf } from "../core/recipes";
import type { Studio } from "../core/studio";

/** Whose skeleton a clip can be retargeted to: a character of the project, or another clip. */
export interface RetargetTarget {
  key: string;
  label: string;
  fields: Pick<RetargetRecipe, "to" | "path" | "joint_map">;
}

/** Characters, and clips that are not made of `item`. */
export function retargetTargets(studio: Studio, item: string | null = null): RetargetTarget[] {
  const { characters, items } = studio.document;
  const dependents = new Set(item === null ? [] : [item]);
  for (const { id, recipe } of items)
    if (sourcesOf(recipe).some((source) => dependents.has(source))) dependents.add(id);
  return [
    ...characters.map(({ name, path, joint_map }) => ({
      key: `file ${path}`,
      label: `${name} (character)`,
      fields: { to: null, path, joint_map },
    })),
    ...items
      .filter(({ id }) => !dependents.has(id))
      .map(({ id, name }) => ({ key: `clip ${id}`, label: name, fields: { to: id, path: null, joint_map: {} } })),
  ];
}

export function targetOf({ to, path }: RetargetRecipe): string {
  return to === null ? `file ${path}` : `clip ${to}`;
}
