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
const MARGIN = 1.16;
/** How far the view may turn away from an axis, as the length of a chord, and still be without perspective. */
const MAX_FLAT_ERROR = 1e-3;
/** Metres in front of the camera and behind the target that a view without perspective shows. */
const FLAT_DEPTH = 60;
const ORBIT_STEP = Math.PI / 12;
const ZOOM_STEP = 1.2;
/** Fraction of the height of a view that is taken as free, however much of it buttons cover. */
const MIN_FREE = 0.3;
/** Fraction of the view, from centre to edge, within which a figure counts as in view. */
const IN_VIEW = 0.5;

/** Fractions of the height of the view that buttons cover, at its top and at its bottom. */
export interface CoveredFractions {
  top: number;
  bottom: number;
}

const NOTHING: CoveredFractions = { top: 0, bottom: 0 };

/** The camera: orbits, pans and zooms by mouse or keys, and follows a figure. */
export class CameraControl {
  readonly controls: OrbitControls;
  private followed: THREE.Vector3 | null = null;
  /** Draws without perspective what the other camera looks at. */
  private readonly flat = new THREE.OrthographicCamera();
  /** The direction of the view without perspective; null with perspective. */
  private flatDirection: THREE.Vector3 | null = null;

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

  /** Look along an axis, without perspective until the camera orbits. */
  look(from: ViewName): void {
    this.lookAlong(DIRECTIONS[from]);
    this.flatDirection = DIRECTIONS[from].clone().normalize();
  }

  /** The camera to draw with. */
  get active(): THREE.Camera {
    const { flat, camera } = this;
    const turned = this.flatDirection && this.arm().normalize().distanceTo(this.flatDirection) > MAX_FLAT_ERROR;
    if (turned) this.flatDirection = null;
    if (!this.flatDirection) return camera;
    const height = this.distance * Math.tan((camera.fov * Math.PI) / 360);
    [flat.bottom, flat.top] = [-height, height];
    [flat.left, flat.right] = [-height * camera.aspect, height * camera.aspect];
    [flat.near, flat.far] = [-FLAT_DEPTH, this.distance + FLAT_DEPTH];
    flat.position.copy(camera.position);
    flat.quaternion.copy(camera.quaternion);
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
    return flat;
  }

  /** Whether all of a box is in view, and not behind buttons. */
  sees(box: THREE.Box3, covered = NOTHING): boolean {
    const camera = this.active;
    camera.updateMatrixWorld();
    const corner = new THREE.Vector3();
    for (let n = 0; n < 8; n++) {
      corner.set(n & 1 ? box.max.x : box.min.x, n & 2 ? box.max.y : box.min.y, n & 4 ? box.max.z : box.min.z);
      corner.project(camera);
      if (Math.abs(corner.x) > 1 || corner.z > 1) return false;
      if (corner.y > 1 - 2 * covered.top || corner.y < 2 * covered.bottom - 1) return false;
    }
    return true;
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

  /** Show all of a box from the present direction, where no buttons are. */
  frame(box: THREE.Box3, covered = NOTHING): void {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const free = Math.max(1 - covered.top - covered.bottom, MIN_FREE);
    const narrow = Math.atan(half * Math.min(free, this.camera.aspect));
    const distance = (MARGIN * Math.max(sphere.radius, 0.3)) / Math.sin(narrow);
    const arm = this.arm().setLength(distance);
    this.controls.target.copy(sphere.center);
    // The middle of what is free is below that of the view where more is covered at the top.
    this.controls.target.y += (covered.top - covered.bottom) * half * distance;
    this.place(arm);
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
