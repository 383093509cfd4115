import * as THREE from "three";
import { token } from "../core/theme";

const HALF = 30;
/** Lines are cut into pieces of this many metres: software rendering drops lines that reach behind the camera. */
const PIECE = 2;

/** A grid of metres that stays under what is looked at, so that it never ends. */
export class Ground {
  readonly group = new THREE.Group();
  private fine = lines(1);
  private coarse = lines(5);

  constructor() {
    this.coarse.position.y = 0.0005; // strong lines lie over the fine ones
    this.group.add(this.fine, this.coarse);
    this.recolour();
  }

  recolour(): void {
    (this.fine.material as THREE.LineBasicMaterial).color.set(token("--grid"));
    (this.coarse.material as THREE.LineBasicMaterial).color.set(token("--grid-strong"));
  }

  moveUnder(target: THREE.Vector3, floor: number): void {
    // By whole squares of the coarse grid: lines stay where they are in the world.
    this.group.position.set(5 * Math.round(target.x / 5), floor, 5 * Math.round(target.z / 5));
  }
}

function lines(step: number): THREE.LineSegments {
  const points: number[] = [];
  for (let at = -HALF; at <= HALF; at += step) {
    for (let from = -HALF; from < HALF; from += PIECE) {
      const to = from + PIECE;
      points.push(at, 0, from, at, 0, to, from, 0, at, to, 0, at);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
}
