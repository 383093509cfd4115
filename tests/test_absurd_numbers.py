"""Numbers that nobody means, in every argument of the public API: a sentence or a result, no raw error."""

from __future__ import annotations

import inspect
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom import synthesis
from motionloom.synthesis import jog, walk

ABSURD = (10**400, float("inf"), -float("inf"), float("nan"), 1e300, -1e300, 1e-300, 10**12, -1)
"""Numbers for which a function has a sentence, if they mean nothing to it."""

WALK = ml.annotate(walk(duration=1.6, fps=30).clip)
JOG = ml.annotate(jog(duration=1.4, fps=30).clip)

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "Clip.resampled": (WALK.resampled, ()),
    "Constraint": (ml.Constraint, ("LeftFoot", "plant", 1.0, 2.0)),
    "Event": (ml.Event, (1.0, "strike", "Hips")),
    "GroundTransform": (ml.GroundTransform, ()),
    "Key": (ml.Key, (0.5, "Hips")),
    "annotate": (ml.annotate, (WALK,)),
    "common_parts": (ml.common_parts, ([WALK, JOG],)),
    "compare": (ml.compare, (WALK, JOG)),
    "concatenate": (ml.concatenate, ([WALK, JOG],)),
    "cyclify": (ml.cyclify, (WALK,)),
    "distance": (ml.distance, (WALK, JOG)),
    "enforce": (ml.enforce, (WALK,)),
    "find_faults": (ml.find_faults, (WALK,)),
    "match_strides": (ml.match_strides, ([WALK, JOG],)),
    "measure": (ml.measure, (WALK,)),
    "prepare": (ml.prepare, ([WALK, JOG],)),
    "put_in_place": (ml.put_in_place, (WALK,)),
    "reach": (ml.reach, (WALK, "LeftHand", [0.2, 1.2, 0.5])),
    "recover_travel": (ml.recover_travel, (WALK,)),
    "register": (ml.register, ([WALK, JOG],)),
    "repair": (ml.repair, (WALK,)),
    "smooth": (ml.smooth, (WALK,)),
    "split_root": (ml.split_root, (WALK,)),
    "transition": (ml.transition, (WALK, JOG)),
    "apply_preset": (ml.warping.apply_preset, (WALK, "lean")),
    **{
        f"synthesis.{name}": (getattr(synthesis, name), ())
        for name in dir(synthesis)
        if inspect.isfunction(getattr(synthesis, name)) and name not in ("motion_names",)
    },
}
"""Functions with the arguments that they need."""


def numeric_parameters(function: Callable[..., Any], n_given: int) -> list[str]:
    parameters = list(inspect.signature(function).parameters.values())[n_given:]
    numeric = [p for p in parameters if any(word in str(p.annotation) for word in ("float", "int", "Array"))]
    return [p.name for p in numeric if "Transform" not in str(p.annotation)]


def call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
    """Call a function that may refuse its arguments with a sentence; missing ones are another matter."""
    try:
        function(*arguments, **keywords)
    except ml.MotionloomError:
        return
    except TypeError as error:
        if "missing" not in str(error):
            raise


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_absurd_keywords_are_refused_in_sentences(name: str) -> None:
    function, arguments = CALLS[name]
    for parameter in numeric_parameters(function, len(arguments)):
        for value in ABSURD:
            call(function, *arguments, **{parameter: value})


