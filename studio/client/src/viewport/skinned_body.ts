import * as THREE from "three";
import type { Skin } from "../core/characters";
import type { MeshMaterial } from "../core/messages";
import { type FigureBody, setGhostly } from "./body";
import { findOutline } from "./outline_vertices";
import { simplifyMesh } from "./simplified_mesh";

/** How far the colour of a mannequin is drawn towards its own grey, so that a stage of them stays calm. */
const GREY = new THREE.Color(0x8f959e);
const GREY_FRACTION = 0.42;

// Writes depth only, so that a ghost shows its outside and not its inner parts.
const DEPTH_ONLY = new THREE.MeshBasicMaterial({ colorWrite: false, transparent: true });

/** Opacity below which a see-through surface is not drawn. */
const MIN_ALPHA = 0.05;

/** Geometry and textures of a skin, shared by all figures that wear it. */
interface SkinParts {
  geometry: THREE.BufferGeometry;
  outline: number[];
  inverses: THREE.Matrix4[];
  textures: Map<number, THREE.Texture>;
  /** Simplified geometry by the number of triangles asked for; null while it is made. */
  simplified: Map<number, THREE.BufferGeometry | null>;
}

const PARTS = new Map<Skin, SkinParts>();

/** Free what the graphics card holds of skins that are not needed any more; no body may wear them. */
export function freeSkins(isNeeded: (skin: Skin) => boolean): void {
  for (const [skin, { geometry, textures, simplified }] of PARTS) {
    if (isNeeded(skin)) continue;
    for (const part of [geometry, ...simplified.values(), ...textures.values()]) part?.dispose();
    for (const image of skin.textures.values()) image.close();
    PARTS.delete(skin);
  }
}

/** A mesh skinned on the graphics card: a mannequin, or a character with its own materials. */
export class SkinnedBody implements FigureBody {
  readonly group = new THREE.Group();
  readonly mesh: THREE.SkinnedMesh;
  private readonly depthMesh: THREE.SkinnedMesh;
  private readonly plain = new THREE.MeshLambertMaterial();
  private readonly own: THREE.MeshLambertMaterial[];
  private readonly bones: THREE.Bone[];
  private readonly pose: Float32Array;

  /** `nJoints` is the number of joints of the poses; a character keeps its own materials. */
  constructor(
    readonly skin: Skin,
    nJoints: number,
    private readonly isCharacter: boolean,
  ) {
    const { geometry, inverses, textures } = partsOf(skin);
    this.pose = new Float32Array(3 * nJoints);
    this.bones = inverses.map(() => new THREE.Bone());
    const skeleton = new THREE.Skeleton(
      this.bones,
      inverses.map((inverse) => inverse.clone()),
    );
    this.own = skin.pack.header.materials.map((look, n) => makeMaterial(look, textures.get(n) ?? null));
    this.mesh = new THREE.SkinnedMesh(geometry, this.own);
    this.depthMesh = new THREE.SkinnedMesh(
      geometry,
      this.own.map(() => DEPTH_ONLY),
    );
    this.depthMesh.renderOrder = 1;
    this.depthMesh.visible = false;
    for (const mesh of [this.mesh, this.depthMesh]) {
      mesh.bindMode = THREE.DetachedBindMode; // bones are placed in the space of the figure
      mesh.bind(skeleton, new THREE.Matrix4());
      mesh.frustumCulled = false; // its bounds would have to be computed for every pose
      this.group.add(mesh);
    }
  }

  /** Set colour and opacity. A solid character has its own colours; ghosts of it are tinted. */
  paint(colour: string, opacity: number): void {
    const isGhost = opacity < 1;
    this.plain.color.set(colour).lerp(GREY, isGhost ? 0 : GREY_FRACTION);
    this.plain.opacity = opacity;
    for (const material of [this.plain, ...this.own]) setGhostly(material, isGhost);
    if (this.plain.transparent !== isGhost) {
      this.plain.transparent = isGhost;
      this.plain.needsUpdate = true;
    }
    this.mesh.material = this.isCharacter && !isGhost ? this.own : this.own.map(() => this.plain);
    this.mesh.castShadow = !isGhost;
    this.mesh.renderOrder = isGhost ? 2 : 0;
    this.depthMesh.visible = isGhost;
  }

  /** Draw at most about so many triangles, from as soon as they have been found. */
  simplify(maxTriangles: number): void {
    const { geometry, inverses, simplified } = partsOf(this.skin);
    const isLarge = geometry.index!.count > 3 * maxTriangles;
    if (isLarge && !simplified.has(maxTriangles)) {
      simplified.set(maxTriangles, null);
      simplifyMesh(geometry, inverses, maxTriangles).then(
        (simple) => simplified.set(maxTriangles, simple),
        (error: unknown) => console.warn("the whole mesh is drawn:", error),
      );
    }
    this.mesh.geometry = this.depthMesh.geometry = (isLarge && simplified.get(maxTriangles)) || geometry;
  }

