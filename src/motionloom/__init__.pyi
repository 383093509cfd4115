"""The public names of Motionloom, each from the file that holds it; `__init__.py` loads them on first use."""

from .annotation.annotate import annotate
from .annotation.annotate_points import annotate_points
from .annotation.flights import Flight, find_flights
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
from .cycles.cyclify_points import cyclify_points
from .cycles.match_strides import match_strides
from .display import plot as plot
from .display.render import render
from .enforcement.enforce import enforce
from .enforcement.enforce_points import enforce_points
from .engines.markers import save_markers
from .engines.save_blend_space import save_blend_space
from .engines.sync_markers import common_markers, phase_track, sync_markers
from .errors import MotionloomError
from .files.annotations import load_annotations, save_annotations
from .files.load_path import load_path
from .files.load_save import load, load_points, load_registration, load_space, save
from .files.load_skinned_mesh import load_skinned_mesh
from .files.process_files import process_files
from .fitting.fit_skeleton import SkeletonFitReport, fit_skeleton
from .framespace.framespace import Framespace
from .geometry.ground_transform import GroundTransform
from .graphs.graph import MotionGraph
from .graphs.graph_file import load_graph
from .graphs.report import GraphReport
from .jobs.batch import FileResult
from .library.add_files import AddReport
from .library.hits import Hit, Hits
from .library.library import Library
from .library.match_web import MatchWeb, WebLink
from .library.summary import LibrarySummary
from .library.take import Segment, Take
from .motion.annotations import Constraint, Event
from .motion.clip import Clip
from .motion.ground_path import GroundPath
from .motion.point_clip import PointClip
from .motion.pose import Pose
from .motion.provenance import Provenance, Source
from .motion.result import Result
from .motion.skeleton import Skeleton, Tip
from .motion.skinned_mesh import Material, SkinnedMesh
from .motion.steady_travel import put_in_place
from .paths.path import Action, Arrival, Path, Stretch
from .paths.path_report import PathReport
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
from .repair.repair import RepairReport, repair
from .repair.smooth import smooth
from .retargeting.joint_map_file import load_joint_map, save_joint_map
from .retargeting.joint_mapping import JointMapping, joint_mapping
from .retargeting.root_motion import join_root, move_root_motion, split_root
from .spaces import parameters as parameters
from .spaces.live_space import LiveSpace
from .spaces.space import MotionSpace
from .synthesis.mannequin import make_mannequin
from .transitions.concatenate import concatenate
from .transitions.transition import transition
from .transitions.transition_points import transition_points
from .viewer.view import sheet, show, view
from .warping.carry_warp import carry_warp
from .warping.generalize_warp import generalize_warp
from .warping.keys import Key
from .warping.obstacles import Obstacle
from .warping.presets import preset_warp, warp_preset
from .warping.reach import reach
from .warping.time_keys import TimeKeys
from .warping.warp import warp
from .warping.warp_data import Warp
from .workflows.mix import mix
from .workflows.prepare import Prepared, prepare
from .workflows.prepare_and_register import prepare_and_register
from .workflows.retarget import retarget

__version__: str

__all__ = [
    "Action",
    "AddReport",
    "AlignmentCurve",
    "Arrival",
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
    "Flight",
    "Framespace",
    "GraphReport",
    "GroundPath",
    "GroundTransform",
    "Hit",
    "Hits",
    "JointMapping",
    "Key",
    "KeyedControls",
    "KeyedWeights",
    "Library",
    "LibrarySummary",
    "LinearSettings",
    "LiveBlend",
    "LiveSpace",
    "MatchWeb",
    "Material",
    "Measurement",
    "Measures",
    "MotionGraph",
    "MotionSpace",
    "MotionloomError",
    "Obstacle",
    "Path",
    "PathReport",
    "PointClip",
    "Pose",
    "Prepared",
    "Provenance",
    "RegistrationCurve",
    "RepairReport",
    "Result",
    "Segment",
    "Skeleton",
    "SkeletonFitReport",
    "SkinnedMesh",
    "Source",
    "Stretch",
    "Take",
    "TimeAlignment",
    "TimeKeys",
    "TimewarpCurve",
    "Tip",
    "TransitionWeights",
    "Warp",
    "WebLink",
    "WeightFunction",
    "annotate",
    "annotate_points",
    "blend",
    "body_part",
    "carry_warp",
    "common_markers",
    "common_parts",
    "compare",
    "concatenate",
    "cyclify",
    "cyclify_points",
    "distance",
    "enforce",
    "enforce_points",
    "find_faults",
    "find_flights",
    "fit_skeleton",
    "generalize_warp",
    "join_root",
    "joint_mapping",
    "load",
    "load_annotations",
    "load_graph",
    "load_joint_map",
    "load_path",
    "load_points",
    "load_registration",
    "load_skinned_mesh",
    "load_space",
    "make_mannequin",
    "match_strides",
    "measure",
    "mix",
    "move_root_motion",
    "part_weights",
    "phase_track",
    "plot",
    "prepare",
    "prepare_and_register",
    "preset_warp",
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
    "save_blend_space",
    "save_joint_map",
    "save_markers",
    "sheet",
    "show",
    "smooth",
    "split_root",
    "sync_markers",
    "transition",
    "transition_points",
    "variations",
    "view",
    "warp",
    "warp_preset",
]
