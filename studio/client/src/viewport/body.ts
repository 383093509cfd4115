import * as THREE from "three";
import type { Shape, ShapeName } from "./shape";

/** What draws a figure: sticks, capsules, or a skinned mesh. */
export interface FigureBody {
  readonly group: THREE.Group;
  paint(colour: string, opacity: number): void;
  /** Show a pose: positions (J, 3) and, where there are any, world rotations (J, 4) of the joints. */
  setPose(pose: Float32Array, rotations: Float32Array | null): void;
  positions(): number[][];
  dispose(): void;
}

/** Let solid figures mark the pixels that they cover, and keep ghosts out of those: a ghost that stands in the same
 * place would blotch the figure. */
export function setGhostly(material: THREE.Material, isGhost: boolean): void {
  material.stencilWrite = true;
  material.stencilRef = 1;
  material.stencilFunc = isGhost ? THREE.NotEqualStencilFunc : THREE.AlwaysStencilFunc;
  material.stencilZPass = isGhost ? THREE.KeepStencilOp : THREE.ReplaceStencilOp;
}

/** How round a body is: corners around balls and bones, and bands from pole to pole of a ball. Few, because software
 * rendering pays for every triangle. */
export interface Roundness {
  around: number;
  bands: number;
}

const ROUNDNESS: Record<ShapeName, Roundness> = {
  capsules: { around: 10, bands: 6 },
  sticks: { around: 5, bands: 3 },
};

/** For figures that are small on the screen. */
export const SMALL: Roundness = { around: 7, bands: 4 };

// Ghosts are drawn a little farther back, so that a solid figure at the same place covers them.
const DEPTH_OFFSET = { polygonOffsetFactor: 1, polygonOffsetUnits: 8 };

// Writes depth only, so that a ghost shows its outside and not its inner parts.
const DEPTH_ONLY = new THREE.MeshBasicMaterial({
  colorWrite: false,
  transparent: true,
  polygonOffset: true,
  ...DEPTH_OFFSET,
});

/** Bones and joints of one or more poses of a skeleton as one mesh. Its vertices are computed here and not on the
 * graphics card: software renderers take as long for one of sixty instances as for a whole mesh. */
export class Body implements FigureBody {
  readonly group = new THREE.Group();
  readonly material = new THREE.MeshLambertMaterial(DEPTH_OFFSET);
  private readonly mesh: THREE.Mesh;
  private readonly depthMesh: THREE.Mesh;
  private parts: Parts;
  private positionsOf: Float32Array;
  private normals: Float32Array;

  /** `roundness` is that of capsules, if not the usual one. */
  constructor(
    readonly parents: number[],
    readonly nPoses: number,
    private shape: Shape,
    private name: ShapeName,
    private readonly roundness: Roundness = ROUNDNESS.capsules,
  ) {
    this.parts = this.partsFor(name);
    const geometry = makeGeometry(this.parts, parents, nPoses);
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.depthMesh = new THREE.Mesh(geometry, DEPTH_ONLY);
    this.depthMesh.renderOrder = 1;
    this.depthMesh.visible = false;
    for (const mesh of [this.mesh, this.depthMesh]) {
      mesh.frustumCulled = false; // its bounds would have to be computed for every pose
      this.group.add(mesh);
    }
    this.positionsOf = arrayOf(geometry, "position");
    this.normals = arrayOf(geometry, "normal");
  }

  get nJoints(): number {
    return this.parents.length;
  }

  get isSticks(): boolean {
    return this.name === "sticks";
  }

  /** Change the shape; the poses have to be set again. */
  reshape(shape: Shape, name: ShapeName): void {
    this.shape = shape;
    if (name === this.name) return;
    this.name = name;
    this.parts = this.partsFor(name);
    this.mesh.geometry.dispose();
    const geometry = makeGeometry(this.parts, this.parents, this.nPoses);
    this.mesh.geometry = this.depthMesh.geometry = geometry;
    this.positionsOf = arrayOf(geometry, "position");
    this.normals = arrayOf(geometry, "normal");
    this.depthMesh.visible &&= name === "capsules";
  }

