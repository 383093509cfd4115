import { expect, test } from "vitest";
import type { Skin } from "../../src/core/characters";
import type { MeshMaterial } from "../../src/core/messages";
import { freeSkins, makeMaterial, SkinnedBody } from "../../src/viewport/skinned_body";

const LOOK: MeshMaterial = {
  name: "",
  colour: [1, 1, 1, 1],
  textured: false,
  double_sided: false,
  alpha_mode: "opaque",
  alpha_cutoff: 0.5,
};

/** One triangle on one bone. */
function triangle(key: string): Skin {
  const array = (values: number[]) => ({ values: Float32Array.from(values) });
  const arrays = {
    positions: array([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    normals: array([0, 0, 1, 0, 0, 1, 0, 0, 1]),
    vertex_bones: array(Array<number>(12).fill(0)),
    weights: array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
    triangles: array([0, 1, 2]),
    inverse_binds: array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
  };
  const header = {
    bones: [0],
    parts: [{ first: 0, count: 3, material: 0 }],
    materials: [LOOK],
  };
  return { key, pack: { header, arrays }, textures: new Map() } as unknown as Skin;
}

test("geometry is shared by bodies, and freed with its skin", () => {
  const [kept, removed] = [triangle("kept"), triangle("removed")];
  const freed: string[] = [];
  for (const skin of [kept, removed]) {
    const { mesh } = new SkinnedBody(skin, 1, true);
    expect(new SkinnedBody(skin, 1, true).mesh.geometry).toBe(mesh.geometry);
    mesh.geometry.addEventListener("dispose", () => freed.push(skin.key));
  }
  freeSkins((skin) => skin === kept);
  freeSkins((skin) => skin === kept);
  expect(freed).toEqual(["removed"]);
});

test("surfaces are opaque, cut out or see-through as the file says", () => {
  const shown = (look: Partial<MeshMaterial>) => {
    const { transparent, alphaTest } = makeMaterial({ ...LOOK, ...look }, null);
    return { transparent, alphaTest };
  };
  expect(shown({})).toEqual({ transparent: false, alphaTest: 0 });
  expect(shown({ colour: [1, 1, 1, 0.5] })).toEqual({ transparent: true, alphaTest: 0 });
  expect(shown({ alpha_mode: "mask", alpha_cutoff: 0.3 })).toEqual({ transparent: false, alphaTest: 0.3 });
  expect(shown({ alpha_mode: "blend" }).transparent).toBe(true);
});
