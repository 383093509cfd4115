import type { ClipHead, JointKey } from "../../core/messages";

export type KeyKind = JointKey["kind"];

/** What the kinds of keys are called, what their numbers are, and how a number is shown: the recipe's times `factor`. */
export const KINDS: Record<KeyKind, { name: string; fields: string[]; unit: string; factor: number; step: number }> = {
  rotate: { name: "Turn further", fields: ["x", "y", "z"], unit: "°", factor: 180 / Math.PI, step: 1 },
  orient: { name: "Turn to", fields: ["x", "y", "z"], unit: "°", factor: 180 / Math.PI, step: 1 },
  move: { name: "Move the body", fields: ["x", "y", "z"], unit: "m", factor: 1, step: 0.01 },
  reach: { name: "Reach a place", fields: ["x", "y", "z"], unit: "m", factor: 1, step: 0.01 },
  scale: { name: "Exaggerate or calm", fields: ["factor"], unit: "×", factor: 1, step: 0.05 },
};

/** Seconds over which a new key fades in and out. */
export const EASE = 0.7;

const HANDS_AND_FEET = /hand|wrist|foot|ankle|toe|ball|finger/i;
const HEAD = /head|neck/i;

/** The kind of key that one probably wants for a joint: hands and feet are dragged, all else is turned. */
export function suggestedKind({ names, parents }: ClipHead, joint: string, kind: KeyKind): KeyKind {
  if (kind !== "rotate" && kind !== "reach" && kind !== "move") return kind;
  const index = names.indexOf(joint);
  const isEnd = index > 0 && !parents.includes(index) && !HEAD.test(joint);
  return isEnd || HANDS_AND_FEET.test(joint) ? "reach" : "rotate";
}

/** The joint, kind and numbers of a key in a few words. */
export function spoken({ joint, kind, value }: JointKey): string {
  const { name, unit, factor } = KINDS[kind];
  const numbers = (value.length === 4 ? [] : value).map((number) => short(number * factor));
  return `${joint || "root"}: ${name.toLowerCase()} ${numbers.join(", ")}${numbers.length ? ` ${unit}` : ""}`;
}

export function inOrder(keys: JointKey[]): JointKey[] {
  return [...keys].sort((a, b) => a.time - b.time);
}

export function short(value: number): string {
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? 0 : 2)));
}
