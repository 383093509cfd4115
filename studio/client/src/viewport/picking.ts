import * as THREE from "three";
import { token } from "../core/theme";
import type { Figure } from "./figures";

/** Pixels from a joint within which a click is meant for it. */
const REACH = 18;
/** Pixels that the pointer may move between press and release; beyond, it turned the camera. */
const STILL = 4;
const MARKER_RADIUS = 0.045;

export interface Picked {
  figure: Figure;
  joint: number;
}

/** Tells which joint was clicked: the nearest on the screen, whatever the figure is drawn with. */
export function onClick(
  canvas: HTMLCanvasElement,
  camera: THREE.Camera,
  figures: () => Figure[],
  picked: (found: Picked | null) => void,
): void {
  let down: PointerEvent | null = null;
  canvas.addEventListener("pointerdown", (event) => (down = event.button === 0 ? event : null));
  canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > STILL) return;
    picked(nearest(event.offsetX, event.offsetY, canvas, camera, figures()));
  });
}

function nearest(
  x: number,
  y: number,
  canvas: HTMLCanvasElement,
  camera: THREE.Camera,
  figures: Figure[],
): Picked | null {
  const place = new THREE.Vector3();
  let best: Picked | null = null;
  let reach = REACH;
  for (const figure of figures) {
    for (let joint = 0; joint < figure.motion.nJoints; joint++) {
      place
        .fromArray(figure.pose, 3 * joint)
        .add(figure.offset)
        .project(camera);
      if (place.z > 1) continue; // behind the camera
      const right = ((place.x + 1) / 2) * canvas.clientWidth;
      const down = ((1 - place.y) / 2) * canvas.clientHeight;
      const away = Math.hypot(right - x, down - y);
      if (away >= reach) continue;
      reach = away;
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
