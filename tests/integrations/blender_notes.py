"""What the scripts that run inside Blender share: notes of what was seen and said there."""

from importlib import import_module
from typing import Any

import numpy as np

ADDON = "bl_ext.user_default.motionloom_addon"

noted: dict[str, Any] = {}
"""Arrays by name; positions are in metres and Y up."""

said: dict[str, Any] = {}
"""Sentences and facts by name."""


def part(name: str) -> Any:
    """A module of the installed add-on."""
    return import_module(f"{ADDON}.{name}")


def seen(armature: Any, action: Any, name: str, step: float = 1.0) -> None:
    """Play an action and note where the heads of bones are, and how bones are turned."""
    import bpy

    part("actions").assign(armature, action)
    scene = bpy.context.scene
    first, last = action.frame_range
    posed = list(armature.pose.bones)
    matrices = []
    for frame in first + step * np.arange(round((last - first) / step) + 1):
        scene.frame_set(int(frame // 1.0), subframe=frame % 1.0)
        matrices.append(np.array(armature.matrix_world) @ np.array([bone.matrix for bone in posed]))
    found = np.array(matrices)
    x, y, z = np.moveaxis(found[..., :3, 3], -1, 0)
    noted[name] = np.stack([x, z, -y], axis=-1) * scene.unit_settings.scale_length
    noted[f"{name} turns"] = found[..., :3, :3] / np.linalg.norm(found[..., :3, :3], axis=-2, keepdims=True)
    said[f"{name} bones"] = [bone.name for bone in posed]


def refused(name: str, press: Any, **choices: Any) -> None:
    """Note the sentence with which a button refuses."""
    try:
        press(**choices)
        said[name] = "not refused"
    except RuntimeError as error:
        said[name] = str(error).strip()


class Sketch:
    """Stands for a layout; notes what is put into it, and fails where there is no such thing."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def prop(self, data: Any, name: str, **_: Any) -> None:
        """Show a property."""
        getattr(data, name)
        self.shown.append(name)

    def operator(self, name: str, **_: Any) -> None:
        """Show a button."""
        import bpy

        getattr(bpy.ops.motionloom, name.removeprefix("motionloom.")).get_rna_type()
        self.shown.append(name)

    def label(self, text: str = "", **_: Any) -> None:
        """Show a text."""
        self.shown.append(text)

    def template_list(self, name: str, _: str, data: Any, items: str, *__: Any) -> None:
        """Show a list."""
        import bpy

        for item in getattr(data, items):
            drawn = getattr(bpy.types, name).draw_item
            drawn(None, bpy.context, self, data, item, 0, data, "active_source")

    def row(self, **_: Any) -> "Sketch":
        """Go on in a row."""
        return self

    column = row
