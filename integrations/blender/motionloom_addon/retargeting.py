"""What the button for retargeting does: motion of another armature becomes a new action of the active one."""
# mypy: disable-error-code="valid-type, misc"
# Blender takes properties from annotations, and its classes carry no types.

from typing import Any

import bpy

from .actions import keys_object, moves
from .errors import Refusal
from .exchange import motion_of, rest_motion
from .operators import ArmatureOperator, add_results
from .preferences import program_of
from .runner import file_name, perform


class MOTIONLOOM_OT_retarget(ArmatureOperator, bpy.types.Operator):
    """Retarget an action of another armature to the active one, in a new action."""

    bl_idname = "motionloom.retarget"
    bl_label = "Retarget"

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there is an armature to work on, and another one to take motion from."""
        if not super().poll(context):
            return False
        if context.object.motionloom.retarget_from in (None, context.object):
            cls.poll_message_set("Choose another armature to take the motion from")
            return False
        return True

    def work(self, context: Any) -> list[str]:
        """Retarget the action."""
        target = context.object
        source, action = _choice(target.motionloom)
        given = [motion_of(context.scene, source, action), rest_motion(context.scene, target)]
        request = {
            "job": "retarget",
            "sources": [{"file": file_name(0)}],
            "target": file_name(1),
            "plant": target.motionloom.plant,
            "name": f"{action.name} on {target.name}",
        }
        answer = perform(program_of(context), request, given)
        data = target.animation_data
        own = data.action if data is not None else None
        return add_results(context, answer, [action], hold=own is not None and keys_object(own))


def _choice(settings: Any) -> tuple[Any, Any]:
    """The armature to take motion from, and its action: the chosen one, or the one that is active there."""
    source = settings.retarget_from
    data = source.animation_data
    action = settings.retarget_action or (data.action if data is not None else None)
    if action is None:
        raise Refusal(f"{source.name} has no active action: choose an action to retarget")
    if not moves(action, source):
        raise Refusal(f"{action.name} moves no bone of {source.name}: choose one of its actions")
    return source, action


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(MOTIONLOOM_OT_retarget)


def unregister() -> None:
    """Forget the operator."""
    bpy.utils.unregister_class(MOTIONLOOM_OT_retarget)
