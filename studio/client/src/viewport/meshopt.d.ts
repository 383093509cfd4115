/** The part of meshoptimizer that three.js ships without types, as far as it is used here. */
declare module "three/examples/jsm/libs/meshopt_simplifier.module.js" {
  export const MeshoptSimplifier: {
    ready: Promise<void>;
    /** Indices of the simplified mesh, and the relative error. Strides count floats. */
    simplifyWithAttributes(
      indices: Uint32Array,
      positions: Float32Array,
      positionStride: number,
      attributes: Float32Array,
      attributeStride: number,
      attributeWeights: number[],
      vertexLock: Uint8Array | null,
      targetIndexCount: number,
      targetError: number,
      flags?: "LockBorder"[],
    ): [Uint32Array, number];
  };
}
