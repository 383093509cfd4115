"""Armatures that are hard to key, read and written again inside Blender."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from tests.integrations.blender_notes import part, refused, said, seen


def awkward_rig(scale: float) -> Any:
    """An armature with all that makes keying hard: rolls, ways of rotating, two roots, a place of its own."""
    import bpy
    from mathutils import Euler, Matrix

    bpy.ops.object.select_all(action="DESELECT")
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    size = 1.0 / scale
    layout = [
        ("prop", None, (2, 0, 0), (2, 0, 1), 0.4),
        ("hip", None, (0, 0, 1), (0, 0.1, 1.4), 0.3),
        ("spine", "hip", (0, 0.1, 1.4), (0, 0.2, 1.9), -1.1),
        ("head", "spine", (0, 0.3, 2.0), (0.1, 0.3, 2.2), 2.0),
        ("arm", "spine", (0.3, 0, 1.8), (0.9, 0, 1.7), 0.9),
        ("hand", "arm", (0.9, 0, 1.7), (1.2, 0.1, 1.7), 1.5),
        ("leg", "hip", (0.1, 0, 0.9), (0.1, 0, 0.1), -0.5),
        ("foot", "leg", (0.1, 0, 0.1), (0.1, -0.2, 0.0), 0.2),
    ]
    for name, parent, head, tail, roll in layout:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = np.array(head) * size, np.array(tail) * size, roll
        bone.parent = rig.data.edit_bones[parent] if parent else None
        bone.use_connect = name in ("spine", "hand")
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.data.bones["arm"].use_inherit_rotation = False
    rig.data.bones["leg"].use_local_location = False
    modes = ("QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE", "YZX", "AXIS_ANGLE", "QUATERNION", "XZY")
    for bone, mode in zip(rig.pose.bones, modes, strict=True):
        bone.rotation_mode = mode
    turned = Euler((math.pi / 2, 0.2, 0.7)).to_matrix().to_4x4()
    rig.matrix_world = Matrix.Translation((3.0, -2.0, 0.5)) @ turned @ Matrix.Scale(scale, 4)
    return rig


def random_action(rig: Any, size: float) -> Any:
    """An action of a rig that keys all channels of its bones, and of the rig itself."""
    import bpy

    rng = np.random.default_rng(5)
    for frame in (3.0, 9.0, 14.0):
        for bone in rig.pose.bones:
            way = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
            path = way.get(bone.rotation_mode, "rotation_euler")
            values = rng.normal(size=len(getattr(bone, path)))
            if path == "rotation_quaternion":
                values = values / np.linalg.norm(values)
            setattr(bone, path, values.tolist())
            bone.location = (0.2 * size * rng.normal(size=3)).tolist()
            if bone.name in ("prop", "leg"):  # no bone is connected to them: such bones could not follow
                bone.scale = [float(rng.uniform(0.8, 1.2))] * 3
            for channel in (path, "location", "scale"):
                bone.keyframe_insert(channel, frame=frame)
        rig.location = rng.normal(size=3).tolist()
        rig.rotation_euler = rng.normal(size=3).tolist()
        for channel in ("location", "rotation_euler"):
            rig.keyframe_insert(channel, frame=frame)
    action = rig.animation_data.action
    bpy.context.scene.frame_set(7)
    return action


def there_and_back(through_clips: bool) -> None:
    """Read the action of awkward rigs and write it again, by way of a clip where Motionloom is here."""
    import bpy

    scene = bpy.context.scene
    for name, scale, unit in (("plain", 1.0, 1.0), ("small", 0.01, 1.0), ("centimetres", 1.0, 0.01)):
        scene.unit_settings.scale_length = unit
        rig = awkward_rig(scale * unit if unit != 1.0 else scale)
        rig.scale = (scale,) * 3
        action = random_action(rig, 1.0 / (scale * unit))
        pose = [tuple(bone.location) for bone in rig.pose.bones]
        motion = part("exchange").motion_of(scene, rig, action)
        said[f"{name} state"] = pose == [tuple(bone.location) for bone in rig.pose.bones]
        said[f"{name} active"] = rig.animation_data.action == action and scene.frame_current == 7
        if through_clips:
            motion = part("clips").motion_of(part("clips").clip_of(motion), "again")
        again, said[f"{name} notes"] = part("keying").action_of(
            scene, rig, motion, action.frame_range[0], hold_object=True
        )
        seen(rig, action, f"{name} before")
        seen(rig, again, f"{name} after")
    scene.unit_settings.scale_length = 1.0
    try:
        part("armatures").armature_for(bpy.context, replace(motion, names=["x" * 64, *motion.names[1:]]))
    except part("errors").Refusal as refusal:
        said["long name"] = str(refusal)
    rig.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    refused("uneven", bpy.ops.motionloom.enforce)


def import_beside_rigs_that_cannot_be_used(walk: str) -> None:
    """Import while an unevenly scaled armature is active, or one without bones, and then onto it."""
    import bpy

    def activate(rig: Any) -> None:
        bpy.context.view_layer.objects.active = rig

    uneven = awkward_rig(1.0)
    uneven.scale = (1.0, 2.0, 1.0)
    empty = bpy.data.objects.new("empty", bpy.data.armatures.new("empty"))
    bpy.context.scene.collection.objects.link(empty)
    for name, rig in (("uneven", uneven), ("no bones", empty)):
        activate(rig)
        bpy.context.view_layer.update()
        before = set(bpy.data.objects)
        bpy.ops.motionloom.import_clips(filepath=walk)
        (made,) = set(bpy.data.objects) - before
        said[f"import beside {name}"] = [made.type, len(made.data.bones), rig.animation_data is None]
        made.scale = (1.0, 2.0, 1.0)
        activate(made)
        bpy.context.view_layer.update()
        refused(f"import onto {name}", bpy.ops.motionloom.import_clips, filepath=walk)
        activate(rig)
        refused(f"carry over to {name}", bpy.ops.motionloom.import_clips, filepath=walk, carry_over=True)
        bpy.data.objects.remove(made)
        bpy.data.objects.remove(rig)
