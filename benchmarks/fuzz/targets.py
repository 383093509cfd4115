"""What is fuzzed: every kind of file and message, with small whole ones to begin with, made by code."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import motionloom as ml
from motionloom import synthesis
from motionloom.files import load_points, load_space
from motionloom.files.body_models import smpl_skeleton
from motionloom.project.document import Document
from motionloom.project.edits import AddItem
from motionloom.project.folder import DOCUMENT, ProjectFolder
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    FramespaceRecipe,
    JointKey,
    MotionRecipe,
    Recipe,
    WarpRecipe,
)
from motionloom.studio.opening import first_document
from tests.figures import smooth_clip
from tests.files.bvh_texts import PLAIN
from tests.files.gltf_sketch import leg

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Target:
    """A kind of file: what its files are called, whole ones to begin with, and what reads them.

    ``beside`` are files that lie beside the one that is damaged and stay whole. ``slow`` targets start
    another program for each file, which no coverage reaches into.
    """

    file_name: str
    seeds: tuple[bytes, ...]
    read: Read
    beside: dict[str, bytes]
    slow: bool = False


GROUPS = {
    "motions": (
        "BVH",
        "AMC",
        "ASF",
        "CSV",
        "CSV skeleton",
        "Motionloom",
        "AMASS",
        "GLB",
        "glTF",
        "USD text",
        "USD binary",
    ),
    "points": ("CSV points", "TRC", "C3D"),
    "texts": ("annotations", "warp", "registration", "space"),
    "studio": ("project", "messages"),
}
"""Names of targets by what they hold, in the order of the table."""


def make_target(name: str) -> Target:
    """Make a target by its name."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if name in GROUPS["studio"]:
            return _studio()[name]
        if name in GROUPS["points"]:
            return _points(folder)[name]
        clip = ml.annotate(synthesis.walk(duration=0.7, fps=20).clip)
        return (_motions if name in GROUPS["motions"] else _texts)(folder, clip)[name]


def _motions(folder: Path, clip: ml.Clip) -> dict[str, Target]:
    small = smooth_clip(8)
    found: dict[str, Target] = {}
    for name, suffix, more in (
        ("BVH", "bvh", (PLAIN.encode(), PLAIN.replace("1 20 3", "1,5 20 3").encode())),
        ("Motionloom", "npz", ()),
        ("GLB", "glb", (leg().glb(),)),
        ("glTF", "gltf", ()),
        ("USD text", "usda", ()),
        ("USD binary", "usdc", ()),
    ):
        seeds = [ml.save(each, folder / f"{n}.{suffix}").read_bytes() for n, each in enumerate([small, clip])]
        found[name] = Target(f"fuzzed.{suffix}", (*seeds, *more), ml.load, {}, slow="USD" in name)
    body = ml.retarget(synthesis.walk(duration=0.4, fps=20).clip, to=smpl_skeleton())
    amass = ml.save(body, folder / "body.npz", layout="amass").read_bytes()
    found["AMASS"] = Target("fuzzed.npz", (amass,), ml.load, {})
    motion = ml.save(small, folder / "pair.amc")
    amc, asf = motion.read_bytes(), motion.with_suffix(".asf").read_bytes()
    found["AMC"] = Target("fuzzed.amc", (amc,), ml.load, {"fuzzed.asf": asf})
    found["ASF"] = Target(
        "fuzzed.asf",
        (asf,),
        lambda path: ml.load(path.with_suffix(".amc"), skeleton=path),
        {"fuzzed.amc": amc},
    )
    table = ml.save(small, folder / "table.csv")
    bones = table.with_name("table.skeleton.csv").read_bytes()
    found["CSV"] = Target("fuzzed.csv", (table.read_bytes(),), ml.load, {"fuzzed.skeleton.csv": bones})
    found["CSV skeleton"] = Target(
        "fuzzed.skeleton.csv",
        (bones,),
        lambda path: ml.load(path.with_name("fuzzed.csv")),
        {"fuzzed.csv": table.read_bytes()},
    )
    return found


