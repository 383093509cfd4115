import * as THREE from "three";
import { element } from "../core/dom";
import type { Figure } from "./figures";

/** Metres above the highest joint, and pixels between labels. */
const ABOVE = 0.18;
const GAP = 2;
/** Steps up that a label may be moved before it is left out. */
const MAX_MOVES = 8;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Names over the figures, where there are several that are not faint; no two of them overlap. */
export class Labels {
  readonly element = element("div", { class: "figure-labels", "aria-hidden": "true" });
  private readonly labels = new Map<string, HTMLElement>();

  /** Put the names where the figures are now. */
  show(figures: Figure[], camera: THREE.Camera, host: HTMLElement, isOn: boolean): void {
    const named = figures.filter(({ role }) => role === "solid" || role === "ghost");
    const wanted = isOn && named.length > 1 ? named : [];
    const ids = new Set(wanted.map(({ item }) => item.id));
    for (const [id, label] of this.labels) {
      if (ids.has(id)) continue;
      label.remove();
      this.labels.delete(id);
    }
    const { clientWidth: width, clientHeight: height } = host;
    const placed: Box[] = [];
    for (const figure of wanted) {
      const label = this.labelOf(figure);
      const top = topOf(figure).project(camera);
      const size = { width: label.offsetWidth, height: label.offsetHeight };
      const centre = { x: ((top.x + 1) / 2) * width, y: ((1 - top.y) / 2) * height };
      const box = place({ x: centre.x - size.width / 2, y: centre.y - size.height, ...size }, placed);
      const isSeen = top.z < 1 && box !== null && box.y >= 0 && box.x + box.width > 0 && box.x < width;
      label.style.visibility = isSeen ? "visible" : "hidden";
      if (!isSeen) continue;
      placed.push(box);
      label.style.transform = `translate(${Math.round(box.x)}px, ${Math.round(box.y)}px)`;
    }
  }

  private labelOf({ item }: Figure): HTMLElement {
    let label = this.labels.get(item.id);
    if (!label) {
      label = element("span", { class: "figure-label" });
      this.labels.set(item.id, label);
      this.element.append(label);
    }
    if (label.textContent !== item.name) label.textContent = item.name;
    label.style.setProperty("--colour", `var(--figure-${item.colour})`);
    return label;
  }
}

/** The box moved up until it overlaps no other; null if there is no room. */
export function place(box: Box, others: Box[]): Box | null {
  let moved = box;
  for (let n = 0; n <= MAX_MOVES; n++) {
    const hit = others.find((other) => overlaps(moved, other));
    if (!hit) return moved;
    moved = { ...moved, y: hit.y - moved.height - GAP };
  }
  return null;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function topOf({ pose, offset, shown }: Figure): THREE.Vector3 {
  const top = new THREE.Vector3().fromArray(pose, 3 * shown.root);
  for (let n = 1; n < pose.length; n += 3) if (pose[n]! > top.y) top.y = pose[n]!;
  return top.add(offset).setY(top.y + ABOVE);
}
