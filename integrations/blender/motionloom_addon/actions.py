"""Actions of every Blender from 4.2 on: since 4.4 they have slots, since 5.0 no curves of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np

from .motion import Array

LINEAR = 1
"""Blender's number for keys between which values change evenly."""

STEADY = 1e-6
"""A channel that changes by less gets one key; metres, or parts of a turn."""


def curves_of(action: Any) -> Iterator[Any]:
    """All curves of an action."""
    if not hasattr(action, "layers"):
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def moves(action: Any, armature: Any) -> bool:
    """Whether an action has a curve for a bone of an armature."""
    bones = {f'pose.bones["{bpy.utils.escape_identifier(bone.name)}' for bone in armature.data.bones}
    return any(curve.data_path.rpartition('"]')[0] in bones for curve in curves_of(action))


def keys_object(action: Any) -> bool:
    """Whether an action moves the armature as a whole, beside its bones."""
    whole = ("location", "rotation_", "scale")
    return any(curve.data_path.startswith(whole) for curve in curves_of(action))


def assign(armature: Any, action: Any) -> None:
    """Make an action the active one of an armature, with the slot that is for it."""
    data = armature.animation_data or armature.animation_data_create()
    data.action = action
    if action is not None and hasattr(data, "action_slot") and data.action_slot is None:
        suitable = data.action_suitable_slots
        if len(suitable):
            data.action_slot = suitable[0]


class NewAction:
    """An action being made for an armature; existing ones of that name keep it, and this gets another."""

    def __init__(self, armature: Any, name: str, frames: Array) -> None:
        self.action = bpy.data.actions.new(name)
        self.action.use_fake_user = True  # else it is gone with the file once another action is active
        self.frames = frames
        self._curves = self.action
        if hasattr(self.action, "slots"):
            slot = self.action.slots.new("OBJECT", armature.name)
            strip = self.action.layers.new("Layer").strips.new(type="KEYFRAME")
            self._curves = strip.channelbag(slot, ensure=True)

    def key(self, path: str, values: Array, group: str) -> None:
        """Key values (T, C), one curve per column; none where a value is NaN, and one where all are alike."""
        home = self._curves.groups.get(group) or self._curves.groups.new(group)
        for column, numbers in enumerate(values.T):
            known = np.isfinite(numbers)
            times, numbers = self.frames[known], numbers[known]
            if not len(numbers) or np.ptp(numbers) < STEADY:
                times, numbers = times[:1], numbers[:1]
            curve = self._curves.fcurves.new(data_path=path, index=column)
            curve.group = home
            curve.keyframe_points.add(len(numbers))
            points = np.stack([times, numbers], axis=-1).astype(np.float32)
            curve.keyframe_points.foreach_set("co", points.ravel())
            curve.keyframe_points.foreach_set("interpolation", np.full(len(numbers), LINEAR, dtype=np.int32))
            curve.update()
