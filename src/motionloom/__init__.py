"""Motionloom makes new motion from captured motion.

>>> import motionloom as ml
>>> clip = ml.load("walk.bvh")                  # doctest: +SKIP
>>> ml.save(clip.mirrored(), "mirrored.bvh")    # doctest: +SKIP

Names load on first use, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motionloom.annotation import annotate as annotate
    from motionloom.annotation import common_markers as common_markers
    from motionloom.annotation import phase_track as phase_track
    from motionloom.annotation import sync_markers as sync_markers
    from motionloom.blending import BlendResult as BlendResult
    from motionloom.blending import ConstantWeights as ConstantWeights
    from motionloom.blending import ControlKey as ControlKey
    from motionloom.blending import Controls as Controls
    from motionloom.blending import KeyedControls as KeyedControls
    from motionloom.blending import KeyedWeights as KeyedWeights
    from motionloom.blending import LinearSettings as LinearSettings
    from motionloom.blending import LiveBlend as LiveBlend
    from motionloom.blending import TransitionWeights as TransitionWeights
    from motionloom.blending import WeightFunction as WeightFunction
    from motionloom.blending import blend as blend
    from motionloom.blending import body_part as body_part
    from motionloom.blending import concatenate as concatenate
    from motionloom.blending import transition as transition
    from motionloom.blending import variations as variations
    from motionloom.cycles import cyclify as cyclify
    from motionloom.cycles import match_strides as match_strides
    from motionloom.enforcement import enforce as enforce
    from motionloom.errors import MotionloomError as MotionloomError
    from motionloom.files import load as load
    from motionloom.files import load_annotations as load_annotations
    from motionloom.files import load_points as load_points
    from motionloom.files import load_registration as load_registration
    from motionloom.files import save as save
    from motionloom.files import save_annotations as save_annotations
    from motionloom.files import save_markers as save_markers
    from motionloom.framespace import Framespace as Framespace
    from motionloom.geometry import GroundTransform as GroundTransform
    from motionloom.mixing import mix as mix
    from motionloom.motion import Clip as Clip
    from motionloom.motion import Constraint as Constraint
    from motionloom.motion import Event as Event
    from motionloom.motion import PointClip as PointClip
    from motionloom.motion import Pose as Pose
    from motionloom.motion import Skeleton as Skeleton
    from motionloom.motion import Source as Source
    from motionloom.motion import Tip as Tip
    from motionloom.quality import Measures as Measures
    from motionloom.quality import measure as measure
    from motionloom.recasting import map_skeleton as map_skeleton
    from motionloom.registration import AlignmentCurve as AlignmentCurve
    from motionloom.registration import ConstraintMatch as ConstraintMatch
    from motionloom.registration import DistanceGrid as DistanceGrid
    from motionloom.registration import RegistrationCurve as RegistrationCurve
    from motionloom.registration import TimeAlignment as TimeAlignment
    from motionloom.registration import TimewarpCurve as TimewarpCurve
    from motionloom.registration import distance as distance
    from motionloom.registration import register as register
    from motionloom.retargeting import GroundPath as GroundPath
    from motionloom.retargeting import JointMapping as JointMapping
    from motionloom.retargeting import join_root as join_root
    from motionloom.retargeting import joint_mapping as joint_mapping
    from motionloom.retargeting import split_root as split_root
    from motionloom.warping import Key as Key
    from motionloom.warping import TimeKeys as TimeKeys
    from motionloom.warping import Warp as Warp
    from motionloom.warping import reach as reach
    from motionloom.warping import ready_made as ready_made
    from motionloom.warping import warp as warp

__version__ = "0.1.0"

_HOMES = {
    "annotation": ("annotate", "common_markers", "phase_track", "sync_markers"),
    "blending": (
        "BlendResult",
        "ConstantWeights",
        "ControlKey",
        "Controls",
        "KeyedControls",
        "KeyedWeights",
        "LinearSettings",
        "LiveBlend",
        "TransitionWeights",
        "WeightFunction",
        "blend",
        "body_part",
        "concatenate",
        "transition",
        "variations",
    ),
    "cycles": ("cyclify", "match_strides"),
    "enforcement": ("enforce",),
    "errors": ("MotionloomError",),
    "files": (
        "load",
        "load_annotations",
        "load_points",
        "load_registration",
        "save",
        "save_annotations",
        "save_markers",
    ),
    "framespace": ("Framespace",),
    "geometry": ("GroundTransform",),
    "mixing": ("mix",),
    "motion": ("Clip", "Constraint", "Event", "PointClip", "Pose", "Skeleton", "Source", "Tip"),
    "quality": ("Measures", "measure"),
    "recasting": ("map_skeleton",),
    "registration": (
        "AlignmentCurve",
        "ConstraintMatch",
        "DistanceGrid",
        "RegistrationCurve",
        "TimeAlignment",
        "TimewarpCurve",
        "distance",
        "register",
    ),
    "retargeting": ("GroundPath", "JointMapping", "join_root", "joint_mapping", "split_root"),
    "warping": ("Key", "TimeKeys", "Warp", "reach", "ready_made", "warp"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
