import * as THREE from "three";
import type { Shape, ShapeName } from "./shape";

// Shared by all figures. Sides are few because software rendering pays for every corner.
const GEOMETRIES: Record<ShapeName, { bone: THREE.BufferGeometry; joint: THREE.BufferGeometry }> = {
  capsules: {
    bone: new THREE.CylinderGeometry(1, 1, 1, 10, 1, true).translate(0, 0.5, 0),
    joint: new THREE.SphereGeometry(1, 12, 8),
  },
  sticks: {
    bone: new THREE.CylinderGeometry(1, 1, 1, 5, 1, true).translate(0, 0.5, 0),
    joint: new THREE.IcosahedronGeometry(1),
  },
};

// Ghosts lie a little farther back than they are: where a solid figure is at the same place, it is the one seen.
const PUSHED_BACK = { polygonOffsetFactor: 1, polygonOffsetUnits: 8 };

// Draws nothing but keeps what lies behind from being drawn: a ghost then shows its outside only.
const OUTSIDE_ONLY = new THREE.MeshBasicMaterial({
  colorWrite: false,
  transparent: true,
  polygonOffset: true,
  ...PUSHED_BACK,
});

/** Bones and balls of one pose or several of a skeleton, each kind drawn at once. */
export class Body {
  readonly group = new THREE.Group();
  readonly material: THREE.MeshLambertMaterial;
  readonly joints: THREE.InstancedMesh;
  private readonly bones: THREE.InstancedMesh;
  private readonly veils: THREE.InstancedMesh[];

  constructor(
    readonly parents: number[],
    readonly nPoses: number,
    private shape: Shape,
    private name: ShapeName,
  ) {
    this.material = new THREE.MeshLambertMaterial(PUSHED_BACK);
    this.joints = new THREE.InstancedMesh(GEOMETRIES[name].joint, this.material, parents.length * nPoses);
    this.bones = new THREE.InstancedMesh(GEOMETRIES[name].bone, this.material, parents.length * nPoses);
    this.veils = [veil(this.joints), veil(this.bones)];
    for (const mesh of [this.joints, this.bones, ...this.veils]) {
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      mesh.frustumCulled = false; // its bounds would have to be found again for every pose
      this.group.add(mesh);
    }
  }

  get nJoints(): number {
    return this.parents.length;
  }

  reshape(shape: Shape, name: ShapeName): void {
    this.shape = shape;
    this.name = name;
    this.joints.geometry = this.veils[0]!.geometry = GEOMETRIES[name].joint;
    this.bones.geometry = this.veils[1]!.geometry = GEOMETRIES[name].bone;
  }

  /** A see-through body is a ghost: it hides nothing behind it. */
  paint(colour: string, opacity: number): void {
    this.material.color.set(colour);
    this.material.opacity = opacity;
    if (this.material.transparent !== opacity < 1) {
      this.material.transparent = opacity < 1;
      this.material.polygonOffset = opacity < 1;
      this.material.needsUpdate = true;
    }
    // First what is solid, then the veils of ghosts, then ghosts.
    for (const mesh of [this.joints, this.bones]) mesh.renderOrder = opacity < 1 ? 2 : 0;
    for (const mesh of this.veils) mesh.visible = opacity < 1 && this.name === "capsules";
  }

  /** Put pose number `n` in its place; `pose` is (J, 3). */
  setPose(pose: Float32Array, n = 0): void {
    const balls = this.joints.instanceMatrix.array as Float32Array;
    const sticks = this.bones.instanceMatrix.array as Float32Array;
    for (let joint = 0; joint < this.nJoints; joint++) {
      const at = 16 * (n * this.nJoints + joint);
      placeBall(balls, at, pose, joint, this.shape.joints[joint]!);
      const parent = this.parents[joint]!;
      if (parent < 0) sticks.fill(0, at, at + 16);
      else placeBone(sticks, at, pose, parent, joint, this.shape.bones[joint]!);
    }
    this.joints.instanceMatrix.needsUpdate = true;
    this.bones.instanceMatrix.needsUpdate = true;
  }

  /** Draw the first `n` poses only. */
  showPoses(n: number): void {
    this.joints.count = this.bones.count = n * this.nJoints;
  }

  /** Where the joints of the first pose are, read back from what is drawn. */
  positions(): number[][] {
    const balls = this.joints.instanceMatrix.array;
    return this.parents.map((_, joint) => [...balls.slice(16 * joint + 12, 16 * joint + 15)]);
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const mesh of [this.joints, this.bones, ...this.veils]) mesh.dispose();
    this.material.dispose();
  }
}

/** The same instances once more, to be drawn into the depth alone. */
function veil(mesh: THREE.InstancedMesh): THREE.InstancedMesh {
  const made = new THREE.InstancedMesh(mesh.geometry, OUTSIDE_ONLY, mesh.count);
  made.instanceMatrix = mesh.instanceMatrix;
  made.renderOrder = 1;
  made.visible = false;
  return made;
}

function placeBall(out: Float32Array, at: number, pose: Float32Array, joint: number, radius: number): void {
  out.fill(0, at, at + 16);
  out[at] = out[at + 5] = out[at + 10] = radius;
  out[at + 12] = pose[3 * joint]!;
  out[at + 13] = pose[3 * joint + 1]!;
  out[at + 14] = pose[3 * joint + 2]!;
  out[at + 15] = 1;
}

/** A matrix whose y axis is the bone, and whose other two stand on it with the length of the radius. */
function placeBone(out: Float32Array, at: number, pose: Float32Array, from: number, to: number, radius: number): void {
  const x = pose[3 * to]! - pose[3 * from]!;
  const y = pose[3 * to + 1]! - pose[3 * from + 1]!;
  const z = pose[3 * to + 2]! - pose[3 * from + 2]!;
  const length = Math.hypot(x, y, z);
  out.fill(0, at, at + 16);
  if (length < 1e-6) return; // joints at one place have no bone

  // Any vector across the bone: from the axis that is least along it.
  const steep = Math.abs(y) > 0.9 * length;
  let [ax, ay, az] = steep ? [0, z, -y] : [-z, 0, x];
  const across = Math.hypot(ax, ay, az);
  ax *= radius / across;
  ay *= radius / across;
  az *= radius / across;

  out[at] = ax;
  out[at + 1] = ay;
  out[at + 2] = az;
  out[at + 4] = x;
  out[at + 5] = y;
  out[at + 6] = z;
  out[at + 8] = (ay * z - az * y) / length;
  out[at + 9] = (az * x - ax * z) / length;
  out[at + 10] = (ax * y - ay * x) / length;
  out[at + 12] = pose[3 * from]!;
  out[at + 13] = pose[3 * from + 1]!;
  out[at + 14] = pose[3 * from + 2]!;
  out[at + 15] = 1;
}
