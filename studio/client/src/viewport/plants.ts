import * as THREE from "three";
import type { FigureHeader, PlantSpan } from "../core/messages";
import type { Motion } from "../core/motion";
import { clamp } from "../core/numbers";
import { token } from "../core/theme";

/** Metres per second over the ground above which a planted point slides. In captured motion, three quarters of the
 * planted frames are slower, because soles deform and markers jitter. */
export const SLIDING_SPEED = 0.15;
const DISC_RADIUS = 0.06;
const MARKER_RADIUS = 0.022;
const ABOVE_FLOOR = 0.003;

/** Discs where feet and hands are planted, and markers at the planted points that turn red when they slide. */
export class Plants {
  readonly group = new THREE.Group();
  private readonly discs: THREE.InstancedMesh;
  private readonly markers: THREE.InstancedMesh;
  private readonly matrix = new THREE.Matrix4();
  private readonly colours = {
    disc: new THREE.Color(),
    active: new THREE.Color(),
    good: new THREE.Color(),
    bad: new THREE.Color(),
  };

  constructor(readonly motion: Motion<FigureHeader>) {
    const count = motion.header.plants.length;
    const flat = new THREE.CircleGeometry(DISC_RADIUS, 14).rotateX(-Math.PI / 2);
    this.discs = new THREE.InstancedMesh(flat, material(0.55), count);
    this.markers = new THREE.InstancedMesh(new THREE.SphereGeometry(MARKER_RADIUS, 10, 6), material(1), count);
    // Markers are drawn last and without depth test, so that they are seen inside the foot.
    Object.assign(this.markers.material, { depthTest: false, transparent: true });
    this.markers.renderOrder = 3;
    this.markers.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    for (const mesh of [this.discs, this.markers]) mesh.frustumCulled = false;
    this.group.add(this.discs, this.markers);
    motion.header.plants.forEach((plant, n) =>
      this.discs.setMatrixAt(n, this.matrix.makeTranslation(this.discCentre(plant))),
    );
  }

  recolour(figure: string): void {
    this.colours.active.set(figure);
    this.colours.disc.set(figure).lerp(new THREE.Color(token("--ground")), 0.65);
    this.colours.good.set(token("--good"));
    this.colours.bad.set(token("--bad"));
  }

  /** Highlight the plants that are active at a frame; each gets a marker at the planted point. */
  show(frame: number): void {
    let shown = 0;
    this.motion.header.plants.forEach((plant, n) => {
      const isActive = frame >= plant.start && frame <= plant.end;
      this.discs.setColorAt(n, isActive ? this.colours.active : this.colours.disc);
      if (!isActive) return;
      const slides = this.speed(plant, frame) > SLIDING_SPEED;
      this.markers.setMatrixAt(shown, this.matrix.makeTranslation(this.point(plant, frame) ?? this.discCentre(plant)));
      this.markers.setColorAt(shown++, slides ? this.colours.bad : this.colours.good);
    });
    this.markers.count = shown;
    for (const { instanceColor } of [this.discs, this.markers]) if (instanceColor) instanceColor.needsUpdate = true;
    this.markers.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const mesh of [this.discs, this.markers]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }

  /** The centre of the disc: under the planted point in the middle of the plant. */
  private discCentre(plant: PlantSpan): THREE.Vector3 {
    const middle = this.point(plant, Math.round((plant.start + plant.end) / 2));
    const [x, , z] = plant.target ?? [middle?.x ?? 0, 0, middle?.z ?? 0];
    return new THREE.Vector3(x, this.motion.header.floor + ABOVE_FLOOR, z);
  }

  private point(plant: PlantSpan, frame: number, array = "points"): THREE.Vector3 | null {
    const table = this.motion.arrays[array];
    if (!table) return null;
    const whole = clamp(Math.round(frame), 0, this.motion.nFrames - 1);
    return new THREE.Vector3().fromArray(table.values, 3 * (whole * table.shape[1]! + plant.column));
  }

  /** Speed of the planted point over the ground in metres per second, from the neighbouring frames of the plant. */
  speed(plant: PlantSpan, frame: number): number {
    const first = Math.max(Math.ceil(plant.start), Math.round(frame) - 1);
    const last = Math.min(Math.floor(plant.end), Math.round(frame) + 1, this.motion.nFrames - 1);
    // Below a gait in place the ground moves.
    const array = this.motion.arrays["ground_points"] ? "ground_points" : "points";
    const [from, to] = [this.point(plant, first, array), this.point(plant, last, array)];
    if (!from || !to || last <= first) return 0;
    return (Math.hypot(to.x - from.x, to.z - from.z) * this.motion.header.fps) / (last - first);
  }
}

function material(opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
}
