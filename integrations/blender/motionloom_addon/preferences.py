"""The add-on's preferences: where Motionloom is."""
# mypy: disable-error-code="valid-type, misc"
# Blender takes properties from annotations, and its classes carry no types.

from typing import Any

import bpy
from bpy.props import StringProperty

from .errors import Refusal
from .runner import python_of, stop


class MotionloomPreferences(bpy.types.AddonPreferences):
    """Where Motionloom is."""

    bl_idname = __package__

    program: StringProperty(
        name="Python or motionloom",
        description="A Python that has the package motionloom, or the command motionloom; "
        "empty: Blender's own Python where it has the package, else the command",
        subtype="FILE_PATH",
    )

    def draw(self, context: Any) -> None:
        """Show the setting, and what is found with it."""
        self.layout.prop(self, "program")
        try:
            found = python_of(bpy.path.abspath(self.program)) or "inside Blender"
            self.layout.label(text=f"Motionloom runs: {found}", icon="CHECKMARK")
        except Refusal as refusal:
            self.layout.label(text=str(refusal), icon="ERROR")


def program_of(context: Any) -> str:
    """The program that the user named, or ""."""
    entry = context.preferences.addons.get(__package__)  # scripts may switch the add-on on without one
    return "" if entry is None else str(bpy.path.abspath(entry.preferences.program))


def register() -> None:
    """Make the preferences known."""
    bpy.utils.register_class(MotionloomPreferences)


def unregister() -> None:
    """Forget the preferences, and end the process that they led to."""
    stop()
    bpy.utils.unregister_class(MotionloomPreferences)
