"""Presses the add-on's buttons, inside Blender."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.integrations.blender_notes import ADDON, Sketch, noted, part, refused, said, seen

NEAR = 1e-5
"""Metres between a bone's head and its parent's tail that are none."""


def keys(action: Any) -> str:
    """All keys of an action, to tell whether any has changed."""
    return str(
        [
            (curve.data_path, curve.array_index, [tuple(key.co) for key in curve.keyframe_points])
            for curve in part("actions").curves_of(action)
        ]
    )


def choose(armature: Any, actions: Any, weights: Any) -> None:
    """Choose actions to blend."""
    armature.motionloom.sources.clear()
    for action, weight in zip(actions, weights, strict=True):
        source = armature.motionloom.sources.add()
        source.action, source.weight = action, weight


def import_two(files: list[str]) -> Any:
    """Import two files together; the armature that they share."""
    import bpy

    refused("import of nothing", bpy.ops.motionloom.import_clips, filepath="/no/such/walk.bvh")
    names = [{"name": Path(file).name} for file in files]
    bpy.ops.motionloom.import_clips(directory=str(Path(files[0]).parent), files=names)
    said["armatures"], said["fps"] = (
        len(bpy.data.armatures),
        part("spaces").frames_per_second(bpy.context.scene),
    )
    for n, action in enumerate(sources()):
        seen(bpy.context.object, action, f"import {n}")
    return bpy.context.object


def sources() -> list[Any]:
    """The actions that were imported."""
    import bpy

    return [bpy.data.actions[name] for name in ("walk", "jog")]


def blend(name: str) -> Any:
    """Blend the chosen actions and note the result."""
    import bpy

    bpy.ops.motionloom.blend()
    made = bpy.context.object.animation_data.action
    seen(bpy.context.object, made, name)
    return made


def blend_two(armature: Any) -> Any:
    """Register and blend both actions."""
    import bpy

    choose(armature, sources()[:1], [1.0])
    refused("one action", bpy.ops.motionloom.blend)
    refused("no transition", bpy.ops.motionloom.transition)
    choose(armature, sources(), [0.3, 0.9])
    bpy.ops.motionloom.register()
    said["verdict"] = armature.motionloom.verdict
    return blend("blend")


def press_all(armature: Any) -> None:
    """Blend both actions in all ways, join them, and plant the feet."""
    import bpy

    before = [keys(action) for action in sources()]
    first = armature.animation_data.action.name
    said["undone blend"] = undone(bpy.ops.motionloom.blend)
    armature = bpy.context.object  # another one after undo
    settings = armature.motionloom
    results = {"blend": bpy.data.actions[first], "blend again": blend("blend again")}
    settings.sources[1].mirror, settings.plant = True, False
    said["verdict after a change"] = settings.verdict
    results["mirrored"] = blend("mirrored")
    settings.cyclic = True
    results["cyclic"] = blend("cyclic")
    settings.first, settings.second, settings.half_width = *sources(), 0.25
    for name, press in (
        ("transition", bpy.ops.motionloom.transition),
        ("planted", bpy.ops.motionloom.enforce),
    ):
        press()
        results[name] = armature.animation_data.action
        seen(armature, results[name], name)
    said["kept"] = all(action.use_fake_user for action in results.values())
    said["results"] = {name: action.name for name, action in results.items()}
    said["untouched"] = before == [keys(action) for action in sources()]
    read_cycle(armature, results["cyclic"])


def undone(press: Any) -> int:
    """Press a button and take it back; how many actions that removes."""
    import bpy

    bpy.ops.ed.undo_push(message="before")
    press("EXEC_DEFAULT", True)
    n_actions = len(bpy.data.actions)
    bpy.ops.ed.undo()
    return n_actions - len(bpy.data.actions)


def press_active(armature: Any, name: str, press: Any) -> None:
    """Press a button for the active action and note the result."""
    press()
    said[f"{name} name"] = armature.animation_data.action.name
    seen(armature, armature.animation_data.action, name)


def clean_up_and_retarget(spiked: str, small: str) -> None:
    """Loop an action, repair one that has a spike, and retarget to another body."""
    import bpy

    bpy.context.view_layer.objects.active = None
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.0
    bpy.ops.motionloom.import_clips(filepath=spiked)
    armature = bpy.context.object
    settings = armature.motionloom
    settings.plant, settings.cycles, settings.smooth = False, 0, 0.0
    press_active(armature, "repaired", bpy.ops.motionloom.repair)
    before = len(bpy.data.actions)
    bpy.ops.motionloom.repair()
    said["nothing to repair"] = len(bpy.data.actions) - before
    settings.smooth = 8.0
    press_active(armature, "smoothed", bpy.ops.motionloom.repair)
    part("actions").assign(armature, sources()[0])
    settings.cycles = 1
    press_active(armature, "loop", bpy.ops.motionloom.loop)
    said["loop cyclic"] = armature.animation_data.action.use_cyclic
    refused("looped twice", bpy.ops.motionloom.loop)
    part("actions").assign(armature, sources()[0])
    settings.cycles = 50
    refused("too many cycles", bpy.ops.motionloom.loop)
    refused("nothing to retarget from", bpy.ops.motionloom.retarget)
    settings.cycles = 1
    walker = armature.name

    bpy.ops.motionloom.import_clips(filepath=small)
    body = bpy.context.object
    body.motionloom.retarget_from = armature
    body.motionloom.retarget_action = body.animation_data.action
    said["foreign bones differ"] = body != armature
    body.motionloom.retarget_action = sources()[0]
    press_active(body, "retargeted", bpy.ops.motionloom.retarget)
    body.motionloom.retarget_action = None
    part("actions").assign(armature, None)
    refused("no action to retarget", bpy.ops.motionloom.retarget)
    bpy.context.view_layer.objects.active = armature
    refused("no active action", bpy.ops.motionloom.loop)
    bpy.context.view_layer.objects.active = None
    refused("no armature to loop", bpy.ops.motionloom.loop)

    bpy.context.view_layer.objects.active = body
    body.motionloom.retarget_action = sources()[0]
    said["undone retarget"] = undone(bpy.ops.motionloom.retarget)
    armature = bpy.data.objects[walker]
    bpy.context.view_layer.objects.active = armature
    part("actions").assign(armature, sources()[0])
    for name in ("loop", "repair", "enforce"):
        armature.motionloom.smooth = 8.0
        said[f"undone {name}"] = undone(getattr(bpy.ops.motionloom, name))
        armature = bpy.context.object


def read_cycle(armature: Any, action: Any) -> None:
    """Read a cycle again, and once more from an armature that has been moved."""
    import bpy

    said["use_cyclic"] = action.use_cyclic
    again = part("exchange").motion_of(bpy.context.scene, armature, action)
    said["cycle"] = {"cyclic": again.cyclic, "plants": len(again.constraints), "frames": len(again.positions)}
    armature.location.x = 1.0
    bpy.context.view_layer.update()
    moved = part("exchange").motion_of(bpy.context.scene, armature, action)
    armature.hide_viewport = True
    refused("disabled", bpy.ops.motionloom.enforce)
    armature.hide_viewport = False
    said["moved cycle"] = {"cyclic": moved.cyclic, "plants": len(moved.constraints)}
    armature.location.x = 0.0


def import_at_another_rate(file: str) -> None:
    """Import a file into a scene that has actions and runs at 24 frames per second."""
    import bpy

    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 24, 1.0
    bpy.ops.motionloom.import_clips(filepath=file)
    action = bpy.context.object.animation_data.action
    said["fps after"] = part("spaces").frames_per_second(scene)
    motion = part("exchange").motion_of(scene, bpy.context.object, action)
    said["frame time"] = motion.frame_time
    noted["between frames"] = motion.positions
    said["between frames bones"] = motion.names


def plant_what_blender_imported(file: str) -> None:
    """Import a file by Blender's own means, connect the bones that touch, and plant its feet."""
    import bpy

    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.0
    bpy.ops.import_anim.bvh(filepath=file, global_scale=0.01, axis_forward="-Z", axis_up="Y", frame_start=5)
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = bone.parent is not None and (bone.head - bone.parent.tail).length < NEAR
    refused("in edit mode", bpy.ops.motionloom.enforce)
    bpy.ops.object.mode_set(mode="OBJECT")
    said["foreign connected"] = any(bone.use_connect for bone in armature.data.bones)
    seen(armature, armature.animation_data.action, "foreign")
    bpy.ops.motionloom.enforce()
    seen(armature, armature.animation_data.action, "foreign planted")


