import * as THREE from "three";
import { token } from "../core/theme";
import type { Figure } from "./figures";

/** Pixels from a joint within which a click picks it. */
const MAX_DISTANCE = 18;
/** Pixels that the pointer may move between press and release of a click; farther, it orbits the camera. */
const MAX_CLICK_MOVE = 4;
const MARKER_RADIUS = 0.045;

export interface FigureJoint {
  figure: Figure;
  joint: number;
}

/** Report which joint was clicked: the nearest on the screen, however the figure is drawn. */
export function onJointClick(
  canvas: HTMLCanvasElement,
  camera: () => THREE.Camera,
  figures: () => Figure[],
  onPick: (found: FigureJoint | null) => void,
): void {
  let down: PointerEvent | null = null;
  canvas.addEventListener("pointerdown", (event) => (down = event.button === 0 ? event : null));
  canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > MAX_CLICK_MOVE) return;
    onPick(nearest(event.offsetX, event.offsetY, canvas, camera(), figures()));
  });
}

function nearest(
  x: number,
  y: number,
  canvas: HTMLCanvasElement,
  camera: THREE.Camera,
  figures: Figure[],
): FigureJoint | null {
  const point = new THREE.Vector3();
  let best: FigureJoint | null = null;
  let least = MAX_DISTANCE;
  for (const figure of figures) {
    for (let joint = 0; joint < figure.shown.nJoints; joint++) {
      point
        .fromArray(figure.pose, 3 * joint)
        .add(figure.offset)
        .project(camera);
      if (point.z > 1) continue; // behind the camera
      const x0 = ((point.x + 1) / 2) * canvas.clientWidth;
      const y0 = ((1 - point.y) / 2) * canvas.clientHeight;
      const distance = Math.hypot(x0 - x, y0 - y);
      if (distance >= least) continue;
      least = distance;
      best = { figure, joint };
    }
  }
  return best;
}

/** A ball around the joint that was clicked last. */
export class PickedMarker {
  readonly mesh = new THREE.Mesh(
    new THREE.SphereGeometry(MARKER_RADIUS, 16, 10),
    new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false }),
  );

  constructor() {
    this.mesh.visible = false;
    this.mesh.renderOrder = 3;
    this.recolour();
  }

  recolour(): void {
    this.mesh.material.color.set(token("--text"));
  }

  show(figure: Figure | null, joint: number): void {
    this.mesh.visible = figure !== null && joint >= 0;
    if (figure && joint >= 0) this.mesh.position.fromArray(figure.pose, 3 * joint).add(figure.offset);
  }
}
