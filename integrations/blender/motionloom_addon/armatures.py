"""Armatures made of motion: bones stand where joints do in the rest pose."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from .errors import Refusal
from .exchange import INVENTED
from .motion import Array, Motion
from .spaces import Y_UP

END_LENGTH = 0.05
"""Metres; length of a bone whose chain has no known end."""

LONGEST_NAME = 63
"""Bytes that Blender keeps of a bone's name."""

SHORTEST_BONE = 1e-3
"""Metres; Blender removes bones without length."""


def armature_for(context: Any, motion: Motion) -> Any:
    """A new armature, active and selected, with the bones of a motion."""
    for name in motion.names:
        if len(name.encode()) > LONGEST_NAME:
            raise Refusal(f"{motion.name}: Blender would cut the name {name}: rename that joint in the file")
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    armature = bpy.data.objects.new(motion.name, bpy.data.armatures.new(motion.name))
    context.collection.objects.link(armature)
    for item in context.selected_objects:
        item.select_set(False)
    context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    invented = _add_bones(armature, motion, context.scene.unit_settings.scale_length)
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in invented:
        armature.data.bones[name][INVENTED] = True
    return armature


def _add_bones(armature: Any, motion: Motion, metres_per_unit: float) -> list[str]:
    """Add the bones; returns the names of those whose tail is made up."""
    heads = motion.rest @ Y_UP / metres_per_unit
    tails, invented = _tails(motion)
    made: list[Any] = []
    for n, (name, parent) in enumerate(zip(motion.names, motion.parents, strict=True)):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = heads[n], tails[n] @ Y_UP / metres_per_unit
        if bone.length < SHORTEST_BONE / metres_per_unit:
            bone.tail = heads[n] + np.array([0.0, 0.0, SHORTEST_BONE / metres_per_unit])
        bone.parent = made[parent] if parent >= 0 else None
        made.append(bone)
    return [made[n].name for n in invented]


def _tails(motion: Motion) -> tuple[Array, list[int]]:
    """Where bones end: at the first child that is elsewhere, at their tip, or a little further on."""
    tips = dict(reversed(motion.tips))
    tails, invented = np.empty_like(motion.rest), []
    for n, (head, parent) in enumerate(zip(motion.rest, motion.parents, strict=True)):
        ends = [motion.rest[child] for child, above in enumerate(motion.parents) if above == n]
        if not ends and n in tips:
            ends = [np.array(tips[n])]
        tails[n] = next((end for end in ends if np.linalg.norm(end - head) > SHORTEST_BONE), np.nan)
        if np.isnan(tails[n]).any():
            tails[n] = _further_on(head, motion.rest[parent] if parent >= 0 else head)
            invented.append(n)
    return tails, invented


def _further_on(head: Array, above: Array) -> Array:
    """A place beyond a bone's head, as seen from its parent; without one, up."""
    length = float(np.linalg.norm(head - above))
    return np.asarray(
        head + END_LENGTH * ((head - above) / length if length > 0.0 else np.array([0.0, 1.0, 0.0]))
    )
