"""Importing motion files: each becomes an action, on an armature that has its bones or on a new one."""
# mypy: disable-error-code="valid-type, misc, import-not-found"
# Blender takes properties from annotations, and its classes carry no types.

from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from .armatures import armature_for
from .errors import Refusal
from .exchange import rest_motion
from .keying import action_of
from .motion import Motion, same_bones
from .operators import reported, show
from .preferences import program_of
from .runner import file_name, perform
from .spaces import frames_per_second, set_frames_per_second

ENDINGS = "*.bvh;*.amc;*.npz;*.glb;*.gltf;*.usd;*.usda;*.usdc;*.fbx;*.csv;*.c3d;*.trc"

RATES = [
    ("AUTO", "Automatic", "The scene takes the clip's frame rate unless the file has other actions already"),
    ("CLIP", "As the Clip", "The scene takes the clip's frame rate"),
    ("SCENE", "As the Scene", "The scene keeps its frame rate; keys lie between frames, nothing is lost"),
]

SAME_RATE = 1e-3
"""Rates that differ by less, as a share, are the same."""


class MOTIONLOOM_OT_import(bpy.types.Operator, ImportHelper):
    """Import motion files as actions, on the active armature if it has their bones, else on a new one."""

    bl_idname = "motionloom.import_clips"
    bl_label = "Import Clips"
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=ENDINGS, options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    carry_over: BoolProperty(
        name="Onto Active Armature",
        description="Retarget motion of other skeletons to the active armature",
    )
    rate: EnumProperty(name="Frame Rate", items=RATES)

    def execute(self, context: Any) -> set[str]:
        """Import the chosen files."""
        return reported(self, context, self.work)

    def work(self, context: Any) -> list[str]:
        """Read the files, and make armatures and actions; returns sentences about them."""
        if context.mode == "EDIT_ARMATURE":  # what was edited counts only afterwards
            bpy.ops.object.mode_set(mode="OBJECT")
        armature = context.object if context.object and context.object.type == "ARMATURE" else None
        request: dict[str, Any] = {"job": "import", "files": self._paths()}
        given: list[Motion] = []
        if self.carry_over:
            if armature is None:
                raise Refusal("there is no active armature to carry the motion over to: choose one")
            given, request["target"] = [rest_motion(context.scene, armature)], file_name(0)
        answer = perform(program_of(context), request, given)
        sentences = list(answer.sentences)
        for motion in answer.motions:
            sentences += self._rate(context.scene, motion)
            if armature is None or not has_bones_of(context.scene, armature, motion):
                armature = armature_for(context, motion)
            action, notes = action_of(context.scene, armature, motion, context.scene.frame_start)
            show(context, armature, action)
            sentences += [*notes, f"{motion.name}: action {action.name} of armature {armature.name}"]
        return sentences

    def _paths(self) -> list[str]:
        """The files to read: those chosen together, or the one that was named."""
        named = [str(Path(self.directory, file.name)) for file in self.files if file.name]
        paths = named or [self.filepath]
        return [str(bpy.path.abspath(path)) for path in paths]

    def _rate(self, scene: Any, motion: Motion) -> list[str]:
        """Settle the frame rate; a sentence where clip and scene differ."""
        own = 1.0 / motion.frame_time
        rate = frames_per_second(scene)
        if abs(own / rate - 1.0) < SAME_RATE:
            return []
        if self.rate == "CLIP" or (self.rate == "AUTO" and not bpy.data.actions):
            set_frames_per_second(scene, own)
            return [f"the scene now runs at the clip's {own:g} frames per second"]
        return [
            f"{motion.name} has {own:g} frames per second and the scene {rate:g}: keys lie between frames"
        ]


def has_bones_of(scene: Any, armature: Any, motion: Motion) -> bool:
    """Whether an armature has the bones of a motion; one of other names is not looked at any further."""
    if sorted(bone.name for bone in armature.data.bones) != sorted(motion.names):
        return False
    return same_bones(rest_motion(scene, armature), motion)


def menu_entry(menu: Any, context: Any) -> None:
    """Show the import among Blender's own."""
    menu.layout.operator(MOTIONLOOM_OT_import.bl_idname, text="Motion Clips (Motionloom)")


def register() -> None:
    """Make the import known."""
    bpy.utils.register_class(MOTIONLOOM_OT_import)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)


def unregister() -> None:
    """Forget the import."""
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    bpy.utils.unregister_class(MOTIONLOOM_OT_import)
