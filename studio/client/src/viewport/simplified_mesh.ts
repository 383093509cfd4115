import * as THREE from "three";

/** Cells across a texture: vertices that lie far apart in it stay apart, or it would be smeared. */
const TEXTURE_CELLS = 8;

/** The same mesh with fewer triangles: the vertices of each cell of space that follow the same bone become one.
 *
 * `cells` of these lie along the diagonal of the mesh. The vertices stay in their buffers, which both meshes share. */
export function simplifyMesh(geometry: THREE.BufferGeometry, cells: number): THREE.BufferGeometry {
  const merged = mergeVertices(geometry, cells);
  const index = geometry.index!.array;
  const simple = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) simple.setAttribute(name, attribute);
  const kept: number[] = [];
  for (const { start, count, materialIndex } of geometry.groups) {
    const first = kept.length;
    for (let n = start; n < start + count; n += 3) {
      const [a, b, c] = [merged[index[n]!]!, merged[index[n + 1]!]!, merged[index[n + 2]!]!];
      if (a !== b && b !== c && c !== a) kept.push(a, b, c);
    }
    simple.addGroup(first, kept.length - first, materialIndex);
  }
  simple.setIndex(new THREE.BufferAttribute(Uint32Array.from(kept), 1));
  return simple;
}

/** The vertex that stands for each vertex: the first one of its cell. */
function mergeVertices(geometry: THREE.BufferGeometry, cells: number): Uint32Array {
  geometry.computeBoundingBox();
  const box = geometry.boundingBox!;
  const size = box.min.distanceTo(box.max) / cells || 1;
  const { position, skinIndex, skinWeight, uv } = geometry.attributes;
  const merged = new Uint32Array(position!.count);
  const first = new Map<string, number>();
  for (let vertex = 0; vertex < merged.length; vertex++) {
    const key = [
      Math.floor(position!.getX(vertex) / size),
      Math.floor(position!.getY(vertex) / size),
      Math.floor(position!.getZ(vertex) / size),
      mainBone(skinIndex!, skinWeight!, vertex),
      uv ? Math.floor(TEXTURE_CELLS * uv.getX(vertex)) : 0,
      uv ? Math.floor(TEXTURE_CELLS * uv.getY(vertex)) : 0,
    ].join();
    if (!first.has(key)) first.set(key, vertex);
    merged[vertex] = first.get(key)!;
  }
  return merged;
}

type Attribute = THREE.BufferGeometry["attributes"][string];

function mainBone(bones: Attribute, weights: Attribute, vertex: number): number {
  let [bone, most] = [0, -1];
  for (let n = 0; n < bones.itemSize; n++) {
    const weight = weights.getComponent(vertex, n);
    if (weight > most) [bone, most] = [bones.getComponent(vertex, n), weight];
  }
  return bone;
}
