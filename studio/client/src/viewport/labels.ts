import * as THREE from "three";
import { element } from "../core/dom";
import { findCovered } from "./covered";
import type { Figure } from "./figures";
import { type Box, findPlace } from "./label_places";
import { SkinnedBody } from "./skinned_body";

/** Metres of a body above its highest joint where it has no skin, and metres from there to the label. */
const ABOVE = 0.15;
const MARGIN = 0.05;
/** Pixels between labels and the edge of the view. */
const EDGE = 4;

/** Pixels that names need over the figures, below the buttons. */
export const LABEL_ROOM = 44;

/** A name in the view. */
interface Label {
  element: HTMLElement;
  /** By how much it was shifted from its figure, to keep clear of others. */
  shift: { x: number; y: number };
  /** Its size, measured when it changes: that costs a layout. */
  size: { width: number; height: number };
}

/** Names over the figures, where there are several that are not faint. They overlap neither each other nor, where they
 * belong to sources, the solid figures. */
export class Labels {
  readonly element = element("div", { class: "figure-labels", "aria-hidden": "true" });
  private readonly labels = new Map<string, Label>();

  /** Put the names where the figures are now. */
  show(figures: Figure[], camera: THREE.Camera, host: HTMLElement, isOn: boolean): void {
    const solid = figures.filter(({ role }) => role === "solid");
    const ghosts = figures.filter(({ role }) => role === "ghost");
    // Solid figures first, whose names stay nearest to them.
    const named = [...solid, ...ghosts];
    const wanted = isOn && named.length > 1 ? named : [];
    const ids = new Set(wanted.map(({ item }) => item.id));
    for (const [id, label] of this.labels) {
      if (ids.has(id)) continue;
      label.element.remove();
      this.labels.delete(id);
    }
    if (wanted.length === 0) return;
    const size = { width: host.clientWidth, height: host.clientHeight };
    const { top, bottom } = findCovered(host);
    const view = {
      x: EDGE,
      y: top + EDGE,
      width: size.width - 2 * EDGE,
      height: size.height - top - bottom - 2 * EDGE,
    };
    const outlines = new Map(solid.map((figure) => [figure, outlineOf(figure, camera, size)]));
    const placed: Box[] = [];
    for (const figure of wanted) {
      const others = figure.role === "ghost" ? [...placed, ...outlines.values()] : placed;
      const box = this.place(figure, camera, size, view, others, outlines.get(figure));
      if (box) placed.push(box);
    }
  }

  /** Put the name of a figure over it, or as near as it is clear of the others; returns null where it is left out. */
  private place(
    figure: Figure,
    camera: THREE.Camera,
    { width, height }: { width: number; height: number },
    view: Box,
    others: Box[],
    outline: Box | undefined,
  ): Box | null {
    const label = this.labelOf(figure);
    const top = topOf(figure).project(camera);
    const x = ((top.x + 1) / 2) * width;
    const y = Math.min(((1 - top.y) / 2) * height, outline?.y ?? height); // from above, the head is in the middle
    const wanted = { x: x - label.size.width / 2, y: y - label.size.height, ...label.size };
    const isInView = top.z < 1 && x >= 0 && x <= width && y <= height;
    const box = isInView ? findPlace(wanted, others, view, label.shift) : null;
    label.element.style.visibility = box ? "visible" : "hidden";
    if (!box) return null;
    label.shift = { x: box.x - wanted.x, y: box.y - wanted.y };
    label.element.style.transform = `translate(${Math.round(box.x)}px, ${Math.round(box.y)}px)`;
    return box;
  }

  private labelOf({ item, role }: Figure): Label {
    let label = this.labels.get(item.id);
    if (!label) {
      label = {
        element: element("span", { class: "figure-label" }),
        shift: { x: 0, y: 0 },
        size: { width: 0, height: 0 },
      };
      this.labels.set(item.id, label);
      this.element.append(label.element);
    }
    const { element: shown } = label;
    shown.style.setProperty("--colour", `var(--figure-${item.colour})`);
    if (shown.textContent !== item.name || shown.dataset["role"] !== role || label.size.width === 0) {
      shown.textContent = item.name;
      shown.dataset["role"] = role; // names of solid figures are bold
      const { width, height } = shown.getBoundingClientRect();
      label.size = { width: Math.ceil(width), height: Math.ceil(height) };
    }
    return label;
  }
}

/** The box in the view that a figure covers. */
function outlineOf(
  { body, pose, offset }: Figure,
  camera: THREE.Camera,
  { width, height }: { width: number; height: number },
): Box {
  const points = body instanceof SkinnedBody ? body.outline() : pose;
  const box = new THREE.Box2();
  const point = new THREE.Vector3();
  for (let n = 0; n < points.length; n += 3) {
    point
      .set(points[n]!, points[n + 1]!, points[n + 2])
      .add(offset)
      .project(camera);
    if (Number.isFinite(point.x + point.y) && point.z < 1) box.expandByPoint(point);
  }
  if (box.isEmpty()) return { x: 0, y: 0, width: 0, height: 0 };
  const [left, right] = [box.min.x, box.max.x].map((x) => ((x + 1) / 2) * width);
  const [top, bottom] = [box.max.y, box.min.y].map((y) => ((1 - y) / 2) * height);
  return { x: left!, y: top!, width: right! - left!, height: bottom! - top! };
}

/** Metres of skins above the highest joint. */
const ABOVE_JOINTS = new WeakMap<SkinnedBody, number>();

function topOf({ pose, offset, shown, body }: Figure): THREE.Vector3 {
  const top = new THREE.Vector3().fromArray(pose, 3 * shown.root);
  top.y = highest(pose);
  let skin = body instanceof SkinnedBody ? ABOVE_JOINTS.get(body) : 0;
  if (skin === undefined) {
    skin = Math.max(0, highest((body as SkinnedBody).outline()) - top.y);
    ABOVE_JOINTS.set(body as SkinnedBody, skin);
  }
  return top.add(offset).setY(top.y + Math.max(skin, ABOVE) + MARGIN);
}

function highest(points: ArrayLike<number>): number {
  let top = -Infinity;
  for (let n = 1; n < points.length; n += 3) if (points[n]! > top) top = points[n]!;
  return top;
}
