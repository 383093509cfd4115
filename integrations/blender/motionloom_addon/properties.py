"""What the user chose for an armature; kept in the file with the armature."""
# mypy: disable-error-code="valid-type, misc"
# Blender takes properties from annotations, and its classes carry no types.

from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .actions import moves

METHODS = [
    ("registration", "Registration", "Aligned in time and place, then blended"),
    ("linear", "Linear", "Cross-faded in plain time"),
    ("inertialize", "Inertialize", "Switched at once, the difference fades out"),
    ("dead", "Dead Blending", "The first goes on by itself while it fades into the second"),
]


def _is_ours(settings: Any, action: Any) -> bool:
    """Whether an action is one of the armature that the settings belong to."""
    return moves(action, settings.id_data)


def _is_other_armature(settings: Any, item: Any) -> bool:
    """Whether an object is an armature that motion can be taken from."""
    return bool(item.type == "ARMATURE" and item != settings.id_data)


def _is_of_source(settings: Any, action: Any) -> bool:
    """Whether an action is one of the armature that motion is taken from."""
    return settings.retarget_from is not None and moves(action, settings.retarget_from)


def _forget(source: Any, context: Any) -> None:
    """Drop the verdict on actions that are no longer the ones it was about."""
    source.id_data.motionloom.verdict = ""


class SourceAction(bpy.types.PropertyGroup):
    """An action to blend."""

    action: PointerProperty(type=bpy.types.Action, name="Action", poll=_is_ours, update=_forget)
    weight: FloatProperty(
        name="Weight",
        description="Weight of this action; weights are divided by their sum. Negative weights extrapolate",
        default=1.0,
        min=-1.0,
        max=2.0,
        soft_min=0.0,
        soft_max=1.0,
    )
    mirror: BoolProperty(name="Mirror", description="Swap left and right", update=_forget)


class ArmatureSettings(bpy.types.PropertyGroup):
    """What is to be made of the actions of an armature."""

    sources: CollectionProperty(type=SourceAction)
    active_source: IntProperty()
    verdict: StringProperty(description="How well the chosen actions correspond")
    cyclic: BoolProperty(
        name="Cyclic",
        description="Close one cycle of each action first, and make a cycle",
        update=_forget,
    )
    plant: BoolProperty(name="Plant Feet", description="Keep planted feet in place in results", default=True)
    stretch: FloatProperty(
        name="Stretch",
        description="How far bones may stretch to keep feet planted; connected bones never do",
        subtype="PERCENTAGE",
        default=2.6,
        min=0.0,
        max=20.0,
        precision=1,
    )
    allow_unfit: BoolProperty(
        name="Allow Unfit", description="Blend even if registration found that the actions do not correspond"
    )
    first: PointerProperty(type=bpy.types.Action, name="From", poll=_is_ours)
    second: PointerProperty(type=bpy.types.Action, name="To", poll=_is_ours)
    method: EnumProperty(name="Method", items=METHODS)
    half_width: FloatProperty(
        name="Half Width",
        description="Half the duration of the transition in seconds; 0: chosen from the gait",
        subtype="TIME_ABSOLUTE",
        default=0.0,
        min=0.0,
        max=10.0,
    )
    retarget_from: PointerProperty(
        type=bpy.types.Object,
        name="From",
        description="The armature whose motion is retargeted to the active one",
        poll=_is_other_armature,
    )
    retarget_action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        description="The action to retarget; empty: the active one of that armature",
        poll=_is_of_source,
    )
    cycles: IntProperty(
        name="Cycles", description="Cycles to keep in a loop; 0: as many as fit", default=0, min=0, max=100
    )
    smooth: FloatProperty(
        name="Smooth",
        description="Repair also removes everything above this frequency in Hz; 0: no smoothing",
        default=0.0,
        min=0.0,
        max=60.0,
    )


def chosen(settings: Any) -> list[Any]:
    """The sources that name an action."""
    return [source for source in settings.sources if source.action is not None]


def shares(sources: list[Any]) -> list[float]:
    """The weights of sources divided by their sum, or the weights themselves where that is near zero."""
    weights = [float(source.weight) for source in sources]
    total = sum(weights)
    return [weight / total for weight in weights] if abs(total) > 1e-6 else weights


CLASSES = (SourceAction, ArmatureSettings)


def register() -> None:
    """Give objects the settings."""
    for made in CLASSES:
        bpy.utils.register_class(made)
    bpy.types.Object.motionloom = PointerProperty(type=ArmatureSettings)


def unregister() -> None:
    """Take the settings from objects."""
    del bpy.types.Object.motionloom
    for made in reversed(CLASSES):
        bpy.utils.unregister_class(made)
