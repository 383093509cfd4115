"""What the buttons for the active action do: plant its feet, loop it, repair it; results are new actions."""
# mypy: disable-error-code="valid-type, misc"
# Blender takes properties from annotations, and its classes carry no types.

from typing import Any

import bpy

from .operators import ArmatureOperator, add_results, performed, stretch_of


class ActiveActionOperator(ArmatureOperator):
    """An operator on the active action of the active armature."""

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there is an armature with an active action, and its bones are not being edited."""
        if not super().poll(context):
            return False
        if _active_action(context) is None:
            cls.poll_message_set(
                f"{context.object.name} has no active action: choose one in the Action Editor"
            )
            return False
        return True

    def make(self, context: Any, job: str, suffix: str, **settings: Any) -> list[str]:
        """Have a job done on the active action; the result has its name and a suffix."""
        action = _active_action(context)
        answer = performed(context, job, [action], name=f"{action.name} {suffix}", **settings)
        return add_results(context, answer, [action])


def _active_action(context: Any) -> Any:
    data = context.object.animation_data
    return None if data is None else data.action


class MOTIONLOOM_OT_enforce(ActiveActionOperator, bpy.types.Operator):
    """Plant the feet of the active action, in a new action."""

    bl_idname = "motionloom.enforce"
    bl_label = "Plant Feet of Active Action"

    def work(self, context: Any) -> list[str]:
        """Plant the feet."""
        return self.make(context, "enforce", "planted", stretch=stretch_of(context.object))


class MOTIONLOOM_OT_loop(ActiveActionOperator, bpy.types.Operator):
    """Find the best cycle of the active action and close it, in a new cyclic action."""

    bl_idname = "motionloom.loop"
    bl_label = "Loop Active Action"

    def work(self, context: Any) -> list[str]:
        """Make the loop."""
        settings = context.object.motionloom
        plant, stretch = settings.plant, stretch_of(context.object)
        return self.make(
            context, "loop", "loop", cycles=settings.cycles or None, plant=plant, stretch=stretch
        )


class MOTIONLOOM_OT_repair(ActiveActionOperator, bpy.types.Operator):
    """Mend joints of the active action that flip, spike or freeze, in a new action."""

    bl_idname = "motionloom.repair"
    bl_label = "Repair Active Action"

    def work(self, context: Any) -> list[str]:
        """Repair the action, and smooth it where that is asked for."""
        return self.make(context, "repair", "repaired", smooth=context.object.motionloom.smooth or None)


CLASSES = (MOTIONLOOM_OT_enforce, MOTIONLOOM_OT_loop, MOTIONLOOM_OT_repair)


def register() -> None:
    """Make the operators known."""
    for made in CLASSES:
        bpy.utils.register_class(made)


def unregister() -> None:
    """Forget the operators."""
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
