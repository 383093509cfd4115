"""What the buttons for several actions do: register, blend and transition; results are new actions."""
# mypy: disable-error-code="valid-type, misc"
# Blender takes properties from annotations, and its classes carry no types.

from collections.abc import Sequence
from typing import Any, ClassVar

import bpy

from .actions import assign, keys_object
from .errors import Refusal
from .exchange import motion_of
from .keying import action_of
from .preferences import program_of
from .properties import chosen, shares
from .runner import Answer, file_name, perform


class ArmatureOperator:
    """An operator on the active armature; what it refuses is said as an error."""

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}
    poll_message_set: ClassVar[Any]  # Blender's

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there is an armature to work on, and its bones are not being edited."""
        if context.object is None or context.object.type != "ARMATURE":
            cls.poll_message_set("Choose an armature")
            return False
        if context.mode == "EDIT_ARMATURE":
            cls.poll_message_set("Leave Edit Mode: edited bones count only afterwards")
            return False
        return True

    def execute(self, context: Any) -> set[str]:
        """Do the work and report on it."""
        return reported(self, context, self.work)

    def work(self, context: Any) -> list[str]:
        """Do the work; returns sentences about it."""
        raise NotImplementedError


def reported(operator: Any, context: Any, work: Any) -> set[str]:
    """Run the work of an operator while the pointer says so, and turn what it says into reports."""
    if context.window is not None:
        context.window.cursor_set("WAIT")
    try:
        sentences = work(context)
    except Refusal as refusal:
        operator.report({"ERROR"}, str(refusal))
        return {"CANCELLED"}
    finally:
        if context.window is not None:
            context.window.cursor_set("DEFAULT")
    for sentence in sentences:
        operator.report({"INFO"}, sentence)
    return {"FINISHED"}


def performed(
    context: Any, job: str, actions: Sequence[Any], mirror: Sequence[bool] = (), **settings: Any
) -> Answer:
    """Have Motionloom do a job on actions of the active armature."""
    motions = [motion_of(context.scene, context.object, action) for action in actions]
    sources = [{"file": file_name(n), "mirror": bool(mirror and mirror[n])} for n in range(len(motions))]
    return perform(program_of(context), {"job": job, "sources": sources, **settings}, motions)


def add_results(context: Any, answer: Answer, actions: Sequence[Any], hold: bool | None = None) -> list[str]:
    """Make the motions of an answer new actions, beside those that they were made of; the last is active.

    ``hold`` keys where the armature is as a whole; by default, where one of the actions does so.
    """
    armature, scene = context.object, context.scene
    first = actions[0].frame_range[0]
    hold = any(map(keys_object, actions)) if hold is None else hold
    sentences = [*answer.sentences, *constrained(armature)]
    for motion in answer.motions:
        action, notes = action_of(scene, armature, motion, first, hold)
        show(context, armature, action)
        sentences += [*notes, f"made the action {action.name}"]  # what is said last stays in the status bar
    return sentences


def show(context: Any, armature: Any, action: Any) -> None:
    """Make an action the active one; the one before stays in the file, and the scene gets long enough."""
    data = armature.animation_data
    if data is not None and data.action is not None:
        data.action.use_fake_user = True
    assign(armature, action)
    scene = context.scene
    scene.frame_end = max(scene.frame_end, round(action.frame_range[1]))
    scene.frame_set(scene.frame_current)


def constrained(armature: Any) -> list[str]:
    """A sentence where bone constraints may move bones away from what was keyed."""
    held = [bone.name for bone in armature.pose.bones if any(not item.mute for item in bone.constraints)]
    if not held:
        return []
    return [f"bones have constraints that may change the result: mute them to see it ({', '.join(held[:5])})"]


def stretch_of(armature: Any) -> float:
    """How far bones may stretch, as a share; connected bones cannot."""
    rigid = any(bone.use_connect for bone in armature.data.bones)
    return 0.0 if rigid else armature.motionloom.stretch / 100.0


def _two_or_more(settings: Any) -> list[Any]:
    sources = chosen(settings)
    if len(sources) < 2:
        raise Refusal(f"choose two actions or more to blend: {len(sources)} chosen")
    return sources


class MOTIONLOOM_OT_add_source(ArmatureOperator, bpy.types.Operator):
    """Add the active action to those that are blended, or an empty entry."""

    bl_idname = "motionloom.add_source"
    bl_label = "Add Action"

    def work(self, context: Any) -> list[str]:
        """Add an entry."""
        armature = context.object
        settings = armature.motionloom
        active = armature.animation_data.action if armature.animation_data else None
        known = [source.action for source in settings.sources]
        added = settings.sources.add()
        if active not in known:
            added.action = active
        settings.active_source = len(settings.sources) - 1
        settings.verdict = ""
        return []


class MOTIONLOOM_OT_remove_source(ArmatureOperator, bpy.types.Operator):
    """Take an action from those that are blended; the action itself stays."""

    bl_idname = "motionloom.remove_source"
    bl_label = "Remove Action"

    def work(self, context: Any) -> list[str]:
        """Remove the active entry."""
        settings = context.object.motionloom
        settings.sources.remove(settings.active_source)
        settings.active_source = max(0, min(settings.active_source, len(settings.sources) - 1))
        settings.verdict = ""
        return []


class MOTIONLOOM_OT_register(ArmatureOperator, bpy.types.Operator):
    """Find how the chosen actions correspond, and say whether they can be blended."""

    bl_idname = "motionloom.register"
    bl_label = "Register"

    def work(self, context: Any) -> list[str]:
        """Ask for the verdict and keep it."""
        settings = context.object.motionloom
        sources = _two_or_more(settings)
        actions, mirror = [s.action for s in sources], [s.mirror for s in sources]
        answer = performed(context, "register", actions, mirror, cyclic=settings.cyclic)
        settings.verdict = answer.sentences[0]
        return answer.sentences


class MOTIONLOOM_OT_blend(ArmatureOperator, bpy.types.Operator):
    """Blend the chosen actions by their weights into a new action."""

    bl_idname = "motionloom.blend"
    bl_label = "Blend"

    def work(self, context: Any) -> list[str]:
        """Make the blend."""
        settings = context.object.motionloom
        sources = _two_or_more(settings)
        actions, mirror = [s.action for s in sources], [s.mirror for s in sources]
        weights = shares(sources)
        parts = [
            f"{source.action.name}{' mirrored' if source.mirror else ''} {100 * weight:.0f}%"
            for source, weight in zip(sources, weights, strict=True)
        ]
        answer = performed(
            context,
            "blend",
            actions,
            mirror,
            cyclic=settings.cyclic,
            weights=weights,
            allow_unfit=settings.allow_unfit,
            plant=settings.plant,
            stretch=stretch_of(context.object),
            name=" + ".join(parts),
        )
        return add_results(context, answer, actions)


class MOTIONLOOM_OT_transition(ArmatureOperator, bpy.types.Operator):
    """Make a transition from one action to another, in a new action."""

    bl_idname = "motionloom.transition"
    bl_label = "Make Transition"

    def work(self, context: Any) -> list[str]:
        """Make the transition."""
        settings = context.object.motionloom
        actions = [settings.first, settings.second]
        if None in actions:
            raise Refusal("choose the two actions to go from and to")
        answer = performed(
            context,
            "transition",
            actions,
            method=settings.method,
            half_width=settings.half_width or None,
            plant=settings.plant,
            stretch=stretch_of(context.object),
            name=f"{actions[0].name} to {actions[1].name}",
        )
        return add_results(context, answer, actions)


CLASSES = (
    MOTIONLOOM_OT_add_source,
    MOTIONLOOM_OT_remove_source,
    MOTIONLOOM_OT_register,
    MOTIONLOOM_OT_blend,
    MOTIONLOOM_OT_transition,
)


def register() -> None:
    """Make the operators known."""
    for made in CLASSES:
        bpy.utils.register_class(made)


def unregister() -> None:
    """Forget the operators."""
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
