import * as THREE from "three";
import type { Plant } from "../core/messages";
import type { Motion } from "../core/motion";
import { token } from "../core/theme";

/** A planted point that goes over the ground faster than this slides, metres per second. In captured motion three
 * quarters of the planted frames are slower, since soles give and markers tremble: red is worse than that. */
export const SLIDING_SPEED = 0.15;
const PAD_RADIUS = 0.06;
const MARKER_RADIUS = 0.022;
const ABOVE_FLOOR = 0.003;

/** Pads where feet and hands are planted, and markers at the planted points that turn red where they slide. */
export class Plants {
  readonly group = new THREE.Group();
  private readonly pads: THREE.InstancedMesh;
  private readonly markers: THREE.InstancedMesh;
  private readonly matrix = new THREE.Matrix4();
  private readonly colours = {
    pad: new THREE.Color(),
    held: new THREE.Color(),
    good: new THREE.Color(),
    bad: new THREE.Color(),
  };

  constructor(readonly motion: Motion) {
    const count = motion.head.plants.length;
    const flat = new THREE.CircleGeometry(PAD_RADIUS, 14).rotateX(-Math.PI / 2);
    this.pads = new THREE.InstancedMesh(flat, see(0.55), count);
    this.markers = new THREE.InstancedMesh(new THREE.SphereGeometry(MARKER_RADIUS, 10, 6), see(1), count);
    // Markers shine through the foot that they are in, so they are drawn last.
    Object.assign(this.markers.material, { depthTest: false, transparent: true });
    this.markers.renderOrder = 3;
    this.markers.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    for (const mesh of [this.pads, this.markers]) mesh.frustumCulled = false;
    this.group.add(this.pads, this.markers);
    motion.head.plants.forEach((plant, n) => this.pads.setMatrixAt(n, this.matrix.makeTranslation(this.place(plant))));
  }

  recolour(figure: string): void {
    this.colours.held.set(figure);
    this.colours.pad.set(figure).lerp(new THREE.Color(token("--ground")), 0.65);
    this.colours.good.set(token("--good"));
    this.colours.bad.set(token("--bad"));
  }

  /** Pads that hold now are bright; each has a marker at the planted point. */
  show(frame: number): void {
    let shown = 0;
    this.motion.head.plants.forEach((plant, n) => {
      const holds = frame >= plant.start && frame <= plant.end;
      this.pads.setColorAt(n, holds ? this.colours.held : this.colours.pad);
      if (!holds) return;
      const slides = this.speed(plant, frame) > SLIDING_SPEED;
      this.markers.setMatrixAt(shown, this.matrix.makeTranslation(this.point(plant, frame) ?? this.place(plant)));
      this.markers.setColorAt(shown++, slides ? this.colours.bad : this.colours.good);
    });
    this.markers.count = shown;
    for (const { instanceColor } of [this.pads, this.markers]) if (instanceColor) instanceColor.needsUpdate = true;
    this.markers.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const mesh of [this.pads, this.markers]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }

  /** Where the pad lies: under the planted point in the middle of the plant. */
  private place(plant: Plant): THREE.Vector3 {
    const middle = this.point(plant, Math.round((plant.start + plant.end) / 2));
    const [x, , z] = plant.target ?? [middle?.x ?? 0, 0, middle?.z ?? 0];
    return new THREE.Vector3(x, this.motion.head.floor + ABOVE_FLOOR, z);
  }

  private point(plant: Plant, frame: number): THREE.Vector3 | null {
    const table = this.motion.arrays["points"];
    if (!table) return null;
    const whole = Math.min(Math.max(Math.round(frame), 0), this.motion.nFrames - 1);
    return new THREE.Vector3().fromArray(table.values, 3 * (whole * table.shape[1]! + plant.column));
  }

  /** Metres per second of the planted point over the ground, from the frames beside this one within the plant. */
  speed(plant: Plant, frame: number): number {
    const first = Math.max(Math.ceil(plant.start), Math.round(frame) - 1);
    const last = Math.min(Math.floor(plant.end), Math.round(frame) + 1, this.motion.nFrames - 1);
    const [from, to] = [this.point(plant, first), this.point(plant, last)];
    if (!from || !to || last <= first) return 0;
    return (Math.hypot(to.x - from.x, to.z - from.z) * this.motion.head.fps) / (last - first);
  }
}

function see(opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
}