  /** Set colour and opacity. A transparent body is a ghost, which hides nothing behind it. */
  paint(colour: string, opacity: number): void {
    this.material.color.set(colour);
    this.material.opacity = opacity;
    setGhostly(this.material, opacity < 1);
    if (this.material.transparent !== opacity < 1) {
      this.material.transparent = opacity < 1;
      this.material.polygonOffset = opacity < 1;
      this.material.needsUpdate = true;
    }
    // Solid bodies first, then the depth of ghosts, then ghosts.
    this.mesh.renderOrder = opacity < 1 ? 2 : 0;
    this.depthMesh.visible = opacity < 1 && this.name === "capsules";
  }

  /** Set pose number `n` to `pose` (J, 3). A joint that is NaN is a gap of the capture, and not drawn. */
  setPose(pose: Float32Array, _rotations: Float32Array | null = null, n = 0): void {
    const { ball, ring } = this.parts;
    let at = 3 * n * nVertices(this.parts, this.nJoints);
    for (let joint = 0; joint < this.nJoints; joint++) {
      placeBall(this.positionsOf, at, ball, pose, joint, this.shape.joints[joint]!);
      at += ball.length;
      const parent = this.parents[joint]!;
      const size = 2 * ring.length * 3;
      if (parent < 0) this.positionsOf.fill(0, at, at + size);
      else placeBone(this.positionsOf, this.normals, at, ring, pose, parent, joint, this.shape.bones[joint]!);
      at += size;
    }
    for (const name of ["position", "normal"]) this.mesh.geometry.getAttribute(name).needsUpdate = true;
  }

  /** Draw the first `n` poses only. */
  showPoses(n: number): void {
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, (n * geometry.index!.count) / this.nPoses);
  }

  /** Joint positions of the first pose, read back from what is drawn: between the poles of the balls. */
  positions(): number[][] {
    return this.parents.map((_, joint) => {
      const [top, bottom] = this.poles(joint);
      return [0, 1, 2].map((axis) => (this.positionsOf[top + axis]! + this.positionsOf[bottom + axis]!) / 2);
    });
  }

  /** Whether a joint of the first pose is drawn; gaps are not. */
  isDrawn(joint: number): boolean {
    const [top, bottom] = this.poles(joint);
    return this.positionsOf[top + 1] !== this.positionsOf[bottom + 1];
  }

  dispose(): void {
    this.group.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }

  private poles(joint: number): [number, number] {
    const { ball } = this.parts;
    const top = 3 * joint * (nVertices(this.parts, this.nJoints) / this.nJoints);
    return [top, top + ball.length - 3];
  }

  private partsFor(name: ShapeName): Parts {
    return makeParts(name === "capsules" ? this.roundness : ROUNDNESS[name]);
  }
}

/** A ball of radius 1, from pole to pole, and the corners of a ring; triangles of a ball and of a tube. */
interface Parts {
  ball: Float32Array;
  ring: [number, number][];
  ballTriangles: number[];
  tubeTriangles: number[];
}