  /** Place the bones by positions (J, 3) and rotations (J, 4), w first, of the joints. */
  setPose(pose: Float32Array, rotations: Float32Array | null): void {
    this.pose.set(pose);
    if (!rotations) return;
    const position = new THREE.Vector3();
    const rotation = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    this.skin.pack.header.bones.forEach((joint, bone) => {
      position.fromArray(pose, 3 * joint);
      const at = 4 * joint;
      rotation.set(rotations[at + 1]!, rotations[at + 2]!, rotations[at + 3]!, rotations[at]!);
      this.bones[bone]!.matrixWorld.compose(position, rotation, one);
    });
  }

  /** Positions of the joints, read back from the bones that are drawn; of joints without a bone, as they were set. */
  positions(): number[][] {
    const found = Array.from({ length: this.pose.length / 3 }, (_, joint) => [
      ...this.pose.subarray(3 * joint, 3 * joint + 3),
    ]);
    const at = new THREE.Vector3();
    this.skin.pack.header.bones.forEach((joint, bone) => {
      found[joint] = at.setFromMatrixPosition(this.bones[bone]!.matrixWorld).toArray();
    });
    return found;
  }

  /** Positions of all vertices as they are skinned; without the offset of the figure. */
  vertices(): number[] {
    return this.skinned(Array.from({ length: this.mesh.geometry.attributes["position"]!.count }, (_, n) => n));
  }

  /** Positions of the vertices that tell how far the body reaches; without the offset of the figure. */
  outline(): number[] {
    return this.skinned(partsOf(this.skin).outline);
  }

  private skinned(vertices: number[]): number[] {
    this.mesh.skeleton.update();
    const { position } = this.mesh.geometry.attributes;
    const at = new THREE.Vector3();
    const found: number[] = [];
    for (const vertex of vertices) {
      at.fromBufferAttribute(position as THREE.BufferAttribute, vertex);
      this.mesh.applyBoneTransform(vertex, at);
      found.push(at.x, at.y, at.z);
    }
    return found;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.mesh.skeleton.dispose();
    this.plain.dispose();
    for (const material of this.own) material.dispose();
  }
}

/** A material as the file describes it: opaque, cut out where it is transparent, or see-through. */
export function makeMaterial(look: MeshMaterial, map: THREE.Texture | null): THREE.MeshLambertMaterial {
  const [red, green, blue, opacity] = look.colour;
  const material = new THREE.MeshLambertMaterial({
    map,
    opacity,
    side: look.double_sided ? THREE.DoubleSide : THREE.FrontSide,
  });
  material.color.setRGB(red, green, blue);
  material.transparent = look.alpha_mode === "blend" || (look.alpha_mode === "opaque" && opacity < 1);
  if (look.alpha_mode === "mask") material.alphaTest = look.alpha_cutoff;
  // What can hardly be seen must not hide what lies behind, as it would by writing its depth.
  if (look.alpha_mode === "blend") material.alphaTest = MIN_ALPHA;
  return material;
}

function partsOf(skin: Skin): SkinParts {
  const known = PARTS.get(skin);
  if (known) return known;
  const made = makeParts(skin);
  PARTS.set(skin, made);
  return made;
}

function makeParts({ pack: { header, arrays }, textures }: Skin): SkinParts {
  const geometry = new THREE.BufferGeometry();
  const values = (name: string): Float32Array => arrays[name]!.values;
  geometry.setAttribute("position", new THREE.BufferAttribute(values("positions"), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(values("normals"), 3));
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(Uint16Array.from(values("vertex_bones")), 4));
  geometry.setAttribute("skinWeight", new THREE.BufferAttribute(values("weights"), 4));
  if (arrays["texture_coordinates"]) {
    geometry.setAttribute("uv", new THREE.BufferAttribute(values("texture_coordinates"), 2));
  }
  geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(values("triangles")), 1));
  for (const { first, count, material } of header.parts) geometry.addGroup(first, count, material);
  const binds = values("inverse_binds");
  const inverses = header.bones.map((_, bone) => new THREE.Matrix4().fromArray(binds, 16 * bone));
  const made = new Map<number, THREE.Texture>();
  for (const [material, image] of textures) {
    const texture = new THREE.Texture(image);
    texture.flipY = false;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.needsUpdate = true;
    made.set(material, texture);
  }
  return { geometry, outline: findOutline(geometry), inverses, textures: made, simplified: new Map() };
}
