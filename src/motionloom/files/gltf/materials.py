"""Read the materials of a glTF file: base colours and their textures."""

from __future__ import annotations

import numpy as np

from motionloom.errors import FileFormatError
from motionloom.files.gltf.document import Entry, GltfDocument
from motionloom.files.mesh_pieces import MAX_TEXTURE_BYTES
from motionloom.motion.skinned_mesh import IMAGE_SIGNATURES, AlphaMode, Material

_ALPHA_MODES: dict[object, AlphaMode] = {"MASK": "mask", "BLEND": "blend"}


def read_materials(document: GltfDocument, notes: list[str]) -> list[Material]:
    """Return the materials of a file; a texture that cannot be read is left out with a note."""
    return [_read_material(document, entry, notes) for entry in document.entries("materials")]


def _read_material(document: GltfDocument, entry: Entry, notes: list[str]) -> Material:
    surface = entry.object("pbrMetallicRoughness")
    colour = surface.numbers("baseColorFactor", 4)
    red, green, blue, opacity = np.clip(np.ones(4) if colour is None else colour, 0.0, 1.0).tolist()
    name = entry.values.get("name")
    texture = None
    if "baseColorTexture" in surface.values:
        try:
            texture = _read_texture(document, surface.object("baseColorTexture"))
        except FileFormatError as error:
            notes.append(f"a texture was left out: {error.cause}")
    mode = _ALPHA_MODES.get(entry.text("alphaMode", "OPAQUE"), "opaque")
    return Material(
        name if isinstance(name, str) else "",
        (red, green, blue, 1.0 if mode == "opaque" else opacity),
        texture,
        entry.values.get("doubleSided") is True,
        mode,
        entry.number("alphaCutoff", Material.alpha_cutoff) if mode == "mask" else Material.alpha_cutoff,
    )


def _read_texture(document: GltfDocument, reference: Entry) -> bytes:
    texture = document.entry("textures", reference.index("index", "textures"))
    image = document.entry("images", texture.index("source", "images"))
    if "uri" in image.values:
        data = document.read_uri(image.text("uri"), f"{image.where}.uri")
    else:
        view = document.entry("bufferViews", image.index("bufferView", "bufferViews"))
        buffer = document.buffer(view.index("buffer", "buffers"))
        start, length = view.integer("byteOffset", 0), view.integer("byteLength")
        document.budget.claim(min(length, len(buffer)), image.where)
        data = bytes(buffer[start : start + length])
    if not data.startswith(IMAGE_SIGNATURES):
        raise FileFormatError(document.path, f"{image.where} is not a PNG, JPEG or WebP image")
    if len(data) > MAX_TEXTURE_BYTES:
        raise FileFormatError(document.path, f"{image.where} is larger than {MAX_TEXTURE_BYTES >> 20} MB")
    return data