function makeParts({ around, bands }: Roundness): Parts {
  const ring = Array.from({ length: around }, (_, n): [number, number] => {
    const angle = (2 * Math.PI * n) / around;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const ball = [0, 1, 0];
  const ballTriangles: number[] = [];
  for (let band = 1; band < bands; band++) {
    const [height, radius] = [Math.cos((Math.PI * band) / bands), Math.sin((Math.PI * band) / bands)];
    ring.forEach(([x, z]) => ball.push(radius * x, height, radius * z));
    const first = 1 + (band - 1) * around;
    for (let n = 0; n < around; n++) {
      const next = (n + 1) % around;
      if (band === 1) ballTriangles.push(0, first + next, first + n);
      else {
        ballTriangles.push(first + n - around, first + next - around, first + n);
        ballTriangles.push(first + next - around, first + next, first + n);
      }
    }
  }
  const last = ball.length / 3;
  ball.push(0, -1, 0);
  for (let n = 0; n < around; n++) ballTriangles.push(last - around + n, last - around + ((n + 1) % around), last);
  const tubeTriangles = ring.flatMap((_, n) => {
    const next = (n + 1) % around;
    return [n, n + around, next, next, n + around, next + around];
  });
  return { ball: Float32Array.from(ball), ring, ballTriangles, tubeTriangles };
}

function nVertices({ ball, ring }: Parts, nJoints: number): number {
  return nJoints * (ball.length / 3 + 2 * ring.length);
}

function makeGeometry(parts: Parts, parents: number[], nPoses: number): THREE.BufferGeometry {
  const { ball, ring, ballTriangles, tubeTriangles } = parts;
  const count = nPoses * nVertices(parts, parents.length);
  const normals = new Float32Array(3 * count);
  const indices: number[] = [];
  for (let pose = 0, first = 0; pose < nPoses; pose++) {
    for (const parent of parents) {
      normals.set(ball, 3 * first); // those of balls stay
      for (const n of ballTriangles) indices.push(first + n);
      first += ball.length / 3;
      if (parent >= 0) for (const n of tubeTriangles) indices.push(first + n);
      first += 2 * ring.length;
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setIndex(indices);
  for (const [name, values] of [
    ["position", new Float32Array(3 * count)],
    ["normal", normals],
  ] as const) {
    geometry.setAttribute(name, new THREE.BufferAttribute(values, 3).setUsage(THREE.DynamicDrawUsage));
  }
  return geometry;
}

function arrayOf(geometry: THREE.BufferGeometry, name: string): Float32Array {
  return geometry.getAttribute(name).array as Float32Array;
}

function placeBall(
  out: Float32Array,
  at: number,
  ball: Float32Array,
  pose: Float32Array,
  joint: number,
  radius: number,
): void {
  const x = pose[3 * joint]!;
  const y = pose[3 * joint + 1]!;
  const z = pose[3 * joint + 2]!;
  if (!(Math.abs(x + y + z) < Infinity)) {
    out.fill(0, at, at + ball.length);
    return;
  }
  for (let n = 0; n < ball.length; n += 3, at += 3) {
    out[at] = x + radius * ball[n]!;
    out[at + 1] = y + radius * ball[n + 1]!;
    out[at + 2] = z + radius * ball[n + 2]!;
  }
}

/** Write the corners of a tube and their normals: two rings around the bone, perpendicular to it. */
function placeBone(
  out: Float32Array,
  normals: Float32Array,
  at: number,
  ring: [number, number][],
  pose: Float32Array,
  from: number,
  to: number,
  radius: number,
): void {
  const [startX, startY, startZ] = [pose[3 * from]!, pose[3 * from + 1]!, pose[3 * from + 2]!];
  const x = pose[3 * to]! - startX;
  const y = pose[3 * to + 1]! - startY;
  const z = pose[3 * to + 2]! - startZ;
  const length = Math.sqrt(x * x + y * y + z * z);
  const other = 3 * ring.length;
  if (!(length > 1e-6)) {
    out.fill(0, at, at + 2 * other); // coinciding joints have no bone, and gaps none either
    return;
  }

  // Two unit vectors perpendicular to the bone and to each other.
  const steep = Math.abs(y) > 0.9 * length;
  let [ax, ay, az] = steep ? [0, z, -y] : [-z, 0, x];
  const across = Math.sqrt(ax * ax + ay * ay + az * az);
  ax /= across;
  ay /= across;
  az /= across;
  const bx = (ay * z - az * y) / length;
  const by = (az * x - ax * z) / length;
  const bz = (ax * y - ay * x) / length;
  for (const [cosine, sine] of ring) {
    const nx = cosine * ax + sine * bx;
    const ny = cosine * ay + sine * by;
    const nz = cosine * az + sine * bz;
    normals[at] = normals[at + other] = nx;
    normals[at + 1] = normals[at + other + 1] = ny;
    normals[at + 2] = normals[at + other + 2] = nz;
    out[at] = startX + radius * nx;
    out[at + 1] = startY + radius * ny;
    out[at + 2] = startZ + radius * nz;
    out[at + other] = out[at]! + x;
    out[at + other + 1] = out[at + 1]! + y;
    out[at + other + 2] = out[at + 2]! + z;
    at += 3;
  }
}
