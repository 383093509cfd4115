"""Some fifty representative operations over captured and built-in clips, by name."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP
from motionloom.cycles import cyclify, match_strides
from motionloom.display import render
from motionloom.engines.sync_events import phase_track, sync_events
from motionloom.framespace import Framespace, PolylineInterpolant
from motionloom.motion import Clip
from motionloom.project.document import Document
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.retargeting.transfer_motion import transfer_motion
from motionloom.synthesis import MOTIONS, jog, kick, locomotion_set, punch, sneak, walk
from motionloom.warping import (
    PRESETS,
    bend_path,
    pose_keys,
    retime_to_beat,
    scale_bands,
    soft_limits,
    stepping_stones,
    waveshape,
)
from motionloom.warping.footholds import find_footholds
from tests.project.projects import everything

Operation = Callable[[], object]
OPERATIONS: dict[str, Operation] = {}


def operation(make: Operation) -> Operation:
    """List an operation under its name."""
    OPERATIONS[make.__name__.replace("_", " ")] = make
    return make


def _captured(pattern: str) -> list[Clip]:
    return [ml.load(path) for path in sorted(MOCAP.glob(pattern))]


@cache
def _gait(name: str, fps: float = 30.0) -> Clip:
    path = next((MOCAP / "locomotion" / "s16").glob(f"{name}_*"))
    return ml.annotate(ml.load(path).resampled(fps))


def _gaits() -> list[Clip]:
    return [_gait(name) for name in ("walk_straight", "jog_straight", "run_left")]


@cache
def _strides() -> ml.RegistrationCurve:
    return ml.register(match_strides(_gaits()))


@cache
def _built_in() -> list[Clip]:
    return [
        ml.annotate(walk(duration=4.0, fps=30).clip),
        ml.annotate(jog(duration=3.0, phase=0.4, curvature=0.2, fps=30).clip),
    ]


@cache
def _loops() -> ml.RegistrationCurve:
    motions = locomotion_set(fps=30).values()
    return ml.register([cyclify(ml.annotate(motion.clip), cycles=1) for motion in motions])


@operation
def synthesis_of_every_motion() -> object:
    return {name: make(fps=30).clip for name, make in MOTIONS.items()}


@operation
def load_bvh_dialects() -> object:
    return _captured("dialects/bvh/*.bvh")


@operation
def load_bvh_defects() -> object:
    return _captured("defects/*.bvh")


@operation
def load_acclaim() -> object:
    return _captured("dialects/asf_amc/*.amc")


@operation
def load_gltf() -> object:
    return [*_captured("dialects/fbx_gltf/*.glb"), *_captured("game/*.glb")]


@operation
def load_points() -> object:
    folder = MOCAP / "dialects" / "c3d_trc"
    return [ml.load(path, ml.PointClip) for path in sorted(folder.iterdir())]


@operation
def annotate_captured_gaits() -> object:
    return [ml.annotate(clip) for clip in _captured("locomotion/s16/*_straight_*.bvh")]


@operation
def annotate_captured_actions() -> object:
    return [ml.annotate(clip) for clip in _captured("actions/[kj]*/*.bvh")]


@operation
def phase_and_markers() -> object:
    clip = _gait("walk_straight")
    markers = [marker.frame for marker in sync_events(clip)]
    return {"phase": phase_track(clip).phase, "markers": np.array(markers)}


@operation
def clip_methods() -> object:
    clip = _gait("jog_straight")
    return {
        "slice": clip[5:30],
        "at": clip.at(np.linspace(0, clip.n_frames - 1, 37)),
        "resampled": clip.resampled(50.0),
        "mirrored": clip.mirrored(),
        "placed": clip.placed(ml.GroundTransform(0.7, 1.0, -2.0)),
        "reversed": clip.reversed(),
        "faster": clip.sped_up(1.3),
        "positions": clip.world_positions(),
        "world_rotations": clip.world_rotations(),
        "velocities": clip.world_velocities(),
    }


@operation
def strides_matched() -> object:
    return match_strides(_gaits())


@operation
def cycles_closed() -> object:
    return [cyclify(clip) for clip in _gaits()]


@operation
def register_strides() -> object:
    return _strides()


@operation
def register_loops() -> object:
    return ml.register([cyclify(clip, cycles=1) for clip in _gaits()])


@operation
def register_paper() -> object:
    return ml.register(match_strides(_gaits()[:2]), profile="paper")


@operation
def register_thesis() -> object:
    return ml.register(match_strides(_gaits()[:2]), profile="thesis")


@operation
def register_actions() -> object:
    kicks = _captured("actions/kicks/kick_*.bvh")
    reaches = _captured("actions/reaches/*.bvh")
    return [ml.register([ml.annotate(clip.resampled(30)) for clip in clips]) for clips in (kicks, reaches)]


@operation
def register_pinned_and_free() -> object:
    first, second = (ml.annotate(clip.resampled(30)) for clip in _captured("actions/punches/*high*.bvh"))
    return {
        "pins": ml.register([first, second], pins=[(20, 19)]),
        "free": ml.register([first, second], start="free", end="free"),
        "cell": ml.register([first, second], start=(3, 4)),
        "weights": ml.register([first, second], joint_weights={"RightHand": 3.0}, window=0.1, slope_limit=2),
    }


@operation
def register_points() -> object:
    clip = ml.load(MOCAP / "dialects" / "c3d_trc" / "pc_real.c3d", ml.PointClip).resampled(30)
    curve = ml.register([clip[:90], clip[5:100]])
    u = np.linspace(*curve.domain, 50)
    return {"timewarp": curve.timewarp(u), "blend": ml.blend(curve, [0.4, 0.6]).clip}


@operation
def register_different_skeletons() -> object:
    ours = _built_in()[0]
    return ml.register(match_strides([ours, _gait("walk_straight")]))


@operation
def join_curves() -> object:
    first, second, third = match_strides(_gaits())
    return ml.register([first, second]).then(ml.register([second, third]))


@operation
def distance_grid() -> object:
    first, second, _ = _gaits()
    grid = ml.distance(first, second, placements=True)
    return {"values": grid.values, "cell": grid.placement(4, 9).row()}


@operation
def blend_constant() -> object:
    return [ml.blend(_strides(), weights) for weights in ([0.5, 0.3, 0.2], [1, 0, 0], [1.4, -0.4, 0.0])]


@operation
def blend_keyed() -> object:
    return ml.blend(_strides(), ml.KeyedWeights({0: (1, 0, 0), 0.8: (0, 0.5, 0.5)}))


@operation
def blend_choices() -> object:
    curve = _strides()
    weights = [0.2, 0.5, 0.3]
    return {
        "duration": ml.blend(curve, weights, rate_law="duration"),
        "karcher": ml.blend(curve, weights, average="karcher"),
        "park": ml.blend(curve, weights, average="park"),
        "linear": ml.blend(curve, weights, method="linear"),
        "backward": ml.blend(curve, weights, backward=True),
        "euler": ml.blend(curve, weights, integrator="euler"),
        "callable": ml.blend(curve, lambda t: (1 - t / 2, t / 2, 0.1)),
        "rows": ml.blend(curve, np.linspace([1, 0, 0], [0, 0, 1], 12)),
    }


@operation
def blend_layers() -> object:
    curve = _strides()
    upper = ml.body_part(curve.clips[0].skeleton, "upper body")
    return ml.blend(curve, [1, 0, 0], joint_weights=dict.fromkeys(upper, (0.0, 1.0, 0.0)))


@operation
def live_blend() -> object:
    live = ml.LiveBlend(_loops(), weights=np.eye(9)[0])
    poses = []
    for step in range(200):
        weights = np.roll(np.linspace(0, 1, 9), step // 25)
        poses.append(live.step(1 / 45, weights).root_positions.copy())
    return {"roots": np.array(poses), "last": live.pose, "u": float(live.u)}


@operation
def control() -> object:
    styles = np.repeat(["walk", "jog", "sneak"], 3).tolist()
    controls = ml.Controls(_loops(), styles=styles)
    wanted = [controls.weights(turn=turn, style="jog") for turn in np.linspace(-0.5, 0.5, 9)]
    keys = {0.0: ml.ControlKey(1.2), 2.0: ml.ControlKey(2.0, turn=0.4), 4.0: ml.ControlKey(0.6)}
    return {"weights": np.array(wanted), "keyed": ml.blend(_loops(), ml.KeyedControls(controls, keys))}


@operation
def variations() -> object:
    return ml.variations(_strides(), 3, seed=5)


@operation
def transition_by_registration() -> object:
    return ml.transition(_gait("walk_straight"), _gait("jog_straight"))


@operation
def transition_stated() -> object:
    return ml.transition(_gait("walk_straight"), _gait("run_straight"), at=(50, 15), half_width=0.3)


@operation
def transition_unsnapped() -> object:
    return ml.transition(_gait("walk_straight"), _gait("jog_straight"), snap=False)


@operation
def transition_linear() -> object:
    return ml.transition(_gait("walk_straight"), _gait("jog_straight"), method="linear")


@operation
def transition_inertialized() -> object:
    return ml.transition(_gait("walk_straight"), _gait("jog_straight"), method="inertialize")


@operation
def transition_dead_blended() -> object:
    return ml.transition(_gait("walk_straight"), _gait("jog_straight"), method="dead")


@operation
def transition_overlapping() -> object:
    return ml.transition(_gait("walk_straight"), _gait("walk_left"), method="overlap", overlap=(1.0, 1.2))


@operation
def transition_of_loops() -> object:
    return ml.transition(*(cyclify(clip) for clip in _gaits()[:2]), loop=True)


@operation
def concatenation() -> object:
    return ml.concatenate([_gait("walk_straight"), _gait("walk_left"), _gait("jog_straight")])


@operation
def mixes() -> object:
    return {
        "gaits": ml.mix(_gaits(), [0.2, 0.5, 0.3]),
        "kicks": ml.mix([clip.resampled(30) for clip in _captured("actions/kicks/kick_*.bvh")], [1, 1, 1]),
        "built in": ml.mix(_built_in(), [0.5, 0.5]),
    }


@operation
def registered_loops_and_pins() -> object:
    loops = ml.prepare(_gaits()[:2], cut="loops").register()
    pinned = ml.prepare(_gaits()[:2], cut="whole").register(pins=[(40, 15)])
    return {"loops": loops, "pinned": pinned}


@operation
def enforce_blend() -> object:
    half = ml.blend(_strides(), [0.4, 0.4, 0.2]).clip
    return {"default": ml.enforce(half), "no stretch": ml.enforce(half, stretch=0.0, ground=0.01)}


@operation
def enforce_captured() -> object:
    return [ml.enforce(clip) for clip in _gaits()]


@operation
def warp_keys() -> object:
    clip = _gait("walk_straight")
    keys = [
        ml.Key(time=0.6, joint="LeftLeg", rotate=(0.35, 0, 0)),
        ml.Key(time=1.4, joint="RightHand", reach=(0.3, 1.3, 0.4)),
        ml.Key(time=1.0, joint="Spine", orient=(0.1, 0.2, 0.0), ease=0.4),
        ml.Key(time=2.0, move=(0.0, -0.05, 0.1)),
        ml.Key(time=2.0, joint="Head", scale=1.5, ease=None),
    ]
    return {
        "keys": ml.warp(clip, keys, times=[(0.6, 0.9)]),
        "plants": ml.warp(clip, keys[:1], keep_plants=True),
        "cardinal": ml.warp(clip, keys[:1], ml.warping.TimeKeys([(1.0, 1.2), (2.0, 2.1)], curve="cardinal")),
    }


@operation
def warp_presets() -> object:
    clip = ml.annotate(walk(duration=4.0, fps=30).clip)
    return {name: ml.warping.apply_preset(clip, name, 0.8) for name in PRESETS}


@operation
def warp_reach() -> object:
    clips = [ml.annotate(clip.resampled(30)) for clip in _captured("actions/reaches/*.bvh")]
    hand = clips[0].world_positions()[30, clips[0].skeleton.index("LeftHand")]
    return ml.reach(clips, "LeftHand", hand + 0.1)


@operation
def warp_paths_and_beats() -> object:
    clip = ml.annotate(walk(duration=4.0, fps=30).clip)
    stones = [hold.centre[[0, 2]] + 0.05 * (-1) ** n for n, hold in enumerate(find_footholds(clip))]
    return {
        "path": bend_path(clip, {2.0: (0.3, 0.1)}),
        "beat": retime_to_beat(clip, 110.0),
        "stones": stepping_stones(clip, stones),
        "bands": scale_bands(clip, [1.0, 1.2, 1.5, 0.8]),
        "waves": waveshape(clip, "LeftArm", (1, 0, 0), soft_limits(-0.2, 0.2)),
        "pose": ml.warp(clip, pose_keys(1.0, clip[30])),
    }


@operation
def framespaces() -> object:
    space = Framespace([walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30).clip])
    gaits = [walk, jog, sneak, lambda **choices: walk(curvature=0.5, **choices)]
    box = Framespace([gait(duration=4.0, fps=30).clip for gait in gaits])
    both = Framespace([walk(duration=4.0, fps=30).clip, punch(fps=30).clip], acyclic=1, decoupled=True)
    arms = PolylineInterpolant([(0.2, 0), (0.35, 1), (0.65, 1), (0.8, 0)])
    captured = Framespace(_gaits()[:2])
    return {
        "rectangle": space.blend([(0, 0), (0.3, 0), (0.7, 1), (1, 1)], cycles=6),
        "loop": space.blend(0.4, loop=True),
        "box": box.blend([(0, 0, 0), (0.3, 1, 0), (0.7, 1, 1), (1, 0, 1)], cycles=5),
        "halves": both.blend(0.0, upper=arms, cycles=4),
        "captured": captured.blend([(0, 0.0), (1, 1.0)], cycles=4),
    }


@operation
def retargeting() -> object:
    clip = _gait("walk_straight")
    onto = _built_in()[0].skeleton
    path = MOCAP / "dialects" / "bvh" / "blender_makehuman_walk1.bvh"
    return {
        "plain": transfer_motion(clip, onto),
        "planted": ml.retarget(clip, onto),
        "makehuman": ml.retarget(ml.load(path), onto),
    }


@operation
def root_motion() -> object:
    in_place, path = ml.split_root(_gait("walk_left"))
    joined = ml.join_root(in_place, path)
    return {"in place": in_place, "joined": joined, "length": path.length}


@operation
def measures() -> object:
    curve = _strides()
    made = ml.enforce(ml.blend(curve, [0.4, 0.4, 0.2]).clip)
    over = ml.transition(*_gaits()[:2])
    tables = {
        "blend": ml.measure(made, sources=list(curve.clips)),
        "transition": ml.measure(over.clip, sources=_gaits()[:2], seams=over.report.seams),
        "kick": ml.measure(ml.annotate(kick(fps=30).clip)),
    }
    return {
        name: np.array([figure.value for group in table.groups for figure in group.measurements])
        for name, table in tables.items()
    }


@operation
def exports() -> object:
    clip = match_strides(_gaits())[1]
    parts: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for ending in ("bvh", "glb", "gltf", "usda", "csv", "npz", "amc"):
            path = ml.save(clip, folder / f"jog.{ending}")
            parts[f"{ending} again"] = ml.load(path)
            if ending != "npz":
                parts[ending] = path.read_bytes()
        parts["marks"] = ml.save_annotations(clip, folder / "jog.json").read_bytes()
        markers = ml.engines.save_sync_events(clip, folder / "jog-markers.json")
        parts["markers"] = markers.read_bytes()
        parts["png"] = render([clip], folder / "jog.png").read_bytes()
    return parts


@operation
def exports_of_registrations() -> object:
    with tempfile.TemporaryDirectory() as name:
        paths = [ml.save(clip, Path(name) / f"{n}.npz") for n, clip in enumerate(_built_in())]
        curve = ml.register([ml.load(path) for path in paths])
        saved = ml.save(curve, Path(name) / "curve.npz")
        return ml.load(saved, ml.RegistrationCurve)


@operation
def projects() -> object:
    document: Document = everything()
    evaluator = Evaluator(ProjectFolder("nowhere"))
    return {item.name: evaluator.evaluate(document, item.id).clip for item in document.items}
