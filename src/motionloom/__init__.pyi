"""The public names of Motionloom, each from the file that holds it; `__init__.py` loads them on first use."""

from . import engines as engines
from . import graphs as graphs
from . import library as library
from . import paths as paths
from . import spaces as spaces
from . import warping as warping
from .annotation.annotate import annotate
from .annotation.treadmill import recover_travel
from .blending.blend import blend
from .blending.controls import Controls
from .blending.keyed_controls import ControlKey, KeyedControls
from .blending.layers import body_part, part_weights
from .blending.linear import LinearSettings
from .blending.live_blend import LiveBlend
from .blending.result import BlendResult
from .blending.variations import variations
from .blending.weights import ConstantWeights, KeyedWeights, TransitionWeights, WeightFunction
from .cycles.cyclify import cyclify
from .cycles.match_strides import match_strides
from .display import plot as plot
from .display.render import render
from .enforcement.enforce import enforce
from .errors import MotionloomError
from .files.annotations import load_annotations, save_annotations
from .files.load import load
from .files.load_save import save
from .files.load_skinned_mesh import load_skinned_mesh
from .files.process_files import process_files
from .fitting.fit_skeleton import fit_skeleton
from .framespace.framespace import Framespace
from .geometry.ground_transform import GroundTransform
from .graphs.graph import MotionGraph
from .jobs.batch import FileResult
from .library.library import Library
from .library.take import Segment
from .motion.annotations import Constraint, Event
from .motion.clip import Clip
from .motion.ground_path import GroundPath
from .motion.point_clip import PointClip
from .motion.pose import Pose
from .motion.provenance import Provenance
from .motion.result import Result
from .motion.skeleton import Skeleton
from .motion.skinned_mesh import SkinnedMesh
from .motion.steady_travel import put_in_place
from .quality.compare import Comparison, compare
from .quality.measure import measure
from .quality.results import Measurement, Measures
from .registration.alignment import AlignmentCurve
from .registration.common_parts import CommonPart, common_parts
from .registration.constraint_match import ConstraintMatch
from .registration.curve import RegistrationCurve
from .registration.distance import DistanceGrid, distance
from .registration.register import register
from .registration.time_alignment import TimeAlignment
from .registration.timewarp import TimewarpCurve
from .repair.fault import Fault
from .repair.find_faults import find_faults
from .repair.repair import repair
from .repair.smooth import smooth
from .retargeting.joint_mapping import JointMapping, joint_mapping
from .retargeting.root_motion import join_root, move_root_motion, split_root
from .spaces import parameters as parameters
from .spaces.space import MotionSpace
from .synthesis.mannequin import make_mannequin
from .transitions.concatenate import concatenate
from .transitions.transition import transition
from .viewer.view import sheet, show, view
from .warping.keys import Key
from .warping.reach import reach
from .warping.warp import warp
from .workflows.mix import mix
from .workflows.prepare import Prepared, prepare
from .workflows.retarget import retarget

__version__: str

__all__ = [
    "AlignmentCurve",
    "BlendResult",
    "Clip",
    "CommonPart",
    "Comparison",
    "ConstantWeights",
    "Constraint",
    "ConstraintMatch",
    "ControlKey",
    "Controls",
    "DistanceGrid",
    "Event",
    "Fault",
    "FileResult",
    "Framespace",
    "GroundPath",
    "GroundTransform",
    "JointMapping",
    "Key",
    "KeyedControls",
    "KeyedWeights",
    "Library",
    "LinearSettings",
    "LiveBlend",
    "Measurement",
    "Measures",
    "MotionGraph",
    "MotionSpace",
    "MotionloomError",
    "PointClip",
    "Pose",
    "Prepared",
    "Provenance",
    "RegistrationCurve",
    "Result",
    "Segment",
    "Skeleton",
    "SkinnedMesh",
    "TimeAlignment",
    "TimewarpCurve",
    "TransitionWeights",
    "WeightFunction",
    "annotate",
    "blend",
    "body_part",
    "common_parts",
    "compare",
    "concatenate",
    "cyclify",
    "distance",
    "enforce",
    "engines",
    "find_faults",
    "fit_skeleton",
    "graphs",
    "join_root",
    "joint_mapping",
    "library",
    "load",
    "load_annotations",
    "load_skinned_mesh",
    "make_mannequin",
    "match_strides",
    "measure",
    "mix",
    "move_root_motion",
    "part_weights",
    "paths",
    "plot",
    "prepare",
    "process_files",
    "put_in_place",
    "reach",
    "recover_travel",
    "register",
    "render",
    "repair",
    "retarget",
    "save",
    "save_annotations",
    "sheet",
    "show",
    "smooth",
    "spaces",
    "split_root",
    "transition",
    "variations",
    "view",
    "warp",
    "warping",
]
