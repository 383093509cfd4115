import type * as THREE from "three";

/** Where the outermost vertices are looked for: along the axes, and between them. */
const DIRECTIONS: [number, number, number][] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].filter((z) => x || y || z).map((z): [number, number, number] => [x, y, z])),
);

/** Vertices that tell how far a skinned mesh reaches, however it is posed: of each bone, those that lie outermost. */
export function findOutline(geometry: THREE.BufferGeometry): number[] {
  const { position, skinIndex, skinWeight } = geometry.attributes;
  const best = new Map<number, { reach: Float64Array; vertices: Uint32Array }>();
  for (let vertex = 0; vertex < position!.count; vertex++) {
    let [bone, most] = [0, -1];
    for (let n = 0; n < skinIndex!.itemSize; n++) {
      const weight = skinWeight!.getComponent(vertex, n);
      if (weight > most) [bone, most] = [skinIndex!.getComponent(vertex, n), weight];
    }
    let found = best.get(bone);
    if (!found) {
      found = {
        reach: new Float64Array(DIRECTIONS.length).fill(-Infinity),
        vertices: new Uint32Array(DIRECTIONS.length),
      };
      best.set(bone, found);
    }
    const [x, y, z] = [position!.getX(vertex), position!.getY(vertex), position!.getZ(vertex)];
    for (let n = 0; n < DIRECTIONS.length; n++) {
      const [dx, dy, dz] = DIRECTIONS[n]!;
      const reach = dx * x + dy * y + dz * z;
      if (reach > found.reach[n]!) [found.reach[n], found.vertices[n]] = [reach, vertex];
    }
  }
  return [...new Set([...best.values()].flatMap(({ vertices }) => [...vertices]))];
}
