import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type ViewName = "front" | "side" | "top";

/** The direction from the target to the camera. The top view is tilted a little, so that up stays defined. */
const DIRECTIONS: Record<ViewName, THREE.Vector3> = {
  front: new THREE.Vector3(0, 0, 1),
  side: new THREE.Vector3(1, 0, 0),
  top: new THREE.Vector3(0, 1, 0.0001),
};
const FIRST_DIRECTION = new THREE.Vector3(0.75, 0.38, 0.85);
const MARGIN = 1.2;
const ORBIT_STEP = Math.PI / 12;
const ZOOM_STEP = 1.2;
/** Fraction of the view, from centre to edge, within which a figure counts as in view. */
const IN_VIEW = 0.5;

/** The camera: orbits, pans and zooms by mouse or keys, and follows a figure. */
export class CameraControl {
  readonly controls: OrbitControls;
  private followed: THREE.Vector3 | null = null;

  constructor(
    private readonly camera: THREE.PerspectiveCamera,
    canvas: HTMLCanvasElement,
    private readonly changed: () => void,
  ) {
    this.controls = new OrbitControls(camera, canvas);
    this.controls.enableDamping = false;
    this.controls.minDistance = 0.3;
    this.controls.maxDistance = 60;
    this.controls.addEventListener("change", changed);
    this.controls.target.set(0, 0.9, 0);
    camera.position.copy(FIRST_DIRECTION).setLength(4).add(this.controls.target);
    this.controls.update();
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  look(from: ViewName): void {
    this.lookAlong(DIRECTIONS[from]);
  }

  /** Orbit around the target, to the right and up, in steps. */
  orbit(right: number, up: number): void {
    const around = new THREE.Spherical().setFromVector3(this.arm());
    around.theta += right * ORBIT_STEP;
    around.phi -= up * ORBIT_STEP;
    this.lookAlong(new THREE.Vector3().setFromSpherical(around.makeSafe()));
  }

  /** Zoom in by steps; out if negative. */
  zoom(steps: number): void {
    this.place(this.arm().divideScalar(ZOOM_STEP ** steps));
  }

  /** Show all of a box from the present direction. */
  frame(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const vertical = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(vertical, Math.atan(Math.tan(vertical) * this.camera.aspect));
    this.controls.target.copy(sphere.center);
    this.place(this.arm().setLength((MARGIN * Math.max(sphere.radius, 0.3)) / Math.sin(narrow)));
  }

  /** Move along with a position over the ground; null leaves the camera where it is. */
  follow(position: THREE.Vector3 | null): void {
    if (position && this.followed) {
      const moved = position.clone().sub(this.followed).setY(0);
      if (moved.lengthSq() > 0) {
        this.controls.target.add(moved);
        this.camera.position.add(moved);
      }
    }
    this.followed = position?.clone() ?? null;
  }

  /** Follow another figure from now on; the camera jumps there only if it is out of view. */
  followNew(position: THREE.Vector3): void {
    const projected = position.clone().project(this.camera);
    const isInView = Math.max(Math.abs(projected.x), Math.abs(projected.y)) < IN_VIEW && projected.z < 1;
    this.followed = isInView ? position.clone() : this.controls.target.clone();
  }

  private arm(): THREE.Vector3 {
    return this.camera.position.clone().sub(this.controls.target);
  }

  private lookAlong(direction: THREE.Vector3): void {
    this.place(direction.clone().setLength(this.distance));
  }

  private place(arm: THREE.Vector3): void {
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.changed();
  }
}