def _points(folder: Path) -> dict[str, Target]:
    small = smooth_clip(8)
    points = ml.PointClip(small.skeleton.names, small.frame_time, small.world_positions())
    found: dict[str, Target] = {}
    files = {
        "TRC": ml.save(points, folder / "points.trc"),
        "C3D": ml.save(points, folder / "points.c3d"),
        "CSV points": ml.save(small, folder / "points.csv", layout="positions"),
    }
    for name, path in files.items():
        suffix = path.suffix.removeprefix(".")
        found[name] = Target(f"fuzzed.{suffix}", (path.read_bytes(),), load_points, {})
    return found


def _texts(folder: Path, clip: ml.Clip) -> dict[str, Target]:
    """Files that people write: annotations, warps, registrations and motion spaces of two clips."""
    marks = ml.save_annotations(clip, folder / "marks.json").read_bytes()
    keys = [ml.Key(0.2, clip.skeleton.names[2], rotate=(0.1, 0.2, 0.0))]
    warp = ml.warping.Warp.of(keys, times=[(0.2, 0.4)]).save(folder / "warp.json").read_bytes()
    walks = [synthesis.walk(speed=speed, duration=1.5, fps=20).clip for speed in (1.2, 1.5)]
    curve = ml.register([ml.annotate(each) for each in walks])
    registration = ml.save(curve, folder / "curve.npz").read_bytes()
    space = ml.MotionSpace(curve, {"speed": ml.parameters.speed()}, max_blends=1)
    saved_space = ml.save(space, folder / "space.npz").read_bytes()
    return {
        "annotations": Target("fuzzed.json", (marks,), lambda path: ml.load_annotations(path, clip), {}),
        "warp": Target("fuzzed.json", (warp,), ml.warping.Warp.load, {}),
        "registration": Target(
            "fuzzed.npz",
            (registration,),
            lambda path: ml.load(path, ml.RegistrationCurve, clips=curve.clips),
            {},
        ),
        "space": Target("fuzzed.npz", (saved_space,), load_space, {}),
    }


def _studio() -> dict[str, Target]:
    """Projects, and messages of the page with what they do to a project."""
    document = first_document()
    more: list[Recipe] = [
        WarpRecipe(source="c1", keys=(JointKey(time=0.2, joint="", kind="rotate", value=(0.1, 0.0, 0.0)),)),
        FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 0.0), (1.0, 1.0))),
        BlendRecipe(sources=("c1", "c2"), weights=(0.5, 0.5)),
    ]
    for recipe in more:
        document = AddItem(name=recipe.type, recipe=recipe).apply(document)
    text = json.dumps(to_plain(document)).encode()
    walk = to_plain(AddItem(name="walk", recipe=MotionRecipe(motion="walk", options={"fps": 30.0})))
    messages = [
        {"type": "do", "serial": 1, "edit": walk},
        {"type": "do", "serial": 2, "edit": {"type": "remove", "item": "c6"}},
        {"type": "undo"},
        {"type": "live_start", "item": "c3", "weights": [0.5, 0.5], "u": 1.0},
        {"type": "live_step", "serial": 3, "dt": 0.02, "weights": [0.5, 0.5]},
    ]
    seeds = tuple(json.dumps(message).encode() for message in messages)
    return {
        "project": Target(DOCUMENT, (text,), lambda path: ProjectFolder(path.parent).load(), {}),
        "messages": Target("fuzzed.json", seeds, lambda path: follow(path, document), {}),
    }


def follow(path: Path, document: Document) -> None:
    """Follow a message as a tab does, as far as it changes a document."""
    from motionloom.project.plain_data import from_plain
    from motionloom.studio.limits import check_edit
    from motionloom.studio.messages import Do, FromPage
    from motionloom.studio.sockets import Unreadable, decode

    try:
        data = decode(path.read_bytes().decode("utf-8", "replace"))
    except Unreadable as refusal:
        raise ml.MotionloomError(str(refusal)) from None
    message = from_plain(FromPage, data)
    if isinstance(message, Do):
        check_edit(document, message.edit)
        message.edit.apply(document)
