"""The panel in the sidebar of the 3-D view."""
# mypy: disable-error-code="misc"
# Blender's classes carry no types.

import textwrap
from typing import Any, ClassVar

import bpy

from .properties import chosen, shares

LINE = 38
"""Characters of a line in a sidebar of usual width."""


class MOTIONLOOM_UL_sources(bpy.types.UIList):
    """The actions to blend, each with its weight."""

    bl_idname = "MOTIONLOOM_UL_sources"

    def draw_item(
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active: Any, name: str
    ) -> None:
        """Show one action with its weight and its share."""
        sources = chosen(data)
        row = layout.row(align=True)
        row.prop(item, "action", text="")
        row.prop(item, "weight", text="", slider=True)
        names = [source.as_pointer() for source in sources]
        share = shares(sources)[names.index(item.as_pointer())] if item.as_pointer() in names else 0.0
        row.label(text=f"{100 * share:.0f} %")
        row.prop(item, "mirror", text="", icon="MOD_MIRROR")


class SidebarPanel:
    """Where the panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Motionloom"


class MOTIONLOOM_PT_main(SidebarPanel, bpy.types.Panel):
    """Import, and which armature is meant."""

    bl_idname = "MOTIONLOOM_PT_main"
    bl_label = "Motionloom"

    def draw(self, context: Any) -> None:
        """Show the import."""
        self.layout.operator("motionloom.import_clips", icon="IMPORT")
        if not _armature(context):
            self.layout.label(text="Choose an armature", icon="INFO")


class MOTIONLOOM_PT_blend(SidebarPanel, bpy.types.Panel):
    """Register and blend actions."""

    bl_label = "Blend Actions"
    bl_parent_id = "MOTIONLOOM_PT_main"
    bl_options: ClassVar[set[str]] = set()

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there is an armature."""
        return _armature(context)

    def draw(self, context: Any) -> None:
        """Show the actions, the options and the buttons."""
        layout, settings = self.layout, context.object.motionloom
        row = layout.row()
        row.template_list(MOTIONLOOM_UL_sources.bl_idname, "", settings, "sources", settings, "active_source")
        column = row.column(align=True)
        column.operator("motionloom.add_source", text="", icon="ADD")
        column.operator("motionloom.remove_source", text="", icon="REMOVE")
        for name in ("cyclic", "allow_unfit"):
            layout.prop(settings, name)
        row = layout.row(align=True)
        row.operator("motionloom.register")
        row.operator("motionloom.blend")
        for line in textwrap.wrap(settings.verdict, LINE):
            layout.label(text=line)


class MOTIONLOOM_PT_transition(SidebarPanel, bpy.types.Panel):
    """Make a transition from one action to another."""

    bl_label = "Transition"
    bl_parent_id = "MOTIONLOOM_PT_main"

    poll = MOTIONLOOM_PT_blend.poll

    def draw(self, context: Any) -> None:
        """Show both actions and the options."""
        settings = context.object.motionloom
        for name in ("first", "second", "method", "half_width"):
            self.layout.prop(settings, name)
        self.layout.operator("motionloom.transition")


class MOTIONLOOM_PT_clean_up(SidebarPanel, bpy.types.Panel):
    """Plant the feet of the active action, loop it, repair it."""

    bl_label = "Clean Up and Loop"
    bl_parent_id = "MOTIONLOOM_PT_main"

    poll = MOTIONLOOM_PT_blend.poll

    def draw(self, context: Any) -> None:
        """Show each button for the active action below its options."""
        settings = context.object.motionloom
        for button, names in (
            ("motionloom.enforce", ("plant", "stretch")),
            ("motionloom.loop", ("cycles",)),
            ("motionloom.repair", ("smooth",)),
        ):
            column = self.layout.column(align=True)
            for name in names:
                column.prop(settings, name)
            column.operator(button)


class MOTIONLOOM_PT_retarget(SidebarPanel, bpy.types.Panel):
    """Retarget motion of another armature."""

    bl_label = "Retarget"
    bl_parent_id = "MOTIONLOOM_PT_main"

    poll = MOTIONLOOM_PT_blend.poll

    def draw(self, context: Any) -> None:
        """Show where the motion comes from."""
        settings = context.object.motionloom
        for name in ("retarget_from", "retarget_action"):
            self.layout.prop(settings, name)
        self.layout.operator("motionloom.retarget")


def _armature(context: Any) -> bool:
    return context.object is not None and context.object.type == "ARMATURE"


CLASSES = (
    MOTIONLOOM_UL_sources,
    MOTIONLOOM_PT_main,
    MOTIONLOOM_PT_blend,
    MOTIONLOOM_PT_transition,
    MOTIONLOOM_PT_clean_up,
    MOTIONLOOM_PT_retarget,
)


def register() -> None:
    """Make the panels known."""
    for made in CLASSES:
        bpy.utils.register_class(made)


def unregister() -> None:
    """Forget the panels."""
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
