import * as THREE from "three";

/** How far a surface may move and its look may change, as a fraction of the size of the mesh: 2 cm of a person. Meshes
 * that cannot have as few triangles as asked for within it keep more. */
const MAX_ERROR = 0.012;
/** What normals, texture coordinates and bones count beside positions. */
const WEIGHTS = { normal: 0.25, uv: 0.5, bones: 0.5 };

/** The same mesh with at most about so many triangles, by collapsing edges (quadric error metric).
 *
 * Only indices are new: the vertices, and with them their skin weights, stay in their buffers, which both meshes share.
 * Vertices that are split by a seam of normals or textures move together, and the edges of a part stay where they are,
 * so that no gaps open. Large meshes take a tenth of a second, so the code is loaded when it is needed first. */
export async function simplifyMesh(
  geometry: THREE.BufferGeometry,
  inverses: THREE.Matrix4[],
  maxTriangles: number,
): Promise<THREE.BufferGeometry> {
  const { MeshoptSimplifier } = await import("three/examples/jsm/libs/meshopt_simplifier.module.js");
  await MeshoptSimplifier.ready;
  const positions = geometry.attributes["position"]!.array as Float32Array;
  const { values, weights } = lookOfVertices(geometry, inverses);
  const index = geometry.index!.array as Uint32Array;
  const simple = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) simple.setAttribute(name, attribute);
  const fraction = Math.min(1, (3 * maxTriangles) / index.length);
  const kept: Uint32Array[] = [];
  let first = 0;
  for (const { start, count, materialIndex } of geometry.groups) {
    const [part] = MeshoptSimplifier.simplifyWithAttributes(
      index.slice(start, start + count),
      positions,
      3,
      values,
      weights.length,
      weights,
      null,
      3 * Math.floor((count * fraction) / 3),
      MAX_ERROR,
      ["LockBorder"],
    );
    kept.push(part);
    simple.addGroup(first, part.length, materialIndex);
    first += part.length;
  }
  const all = new Uint32Array(first);
  kept.forEach((part, n) => all.set(part, simple.groups[n]!.start));
  simple.setIndex(new THREE.BufferAttribute(all, 1));
  return simple;
}

/** What has to be alike where vertices merge, a row of values per vertex: normal, texture coordinates, and the middle of
 * the bones that the vertex follows, by their weights. */
function lookOfVertices(
  geometry: THREE.BufferGeometry,
  inverses: THREE.Matrix4[],
): { values: Float32Array; weights: number[] } {
  const { position, normal, uv, skinIndex, skinWeight } = geometry.attributes;
  const weights = [...Array<number>(3).fill(WEIGHTS.normal), ...Array<number>(3).fill(WEIGHTS.bones)];
  if (uv) weights.push(WEIGHTS.uv, WEIGHTS.uv);
  geometry.computeBoundingBox();
  const size = geometry.boundingBox!.getSize(new THREE.Vector3());
  const extent = Math.max(size.x, size.y, size.z) || 1;
  const bones = inverses.map((inverse) => new THREE.Vector3().setFromMatrixPosition(inverse.clone().invert()));
  const values = new Float32Array(position!.count * weights.length);
  const followed = new THREE.Vector3();
  for (let vertex = 0; vertex < position!.count; vertex++) {
    followed.set(0, 0, 0);
    for (let n = 0; n < skinIndex!.itemSize; n++) {
      const bone = bones[skinIndex!.getComponent(vertex, n)];
      if (bone) followed.addScaledVector(bone, skinWeight!.getComponent(vertex, n) / extent);
    }
    const at = vertex * weights.length;
    values.set([normal!.getX(vertex), normal!.getY(vertex), normal!.getZ(vertex), ...followed.toArray()], at);
    if (uv) values.set([uv.getX(vertex), uv.getY(vertex)], at + 6);
  }
  return { values, weights };
}
