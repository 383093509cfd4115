"""Up axis: dialect files and captures, written along every axis with every rest pose, in all formats.

Run with `make bench`. Each clip gets rest poses that lie, sit, stand in T and stand in A, with unchanged
motion, and is written with X, Y and Z up. Formats that state their axis state it (USD knows Y and Z, glTF
only Y, AMASS Z); the rows "against the format" hold motion along another axis than that. Blender writes FBX
with Y up and says so; "against the format" is a body that does not stand upright in Blender either. USD and
FBX take a process per file, so only some clips are written to them, and FBX where Blender is found. Markers
(C3D, TRC) and body models (AMASS) have no rest pose of their own and are written once. Columns: files; read
with the right axis, and of those with a note that it is uncertain; read with a wrong axis, with a note and
without.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import MotionloomError
from motionloom.files import load_clip, load_points, save
from motionloom.files.body_models import smpl_skeleton
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.normalize import TO_Y_UP, from_y_up
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Source, Tip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.provenance import UpAxis
from motionloom.workflows.retarget import retarget

REST_POSES = ("as it is", "lying", "sitting", "T", "A")
AXES: tuple[UpAxis, ...] = ("x", "y", "z")
USD_EVERY, FBX_EVERY = 6, 9
MAX_FRAMES = 240
"""Frames of a clip that are used: permuted copies are written five times three times four."""

CLIP_STEP = 1
SMALL = {"REST_POSES": ("as it is", "T"), "MAX_FRAMES": 30, "CLIP_STEP": 30}


def main() -> None:
    """Print the table by format and by rest pose."""
    need_corpus()
    by_format: defaultdict[str, Counter[str]] = defaultdict(Counter)
    by_rest: defaultdict[str, Counter[str]] = defaultdict(Counter)
    silent: list[str] = []
    skipped: set[str] = set()
    blender = has_blender()
    with tempfile.TemporaryDirectory() as folder:
        for n, (name, clip) in enumerate(islice(clips(), 0, None, CLIP_STEP)):
            for rest in REST_POSES:
                slow = {
                    "USD": n % USD_EVERY == 0,
                    "FBX": blender and n % FBX_EVERY == 0,
                    "points": rest == "as it is",
                    "AMASS": rest == "as it is",
                }
                posed = clip if rest == "as it is" else with_rest_pose(clip, rest)
                for format, up, write in ways_to_write(posed, Path(folder), slow):
                    try:
                        again = read(write())
                    except MotionloomError as error:
                        skipped.add(f"{format}: {str(error)[:90]}")
                        continue
                    outcome = judge(again, up)
                    by_format[format][outcome] += 1
                    by_rest[rest][outcome] += 1
                    if outcome == "wrong, silent":
                        silent.append(
                            f"{name}, rest pose {rest}, {format}, {up} up: read as {again.source.up}"
                        )
    for title, table in (("format", by_format), ("rest pose", by_rest)):
        print(f"{title:<26}{'files':>7}{'right':>8}{'noted':>7}{'wrong, noted':>14}{'wrong, silent':>15}")
        for row, counts in [*table.items(), ("all", sum(table.values(), Counter[str]()))]:
            right = counts["right"] + counts["right, noted"]
            shown = f"{right / counts.total():>8.1%}{counts['right, noted']:>7}{counts['wrong, noted']:>14}"
            print(f"{row:<26}{counts.total():>7}{shown}{counts['wrong, silent']:>15}")
        print()
    print("\n".join([*silent, *(f"left out: {words}" for words in sorted(skipped))]))


def clips() -> Iterator[tuple[str, Clip]]:
    """Yield bodies of the dialect files, of game-ready files, and of described captures, Y up."""
    dialects = sorted((MOCAP / "dialects/bvh").glob("*.bvh"))
    captures = sorted(path for part in ("actions", "locomotion") for path in (MOCAP / part).rglob("*.bvh"))[
        ::9
    ]
    for path in [*dialects, *captures]:
        clip = load_clip(path)
        if find_anatomy(clip.skeleton).legs:
            # Held out from the settings: frames from the start only, as files are cut.
            yield path.stem, bare(clip[:MAX_FRAMES])
    for name, animation in (("Fox", "Walk"), ("RiggedFigure", None)):
        yield name, bare(load_clip(MOCAP / f"dialects/fbx_gltf/{name}.glb", animation=animation))
    for animation in ("Walking_A", "Running_A", "Jump_Full_Long"):
        yield (
            animation,
            bare(load_clip(MOCAP / "game/kaykit_MovementBasic.glb", animation=f"Rig_Medium|{animation}")),
        )


def bare(clip: Clip) -> Clip:
    """Return a clip without anything that its file said."""
    return replace(clip, source=Source(), constraints=(), events=())


def has_blender() -> bool:
    """Return whether FBX files can be written."""
    try:
        blender_command(WORKER)
    except MotionloomError:
        print("Blender is not installed: no FBX files")
        return False
    return True


def read(path: Path) -> Clip | PointClip:
    """Load a file; the unit of Acclaim files is stated, because it is not looked for here."""
    if path.suffix in (".trc", ".c3d"):
        return load_points(path)
    clip = load_clip(path, unit="m" if path.suffix == ".amc" else None)
    if (
        path.suffix == ".npz"
    ):  # AMASS files are written with Z up again, so their source does not tell the axis
        known = ((axis, load_clip(path, up=axis).rotations) for axis in AXES)
        found = next(axis for axis, rotations in known if np.array_equal(rotations, clip.rotations))
        clip = replace(clip, source=replace(clip.source, up=found))
    return clip


def ways_to_write(
    clip: Clip, folder: Path, also: dict[str, bool]
) -> Iterator[tuple[str, UpAxis, Callable[[], Path]]]:
    """Yield format, up axis and a function that writes the clip and returns the path.

    ``also`` tells which of the other formats are written.
    """
    points = PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions())

    def writer(suffix: str, motion: Clip | PointClip, **options: Any) -> Callable[[], Path]:
        def write() -> Path:
            path = folder / f"clip{suffix}"
            path.with_suffix(".asf").unlink(missing_ok=True)
            save(motion, path, overwrite=True, **options)
            if suffix == ".bvh":  # without the mark of our own files: other programs write none
                path.write_bytes(re.sub(rb"(\.\d{12})0+\b", rb"\1", path.read_bytes()))
            return path

        return write

    def model_writer(up: UpAxis) -> Callable[[], Path]:
        return lambda: writer(".npz", lay_down(model(), up), layout="amass")()

    @cache
    def model() -> Clip:
        return retarget(clip, smpl_skeleton(), plant=False).clip

    for up in AXES:
        yield "BVH", up, writer(".bvh", clip, up=up)
        yield "Acclaim", up, writer(".amc", clip, up=up, unit="m")
        if up != "x" and also["USD"]:
            yield "USD", up, writer(".usda", clip, up=up)
        if also["points"]:
            yield "TRC", up, writer(".trc", points, up=up)
            yield "C3D", up, writer(".c3d", points, up=up)
        if also["AMASS"]:
            against = "" if up == "z" else ", against the format"
            yield f"AMASS{against}", up, model_writer(up)
        against = "" if up == "y" else ", against the format"
        yield f"GLB{against}", up, writer(".glb", from_y_up(clip, up))
        if also["FBX"]:
            yield f"FBX{against}", up, writer(".fbx", from_y_up(clip, up))


def lay_down(clip: Clip, up: UpAxis) -> Clip:
    """Return the motion of a body model as it must be to have a vertical axis in a file that prescribes Z."""
    matrix = TO_Y_UP["z"] @ TO_Y_UP[up].T
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.from_matrix(matrix), rotations[:, 0])
    return replace(clip, rotations=freeze(rotations), root_positions=freeze(clip.root_positions @ matrix.T))


def judge(clip: Clip | PointClip, up: UpAxis) -> str:
    """Return whether a clip was read with the right axis, and whether a note says that it is uncertain."""
    noted = [note for note in clip.source.notes if getattr(note, "kind", "") == "up"]
    if clip.source.up == up:
        uncertain = any("uncertain" in note or "upside" in note or "no body" in note for note in noted)
        return "right, noted" if uncertain else "right"
    return "wrong, noted" if noted else "wrong, silent"


def with_rest_pose(clip: Clip, pose: str) -> Clip:
    """Return the same motion of a skeleton that is drawn in another rest pose, without rest rotations."""
    skeleton = clip.skeleton
    turns = np.asarray(_turns(clip, pose))
    rest = rot.multiply(turns, skeleton.rest_world_rotations())
    offsets = np.array(skeleton.offsets)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            offsets[joint] = rot.rotate(rest[parent], offsets[joint])
    world = rot.multiply(clip.world_rotations(), rot.inverse(rest))
    local = np.array(world)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            local[:, joint] = rot.multiply(rot.inverse(world[:, parent]), world[:, joint])
    translations = None
    if clip.translations is not None:
        translations = np.array(clip.translations)
        for joint, parent in enumerate(skeleton.parents.tolist()):
            if parent >= 0:
                translations[:, joint] = rot.rotate(rest[parent], translations[:, joint])
    drawn = replace(
        skeleton,
        offsets=freeze(offsets),
        rest_rotations=freeze(np.tile(rot.IDENTITY, (skeleton.n_joints, 1))),
        tips=tuple(Tip(tip.joint, rot.rotate(rest[tip.joint], tip.offset)) for tip in skeleton.tips),
    )
    return replace(clip, skeleton=drawn, rotations=freeze(rot.normalize(local)), translations=translations)


def _turns(clip: Clip, pose: str) -> FloatArray:
    """Return rotations (J, 4) in the world that bring the rest pose into another one."""
    skeleton, anatomy = clip.skeleton, find_anatomy(clip.skeleton)
    turns = np.tile(rot.IDENTITY, (skeleton.n_joints, 1))
    if pose == "lying":
        turns[:] = rot.from_euler([-np.pi / 2], "X")
    elif pose == "sitting":
        for leg in anatomy.legs:
            turns[leg.hip] = rot.between(-anatomy.up, anatomy.forward)
    else:
        positions, down = skeleton.rest_positions(), 0.0 if pose == "T" else 1.0
        for arm in anatomy.arms:
            side = anatomy.left if arm.side == "left" else -anatomy.left
            turn = rot.between(positions[arm.wrist] - positions[arm.shoulder], side - down * anatomy.up)
            for joint in range(skeleton.n_joints):
                above = joint
                while above >= 0 and above != arm.shoulder:
                    above = int(skeleton.parents[above])
                if above == arm.shoulder:
                    turns[joint] = turn
    return turns


if __name__ == "__main__":
    main()
