import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { GizmoControl, GizmoDrag, GizmoTarget } from "../core/gizmo";
import { token } from "../core/theme";

const SIZE = 0.75;

/** Rings to rotate a joint with, or arrows to move it with, at the target that a panel has set. */
export class Gizmo {
  /** To be added to the scene. */
  readonly group = new THREE.Group();
  private readonly object = new THREE.Object3D();
  private readonly controls: TransformControls;
  private readonly offset = new THREE.Vector3();

  /** `offsetOf` is the offset at which the figure of a clip stands beside others; null if it has no figure. `busy` is
   * told when dragging starts and ends, so that the camera stays put. */
  constructor(
    camera: THREE.Camera,
    canvas: HTMLCanvasElement,
    private readonly control: GizmoControl,
    private readonly offsetOf: (item: string) => THREE.Vector3 | null,
    busy: (dragging: boolean) => void,
    private readonly changed: () => void,
  ) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.size = SIZE;
    this.group.add(this.object, this.controls.getHelper());
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("dragging-changed", ({ value }) => {
      busy(Boolean(value));
      if (!value && !control.target) this.show(null); // its clip was removed meanwhile
    });
    this.controls.addEventListener("mouseDown", () => this.report("start"));
    this.controls.addEventListener("objectChange", () => this.report("move"));
    this.controls.addEventListener("mouseUp", () => this.report("end"));
    control.changed.on((target) => this.show(target));
    this.recolour();
  }

  /** The camera that it is drawn and dragged with. */
  set camera(camera: THREE.Camera) {
    this.controls.camera = camera;
  }

  /** Whether it is being dragged. */
  get dragging(): boolean {
    return this.controls.dragging;
  }

  /** Its position in the scene and the length of its arrows, in metres. */
  get spot(): { position: number[]; length: number } | null {
    if (!this.controls.object) return null;
    const { camera } = this.controls;
    if (camera instanceof THREE.OrthographicCamera) {
      return { position: this.object.position.toArray(), length: ((camera.top - camera.bottom) * SIZE) / 8 };
    }
    const distance = this.object.position.distanceTo(camera.position);
    const opening =
      camera instanceof THREE.PerspectiveCamera ? Math.tan((camera.fov * Math.PI) / 360) / camera.zoom : 1;
    return { position: this.object.position.toArray(), length: (distance * 1.9 * opening * SIZE) / 8 };
  }

  recolour(): void {
    this.controls.setColors(token("--figure-7"), token("--figure-5"), token("--figure-0"), token("--accent"));
  }

  private show(target: GizmoTarget | null): void {
    const offset = target && this.offsetOf(target.item);
    if (this.dragging) return; // do not pull it away from the pointer
    if (!target || !offset) this.controls.detach();
    else this.attach(target, offset);
    this.changed();
  }

  private attach({ mode, position, rotation: [w, x, y, z] }: GizmoTarget, offset: THREE.Vector3): void {
    this.offset.copy(offset);
    this.object.position.fromArray(position).add(offset);
    this.object.quaternion.set(x, y, z, w);
    this.object.updateMatrixWorld(true);
    this.controls.setMode(mode);
    this.controls.setSpace(mode === "rotate" ? "local" : "world");
    this.controls.attach(this.object);
  }

  private report(phase: GizmoDrag["phase"]): void {
    const position = this.object.position.clone().sub(this.offset);
    const { w, x, y, z } = this.object.quaternion;
    this.control.dragged.emit({ phase, position: [position.x, position.y, position.z], rotation: [w, x, y, z] });
  }
}
