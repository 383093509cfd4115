import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type ViewName = "front" | "side" | "top";

/** From where each view looks at the target. From the top a little from the front, so that up stays up. */
const DIRECTIONS: Record<ViewName, THREE.Vector3> = {
  front: new THREE.Vector3(0, 0, 1),
  side: new THREE.Vector3(1, 0, 0),
  top: new THREE.Vector3(0, 1, 0.0001),
};
const FIRST_DIRECTION = new THREE.Vector3(0.75, 0.38, 0.85);
const MARGIN = 1.2;
const ORBIT_STEP = Math.PI / 12;
const ZOOM_STEP = 1.2;
/** Share of the picture, from its middle to its edge, in which somebody is well seen. */
const IN_PICTURE = 0.5;

/** The camera: turned, moved and zoomed by the mouse or keys, and taken along by whom it follows. */
export class View {
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

  /** Go round the target, to the right and up, by steps. */
  orbit(right: number, up: number): void {
    const around = new THREE.Spherical().setFromVector3(this.arm());
    around.theta += right * ORBIT_STEP;
    around.phi -= up * ORBIT_STEP;
    this.lookAlong(new THREE.Vector3().setFromSpherical(around.makeSafe()));
  }

  /** Nearer by steps; farther where they are negative. */
  zoom(steps: number): void {
    this.place(this.arm().divideScalar(ZOOM_STEP ** steps));
  }

  /** Show all of a box, from the direction that the camera has. */
  frame(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const vertical = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(vertical, Math.atan(Math.tan(vertical) * this.camera.aspect));
    this.controls.target.copy(sphere.center);
    this.place(this.arm().setLength((MARGIN * Math.max(sphere.radius, 0.3)) / Math.sin(narrow)));
  }

  /** Go along with a place on the ground; null stays where the camera is. */
  follow(place: THREE.Vector3 | null): void {
    if (place && this.followed) {
      const moved = place.clone().sub(this.followed).setY(0);
      if (moved.lengthSq() > 0) {
        this.controls.target.add(moved);
        this.camera.position.add(moved);
      }
    }
    this.followed = place?.clone() ?? null;
  }

  /** Somebody else is followed from now on: the camera moves there only if the place is out of the picture. */
  followAnew(place: THREE.Vector3): void {
    const seen = place.clone().project(this.camera);
    const isSeen = Math.max(Math.abs(seen.x), Math.abs(seen.y)) < IN_PICTURE && seen.z < 1;
    this.followed = isSeen ? place.clone() : this.controls.target.clone();
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
