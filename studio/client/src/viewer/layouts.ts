import type { PageData } from "../core/messages";

export type Layout = PageData["layout"];

/** The layouts of several clips: name, label and what they do. */
export const LAYOUTS: [Layout, string, string][] = [
  ["side", "Side by side", "Line the figures up, all facing the same way"],
  ["start", "Same start", "Put the figures on each other: all start at one place, facing the same way"],
  ["placed", "As placed", "Show each figure where its motion is"],
  ["wipe", "Wipe", "Show the first clip left and the second right of a line that can be dragged"],
];
