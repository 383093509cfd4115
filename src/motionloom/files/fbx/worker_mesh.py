"""Part of the script that runs inside Blender: the meshes of a character, described and built.

A mesh is described in Blender's world (metres, Z up) as it is bound, which is the rest pose of its armature:
vertices (V, 3), the vertex (L,), normal (L, 3) and texture coordinates (L, 2) of every corner, triangles of
corners (F, 3) with their materials (F,), and weights as rows of vertex, bone and weight. As in the script,
nothing of Motionloom is imported here, and Blender's modules only where they are used.
"""

import os
import tempfile
from typing import Any

import numpy as np

MAX_TEXTURE_BYTES = 64 << 20
"""Bytes of one texture; those of film characters stay below."""

SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
"""First bytes of the image files that are passed on as they are; others become PNG."""

MIN_OPACITY = 0.01
"""A material that is less opaque was not meant so: exporters disagree on which way transparency counts."""


ROUGHNESS = 0.8
"""How dull surfaces are, from 0 for a mirror to 1."""


class TooManyVerticesError(Exception):
    """The meshes have more vertices than asked for; its argument is how many."""


def describe_meshes(
    armature: Any, sticks: str, folder: str, max_vertices: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header entries and arrays that describe the meshes that follow an armature, in its rest pose.

    Parameters
    ----------
    armature
        The armature, in the frame whose world it is described in.
    sticks
        What meshes are called that are no character.
    folder
        Where the file is; textures outside are not read.
    max_vertices
        How many vertices there may be.
    """
    import bpy

    followers = [
        item for item in bpy.data.objects if item.type == "MESH" and not item.name.startswith(sticks)
    ]
    meshes = [item for item in followers if follows(item, armature)]
    n_vertices = sum(len(item.data.vertices) for item in meshes)
    if n_vertices > max_vertices:
        raise TooManyVerticesError(n_vertices)
    armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    materials: list[Any] = []
    arrays: dict[str, Any] = {}
    for n, item in enumerate(meshes):
        described = describe_mesh(item, armature, materials)
        arrays |= {f"mesh{n}_{name}": values for name, values in described.items()}
    armature.data.pose_position = "POSE"
    bpy.context.view_layer.update()
    looks, notes = [], []
    for n, material in enumerate(materials):
        look, image = describe_material(material)
        looks.append(look)
        texture = None if image is None else read_image(image, folder)
        if texture is not None:
            arrays[f"texture{n}"] = np.frombuffer(texture, dtype=np.uint8)
        elif image is not None:
            notes.append(f"a texture was left out: {image.name} is missing, damaged or too large")
    if len(meshes) < len(followers):
        left_out = len(followers) - len(meshes)
        notes.append(f"{left_out} mesh{'es' if left_out > 1 else ''} apart from the skeleton left out")
    return {"meshes": len(meshes), "materials": looks, "mesh_notes": notes}, arrays


def follows(item: Any, armature: Any) -> bool:
    """Tell whether an armature deforms or carries an object."""
    deformed = any(each.type == "ARMATURE" and each.object == armature for each in item.modifiers)
    return deformed or carrying_bone(item, armature) is not None


def carrying_bone(item: Any, armature: Any) -> str | None:
    """Return the bone that carries a rigid object."""
    while item is not None:
        if item.parent == armature and item.parent_type == "BONE":
            return str(item.parent_bone)
        item = item.parent
    return None


def describe_mesh(item: Any, armature: Any, materials: list[Any]) -> dict[str, Any]:
    """Describe the mesh of an object; its materials are added to a list."""
    mesh = item.data
    mesh.calc_loop_triangles()
    n_vertices, n_corners = len(mesh.vertices), len(mesh.loops)
    world = np.array(item.matrix_world)
    stored = get(mesh.vertices, "co", n_vertices, 3)
    corners = get(mesh.loops, "vertex_index", n_corners, 1, np.int32)[:, 0]
    if hasattr(mesh, "corner_normals"):  # since 4.1
        normals = get(mesh.corner_normals, "vector", n_corners, 3)
    else:
        mesh.calc_normals_split()
        normals = get(mesh.loops, "normal", n_corners, 3)
    triangles = get(mesh.loop_triangles, "loops", len(mesh.loop_triangles), 3, np.int32)
    if np.linalg.det(world[:3, :3]) < 0.0:
        triangles = triangles[:, ::-1]
    slots = [slot.material for slot in item.material_slots]
    for material in slots:
        if material is not None and material not in materials:
            materials.append(material)
    numbers = np.array([-1 if slot is None else materials.index(slot) for slot in slots] or [-1])
    owners = get(mesh.loop_triangles, "material_index", len(mesh.loop_triangles), 1, np.int32)[:, 0]
    described = {
        "vertices": stored @ world[:3, :3].T + world[:3, 3],
        "corners": corners,
        "normals": normals @ np.linalg.pinv(world[:3, :3]),
        "triangles": triangles,
        "materials": numbers[np.clip(owners, 0, len(numbers) - 1)],
        "weights": weights_of(item, armature),
    }
    if mesh.uv_layers.active is not None:
        described["uv"] = get(mesh.uv_layers.active.data, "uv", n_corners, 2)
    return described


def get(collection: Any, name: str, count: int, width: int, kind: Any = np.float32) -> Any:
    """Return a property (count, width) of all members of a collection."""
    values = np.empty(count * width, dtype=kind)
    collection.foreach_get(name, values)
    return values.reshape(count, width)


def weights_of(item: Any, armature: Any) -> Any:
    """Return rows (W, 3) of vertex, bone and weight."""
    index = {bone.name: n for n, bone in enumerate(armature.data.bones)}
    carrier = carrying_bone(item, armature)
    if carrier in index and not any(each.type == "ARMATURE" for each in item.modifiers):
        vertices = np.arange(len(item.data.vertices))
        return np.stack([vertices, np.full(len(vertices), index[carrier]), np.ones(len(vertices))], axis=1)
    bones = [index.get(group.name) for group in item.vertex_groups]
    rows = [
        (vertex.index, bones[each.group], each.weight)
        for vertex in item.data.vertices
        for each in vertex.groups
        if each.group < len(bones) and bones[each.group] is not None and each.weight > 0.0
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def build_mesh(armature: Any, header: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Build the mesh that an armature in its rest pose carries, from what was written about it."""
    import bpy

    mesh = bpy.data.meshes.new("Body")
    item = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.parent = armature
    item.modifiers.new("Armature", "ARMATURE").object = armature
    into = np.array(armature.matrix_world.inverted())
    vertices = arrays["mesh_vertices"] @ into[:3, :3].T + into[:3, 3]
    triangles = arrays["mesh_triangles"]
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    for n, look in enumerate(header["materials"]):
        mesh.materials.append(build_material(look, arrays.get(f"texture{n}")))
    mesh.polygons.foreach_set("material_index", arrays["mesh_materials"].astype(np.int32))
    if "mesh_uv" in arrays:
        corners = arrays["mesh_uv"][triangles.reshape(-1)]
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", corners.astype(np.float32).ravel())
    normals = arrays["mesh_normals"] @ into[:3, :3].T
    mesh.normals_split_custom_set_from_vertices(normals.tolist())
    add_weights(item, header["names"], arrays["mesh_bones"], arrays["mesh_weights"])


def add_weights(item: Any, names: list[str], bones: Any, weights: Any) -> None:
    """Add a vertex group for every bone with the weights (V, 4) that vertices have for it."""
    vertices = np.broadcast_to(np.arange(len(bones))[:, None], bones.shape)
    for bone in np.unique(bones[weights > 0.0]).tolist():
        group = item.vertex_groups.new(name=names[bone])
        chosen = (bones == bone) & (weights > 0.0)
        for vertex, weight in zip(vertices[chosen].tolist(), weights[chosen].tolist(), strict=True):
            group.add([vertex], weight, "ADD")


def build_material(look: dict[str, Any], texture: Any) -> Any:
    """Build a material with a base colour and perhaps a texture, which is kept in the file."""
    import bpy

    material = bpy.data.materials.new(look["name"] or "Material")
    material.use_nodes = True
    material.use_backface_culling = not look["double_sided"]
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    surface.inputs["Base Color"].default_value = look["colour"]
    surface.inputs["Alpha"].default_value = look["colour"][3]
    surface.inputs["Roughness"].default_value = ROUGHNESS
    if texture is not None:
        shown = nodes.new("ShaderNodeTexImage")
        shown.image = load_image(texture.tobytes(), material.name)
        links.new(shown.outputs["Color"], surface.inputs["Base Color"])
        if look["alpha_mode"] != "opaque":
            links.new(shown.outputs["Alpha"], surface.inputs["Alpha"])
    return material


def load_image(content: bytes, name: str) -> Any:
    """Load the bytes of an image file; they stay in the scene when the file is gone."""
    import bpy

    suffix = {b"\x89": ".png", b"\xff": ".jpg"}.get(content[:1], ".webp")
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(scratch, f"texture{suffix}")
        with open(place, "wb") as file:
            file.write(content)
        image = bpy.data.images.load(place)
        image.name = f"{name}{suffix}"
        image.pack()
    return image


def describe_material(material: Any) -> tuple[dict[str, Any], Any]:
    """Return name, colour and sides of a material, and the image of its base colour or None."""
    look = {
        "name": material.name,
        "colour": list(material.diffuse_color),
        "double_sided": not material.use_backface_culling,
    }
    nodes = material.node_tree.nodes if material.use_nodes and material.node_tree else ()
    surface = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    image = None
    if surface is not None:
        base = surface.inputs["Base Color"]
        look["colour"] = [*base.default_value[:3], surface.inputs["Alpha"].default_value]
        if base.is_linked and base.links[0].from_node.type == "TEX_IMAGE":
            image = base.links[0].from_node.image
            look["colour"][:3] = [1.0, 1.0, 1.0]
    if look["colour"][3] < MIN_OPACITY:
        look["colour"][3] = 1.0
    return look, image


def read_image(image: Any, folder: str) -> bytes | None:
    """Return an image file that pages draw; None where it is missing, elsewhere, damaged or too large."""
    import bpy

    if image.packed_file is None:
        place = os.path.realpath(bpy.path.abspath(image.filepath))
        if os.path.commonpath([place, os.path.realpath(folder)]) != os.path.realpath(folder):
            return None
        try:
            with open(place, "rb") as file:
                content = file.read(MAX_TEXTURE_BYTES + 1)
        except OSError:
            return None
    else:
        content = bytes(image.packed_file.data)
    if not content.startswith(SIGNATURES):
        content = convert_image(image)
    return content if 0 < len(content) <= MAX_TEXTURE_BYTES else None


def convert_image(image: Any) -> bytes:
    """Return an image of another kind as a PNG file; nothing where Blender cannot read it."""
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(scratch, "texture.png")
        try:
            image.file_format = "PNG"
            image.save(filepath=place)
            with open(place, "rb") as file:
                return file.read(MAX_TEXTURE_BYTES + 1)
        except (RuntimeError, OSError):
            return b""