def import_other_bodies(other: str, file: str, markers: str) -> None:
    """Import a motion onto the armature of another body, and markers without a body."""
    import bpy

    bpy.context.scene.render.fps = 30
    bpy.ops.motionloom.import_clips(filepath=other)
    armature = bpy.context.object
    bpy.ops.motionloom.import_clips(filepath=file, carry_over=True)
    said["carried onto"] = bpy.context.object == armature
    seen(armature, armature.animation_data.action, "carried")
    bpy.ops.motionloom.import_clips(filepath=markers)
    points = bpy.context.object
    seen(points, points.animation_data.action, "markers")
    bpy.context.view_layer.objects.active = None
    refused("no armature", bpy.ops.motionloom.import_clips, filepath=file, carry_over=True)
    bpy.context.view_layer.objects.active = armature


def draw_panels() -> None:
    """Draw the panels for the active armature."""
    import bpy

    panels = [name for name in dir(bpy.types) if name.startswith("MOTIONLOOM_PT_")]
    for name in panels:
        sketch = Sketch()
        getattr(bpy.types, name).draw(SimpleNamespace(layout=sketch), bpy.context)
        said[name] = sketch.shown


def wrong_programs(program: str) -> None:
    """Name programs that do not do."""
    import bpy

    preferences = bpy.context.preferences.addons[ADDON].preferences
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE" and item.motionloom.sources)
    bpy.context.view_layer.objects.active = armature
    for name, wrong in (("no program", "/no/such/python"), ("no python", program)):
        preferences.program = wrong
        refused(name, bpy.ops.motionloom.register)
