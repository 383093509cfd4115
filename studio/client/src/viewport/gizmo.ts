import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Dragged, Grip, Handle } from "../core/handle";
import { token } from "../core/theme";

const SIZE = 0.75;

/** Rings to turn a joint with, or arrows to move it with; it shows what a panel puts the handle on. */
export class Gizmo {
  /** To be added to the scene. */
  readonly group = new THREE.Group();
  private readonly object = new THREE.Object3D();
  private readonly controls: TransformControls;
  private readonly offset = new THREE.Vector3();

  /** `offsetOf` tells where the figure of a clip was moved to stand beside others; null where it has none.
   * `busy` is told when something is dragged, so that the camera stays meanwhile. */
  constructor(
    camera: THREE.Camera,
    canvas: HTMLCanvasElement,
    private readonly handle: Handle,
    private readonly offsetOf: (item: string) => THREE.Vector3 | null,
    busy: (dragging: boolean) => void,
    private readonly changed: () => void,
  ) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.size = SIZE;
    this.group.add(this.object, this.controls.getHelper());
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("dragging-changed", ({ value }) => busy(Boolean(value)));
    this.controls.addEventListener("mouseDown", () => this.tell("begun"));
    this.controls.addEventListener("objectChange", () => this.tell("moved"));
    this.controls.addEventListener("mouseUp", () => this.tell("ended"));
    handle.changed.on((grip) => this.show(grip));
    this.recolour();
  }

  /** Whether somebody holds it. */
  get dragging(): boolean {
    return this.controls.dragging;
  }

  /** Where it is in the scene, and how long one of its arrows is, metres. */
  get spot(): { place: number[]; length: number } | null {
    if (!this.controls.object) return null;
    const { camera } = this.controls;
    const away = this.object.position.distanceTo(camera.position);
    const opening =
      camera instanceof THREE.PerspectiveCamera ? Math.tan((camera.fov * Math.PI) / 360) / camera.zoom : 1;
    return { place: this.object.position.toArray(), length: (away * 1.9 * opening * SIZE) / 8 };
  }

  recolour(): void {
    this.controls.setColors(token("--figure-7"), token("--figure-5"), token("--figure-0"), token("--accent"));
  }

  private show(grip: Grip | null): void {
    const offset = grip && this.offsetOf(grip.item);
    if (this.dragging) return; // what is held stays in the hand
    if (!grip || !offset) this.controls.detach();
    else this.attach(grip, offset);
    this.changed();
  }

  private attach({ mode, place, rotation: [w, x, y, z] }: Grip, offset: THREE.Vector3): void {
    this.offset.copy(offset);
    this.object.position.fromArray(place).add(offset);
    this.object.quaternion.set(x, y, z, w);
    this.object.updateMatrixWorld(true);
    this.controls.setMode(mode === "turn" ? "rotate" : "translate");
    this.controls.setSpace(mode === "turn" ? "local" : "world");
    this.controls.attach(this.object);
  }

  private tell(phase: Dragged["phase"]): void {
    const place = this.object.position.clone().sub(this.offset);
    const { w, x, y, z } = this.object.quaternion;
    this.handle.dragged.emit({ phase, place: [place.x, place.y, place.z], rotation: [w, x, y, z] });
  }
}
