import * as THREE from "three";
import type { Shape, ShapeName } from "./shape";

// Shared by all figures. Few sides, because software rendering pays for every vertex.
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

// Ghosts are drawn a little farther back, so that a solid figure at the same place covers them.
const DEPTH_OFFSET = { polygonOffsetFactor: 1, polygonOffsetUnits: 8 };

// Writes depth only, so that a ghost shows its outside and not its inner parts.
const DEPTH_ONLY = new THREE.MeshBasicMaterial({
  colorWrite: false,
  transparent: true,
  polygonOffset: true,
  ...DEPTH_OFFSET,
});

/** Bones and joints of one or more poses of a skeleton, drawn as instances. */
export class Body {
  readonly group = new THREE.Group();
  readonly material: THREE.MeshLambertMaterial;
  readonly joints: THREE.InstancedMesh;
  private readonly bones: THREE.InstancedMesh;
  private readonly depthMeshes: THREE.InstancedMesh[];

  constructor(
    readonly parents: number[],
    readonly nPoses: number,
    private shape: Shape,
    private name: ShapeName,
  ) {
    this.material = new THREE.MeshLambertMaterial(DEPTH_OFFSET);
    this.joints = new THREE.InstancedMesh(GEOMETRIES[name].joint, this.material, parents.length * nPoses);
    this.bones = new THREE.InstancedMesh(GEOMETRIES[name].bone, this.material, parents.length * nPoses);
    this.depthMeshes = [depthMesh(this.joints), depthMesh(this.bones)];
    for (const mesh of [this.joints, this.bones, ...this.depthMeshes]) {
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      mesh.frustumCulled = false; // its bounds would have to be computed for every pose
      this.group.add(mesh);
    }
  }

  get nJoints(): number {
    return this.parents.length;
  }

  reshape(shape: Shape, name: ShapeName): void {
    this.shape = shape;
    this.name = name;
    this.joints.geometry = this.depthMeshes[0]!.geometry = GEOMETRIES[name].joint;
    this.bones.geometry = this.depthMeshes[1]!.geometry = GEOMETRIES[name].bone;
  }

  /** Set colour and opacity. A transparent body is a ghost, which hides nothing behind it. */
  paint(colour: string, opacity: number): void {
    this.material.color.set(colour);
    this.material.opacity = opacity;
    if (this.material.transparent !== opacity < 1) {
      this.material.transparent = opacity < 1;
      this.material.polygonOffset = opacity < 1;
      this.material.needsUpdate = true;
    }
    // Solid bodies first, then the depth of ghosts, then ghosts.
    for (const mesh of [this.joints, this.bones]) mesh.renderOrder = opacity < 1 ? 2 : 0;
    for (const mesh of this.depthMeshes) mesh.visible = opacity < 1 && this.name === "capsules";
  }

  /** Set pose number `n` to `pose` (J, 3). */
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

  /** Joint positions of the first pose, read back from what is drawn. */
  positions(): number[][] {
    const balls = this.joints.instanceMatrix.array;
    return this.parents.map((_, joint) => [...balls.slice(16 * joint + 12, 16 * joint + 15)]);
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const mesh of [this.joints, this.bones, ...this.depthMeshes]) mesh.dispose();
    this.material.dispose();
  }
}

/** The same instances again, drawn to the depth buffer only. */
function depthMesh(mesh: THREE.InstancedMesh): THREE.InstancedMesh {
  const copy = new THREE.InstancedMesh(mesh.geometry, DEPTH_ONLY, mesh.count);
  copy.instanceMatrix = mesh.instanceMatrix;
  copy.renderOrder = 1;
  copy.visible = false;
  return copy;
}

function placeBall(out: Float32Array, at: number, pose: Float32Array, joint: number, radius: number): void {
  out.fill(0, at, at + 16);
  out[at] = out[at + 5] = out[at + 10] = radius;
  out[at + 12] = pose[3 * joint]!;
  out[at + 13] = pose[3 * joint + 1]!;
  out[at + 14] = pose[3 * joint + 2]!;
  out[at + 15] = 1;
}

/** Write a matrix whose y axis is the bone and whose other axes are perpendicular, with the length of the radius. */
function placeBone(out: Float32Array, at: number, pose: Float32Array, from: number, to: number, radius: number): void {
  const x = pose[3 * to]! - pose[3 * from]!;
  const y = pose[3 * to + 1]! - pose[3 * from + 1]!;
  const z = pose[3 * to + 2]! - pose[3 * from + 2]!;
  const length = Math.hypot(x, y, z);
  out.fill(0, at, at + 16);
  if (length < 1e-6) return; // coinciding joints have no bone

  // A vector perpendicular to the bone.
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
