import * as THREE from "three";
import { element } from "../core/dom";
import { findCovered } from "./covered";
import type { Figure } from "./figures";
import { SkinnedBody } from "./skinned_body";

/** Metres of a body above its highest joint where it has no skin, and metres from there to the label. */
const ABOVE = 0.15;
const MARGIN = 0.05;
/** Pixels between labels. */
const GAP = 2;
/** Every so many vertices of a skin count when its height is found. */
const VERTEX_STEP = 20;
/** Metres of skins above the highest joint. */
const ABOVE_JOINTS = new WeakMap<SkinnedBody, number>();
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
    // Solid figures first, whose names stay nearest to them.
    const named = [
      ...figures.filter(({ role }) => role === "solid"),
      ...figures.filter(({ role }) => role === "ghost"),
    ];
    const wanted = isOn && named.length > 1 ? named : [];
    const ids = new Set(wanted.map(({ item }) => item.id));
    for (const [id, label] of this.labels) {
      if (ids.has(id)) continue;
      label.remove();
      this.labels.delete(id);
    }
    const { clientWidth: width, clientHeight: height } = host;
    const covered = findCovered(host).top;
    const placed: Box[] = [];
    for (const figure of wanted) {
      const label = this.labelOf(figure);
      const top = topOf(figure).project(camera);
      const size = { width: label.offsetWidth, height: label.offsetHeight };
      const centre = { x: ((top.x + 1) / 2) * width, y: ((1 - top.y) / 2) * height };
      const box = place({ x: centre.x - size.width / 2, y: centre.y - size.height, ...size }, placed, covered);
      const isSeen = top.z < 1 && box !== null && box.y >= covered && box.x + box.width > 0 && box.x < width;
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

/** The box moved up until it overlaps no other or, where it would leave the view at `top`, down; null without room. */
export function place(box: Box, others: Box[], top = 0): Box | null {
  const clear = (start: Box, beside: (hit: Box) => number): Box | null => {
    let moved = start;
    for (let n = 0; n <= MAX_MOVES; n++) {
      const hit = others.find((other) => overlaps(moved, other));
      if (!hit) return moved;
      moved = { ...moved, y: beside(hit) };
    }
    return null;
  };
  const above = clear(box, (hit) => hit.y - box.height - GAP);
  if (above && above.y >= top) return above;
  return clear({ ...box, y: Math.max(box.y, top) }, (hit) => hit.y + hit.height + GAP);
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function topOf({ pose, offset, shown, body }: Figure): THREE.Vector3 {
  const top = new THREE.Vector3().fromArray(pose, 3 * shown.root);
  top.y = highest(pose);
  let skin = body instanceof SkinnedBody ? ABOVE_JOINTS.get(body) : 0;
  if (skin === undefined) {
    skin = Math.max(0, highest((body as SkinnedBody).vertices(VERTEX_STEP)) - top.y);
    ABOVE_JOINTS.set(body as SkinnedBody, skin);
  }
  return top.add(offset).setY(top.y + Math.max(skin, ABOVE) + MARGIN);
}

function highest(points: ArrayLike<number>): number {
  let top = -Infinity;
  for (let n = 1; n < points.length; n += 3) if (points[n]! > top) top = points[n]!;
  return top;
}
