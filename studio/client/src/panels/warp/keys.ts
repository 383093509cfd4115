import type { ClipHeader, JointKey } from "../../core/messages";

export type KeyKind = JointKey["kind"];

/** The name of each kind of key, its fields, and their unit; a field shows the recipe's number times `factor`. */
export const KINDS: Record<KeyKind, { name: string; fields: string[]; unit: string; factor: number; step: number }> = {
  rotate: { name: "Rotate by", fields: ["x", "y", "z"], unit: "°", factor: 180 / Math.PI, step: 1 },
  orient: { name: "Rotate to", fields: ["x", "y", "z"], unit: "°", factor: 180 / Math.PI, step: 1 },
  move: { name: "Move body", fields: ["x", "y", "z"], unit: "m", factor: 1, step: 0.01 },
  reach: { name: "Reach position", fields: ["x", "y", "z"], unit: "m", factor: 1, step: 0.01 },
  scale: { name: "Exaggerate", fields: ["factor"], unit: "×", factor: 1, step: 0.05 },
};

/** Seconds over which a new key fades in and out. */
export const EASE = 0.7;

const HANDS_AND_FEET = /hand|wrist|foot|ankle|toe|ball|finger/i;
const HEAD = /head|neck/i;

/** The kind of key that probably suits a joint: hands and feet are dragged, all others rotated. */
export function suggestKind({ names, parents }: ClipHeader, joint: string, kind: KeyKind): KeyKind {
  if (kind !== "rotate" && kind !== "reach" && kind !== "move") return kind;
  const index = names.indexOf(joint);
  const isEnd = index > 0 && !parents.includes(index) && !HEAD.test(joint);
  return isEnd || HANDS_AND_FEET.test(joint) ? "reach" : "rotate";
}

/** A key in a few words: its joint, kind and numbers. */
export function describeKey({ joint, kind, value }: JointKey): string {
  const { name, unit, factor } = KINDS[kind];
  const numbers = (value.length === 4 ? [] : value).map((number) => formatNumber(number * factor));
  return `${joint || "root"}: ${name.toLowerCase()} ${numbers.join(", ")}${numbers.length ? `${unit === "°" ? "" : " "}${unit}` : ""}`;
}

export function sortKeys(keys: JointKey[]): JointKey[] {
  return [...keys].sort((a, b) => a.time - b.time);
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? 0 : 2)));
}