SEVERAL: dict[str, Callable[[Any], object]] = {
    "clip.at": WALK.at,
    "clip.sped_up": WALK.sped_up,
    "keyed weights": lambda v: ml.KeyedWeights({0.0: [v, 0.0], v: [0.0, 1.0]}),
    "mix": lambda v: ml.mix([WALK, JOG], [v, 1.0]),
    "mix pins": lambda v: ml.mix([WALK, JOG], [0.5, 0.5], pins=[v]),
    "pins": lambda v: ml.register([WALK, JOG], pins=[(v, v)]),
    "points": lambda v: ml.PointClip(("p",), 0.1, [[[v, 0.0, 0.0]]]),  # type: ignore[arg-type]
    "skeleton": lambda v: ml.Skeleton(("a",), np.array([-1]), [[v, 0.0, 0.0]]),  # type: ignore[arg-type]
    "start": lambda v: ml.register([WALK, JOG], start=(v, v)),
    "transition": lambda v: ml.transition(WALK, JOG, at=(v, v)),
    "warp": lambda v: ml.warp(WALK, [ml.Key(0.5, "Hips", move=[v, v, v])]),
}
"""Numbers inside of lists."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SEVERAL)
def test_absurd_numbers_in_lists_are_refused_in_sentences(name: str) -> None:
    for value in ABSURD:
        call(SEVERAL[name], value)


@pytest.mark.parametrize("method", ["dead", "inertialize", "linear"])
@pytest.mark.parametrize("fps", [0.5, 1.0, 2.0])
def test_transitions_of_a_few_frames_say_what_they_need(method: Any, fps: float) -> None:
    for clips in ((WALK, JOG), (walk(duration=4, fps=30).clip, jog(duration=4, fps=30).clip)):
        a, b = (clip.resampled(fps) for clip in clips)
        call(ml.transition, a, b, method=method)


@pytest.mark.filterwarnings("ignore")
def test_limbs_without_length_are_no_crash() -> None:
    skeleton = replace(WALK.skeleton, offsets=WALK.skeleton.offsets * 0.0, tips=())
    flat = ml.Clip(skeleton, WALK.frame_time, WALK.root_positions, WALK.rotations)
    for function in (ml.annotate, ml.measure, ml.cyclify, ml.recover_travel):
        call(function, flat)
    call(ml.retarget, flat, WALK.skeleton)
    call(ml.retarget, WALK, skeleton)


@pytest.mark.parametrize("suffix", [".csv", ".trc", ".npz", ".c3d"])
def test_points_without_frames_are_saved_or_refused(suffix: str, tmp_path: Path) -> None:
    call(ml.save, ml.PointClip(("p",), 0.1, np.zeros((0, 1, 3))), tmp_path / f"none{suffix}")


@pytest.mark.parametrize("suffix", [".bvh", ".amc", ".csv", ".npz", ".glb", ".usda"])
def test_paths_that_cannot_be(suffix: str, tmp_path: Path) -> None:
    os.symlink(tmp_path / f"b{suffix}", tmp_path / f"a{suffix}")
    os.symlink(tmp_path / f"a{suffix}", tmp_path / f"b{suffix}")
    for path in (f"\ud800{suffix}", "a" * 5000 + suffix, str(tmp_path / f"a{suffix}")):
        with pytest.raises(ml.MotionloomError):
            ml.load(path)
        call(ml.save, WALK, path)


@pytest.mark.parametrize("uri", ["\ud800x", "a" * 5000, "a/" * 3000, "loop", "loop/x", "%ff", ".", ""])
def test_uris_that_cannot_be(uri: str, tmp_path: Path) -> None:
    os.symlink(tmp_path / "pool", tmp_path / "loop")
    os.symlink(tmp_path / "loop", tmp_path / "pool")
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": kind} for kind in ("SCALAR", "VEC3")
    ]
    moved = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    content = {
        "asset": {"version": "2.0"},
        "nodes": [{}],
        "buffers": [{"byteLength": 24, "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 24}],
        "accessors": accessors,
        "animations": [{"samplers": [{"input": 0, "output": 1}], "channels": [moved]}],
    }
    (tmp_path / "x.gltf").write_text(json.dumps(content))
    with pytest.raises(ml.MotionloomError, match=r"buffers\[0\]"):
        ml.load(tmp_path / "x.gltf")


@pytest.mark.parametrize(
    "names", [["Xfoo"], ["\ud800"], ["Xrotation", "Xrotation", "Yrotation"], ["rx"], [""]]
)
def test_hostile_channels_of_a_source_are_ignored(names: list[str], tmp_path: Path) -> None:
    ml.save(WALK, tmp_path / "walk.npz")
    with zipfile.ZipFile(tmp_path / "walk.npz") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    header["source"] |= {"channels": [names] * WALK.skeleton.n_joints, "format": "bvh"}
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(tmp_path / "hostile.npz", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    clip = ml.load(tmp_path / "hostile.npz")
    assert clip.source.channels is None
    for suffix in (".bvh", ".amc"):
        ml.save(clip, tmp_path / f"again{suffix}")
