"""Script that reads the animated skeleton of a USD stage, or replaces its motion; it runs in its own process.

``python -P worker.py read STAGE RESULT ANIMATION SAMPLES`` writes a NumPy archive for
:func:`motionloom.jobs.workers.read_exchange`. ``python -P worker.py write STAGE MOTION RESULT FOLDER``
writes a copy of the stage, to be put into a folder, whose skeleton moves as an archive says. Nothing of
Motionloom is imported here, and the USD library only where it is used, so that other tools can import this
file where it is not installed.
"""

import json
import os
import runpy
import sys
from typing import Any, NoReturn

import numpy as np

FOLDER = os.path.dirname(os.path.abspath(__file__))

# Other files are run by their paths, because this is a script.
COMPOSITION = runpy.run_path(os.path.join(FOLDER, "composition.py"))
limit_memory = runpy.run_path(os.path.join(FOLDER, "..", "..", "jobs", "worker_memory.py"))["limit_memory"]

REFUSAL = "refused: "
"""Prefix of the line that says what is wrong with the file."""

TOO_LARGE = "too large: "
"""Prefix of the line that gives the frames and joints of a motion that would take too much memory."""

MAX_FRAMES = 1e15
"""Frames that can be counted; whether they fit into memory is another question."""

SAMPLES_PER_PRIM = 20
"""Frames of a joint that take as much memory as a prim: 3 kB."""

MIN_PRIMS = 16_000
"""Prims that any stage may have, whatever its layers hold; composing them takes about two seconds."""

WIDTHS = {"rotations": 4, "translations": 3, "scales": 3}
"""Numbers of each value of a joint."""

MAX_UNEVEN = 1e-3
"""Fraction by which the steps between time samples may differ and still count as frames."""


def refuse(sentence: str) -> NoReturn:
    """End with a sentence about the file."""
    print(f"{REFUSAL}{sentence}", flush=True)
    sys.exit(1)


def check_size(n_frames: float, n_joints: int, max_samples: int) -> None:
    """End where frames times joints are more than may be read; whoever started the worker says so."""
    if n_frames * n_joints > max_samples:
        print(f"{TOO_LARGE}{n_frames:.0f} {n_joints}", flush=True)
        sys.exit(1)


def open_stage(path: str, max_prims: int = MIN_PRIMS) -> Any:
    """Open a stage that is composed of plain files in its own folder or below, and not of too many prims."""
    from pxr import Usd

    refuse_if(COMPOSITION["find_fault"](path, max_prims))
    stage = Usd.Stage.Open(path)
    refuse_if(COMPOSITION["find_foreign_layer"](stage, path))
    return stage


def refuse_if(fault: str | None) -> None:
    """End with a sentence about the file, if there is one."""
    if fault:
        refuse(fault)


def all_prims(stage: Any) -> list[Any]:
    """Return the prims of a stage, also inside of instances."""
    from pxr import Usd

    return list(Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()))


def choose_skeleton(stage: Any, wanted: str, notes: list[str], unread: list[str]) -> tuple[Any, Any]:
    """Return the first skeleton that has an animation, and that animation; None where there is none.

    ``unread`` gets the names of all animations where one of several is read without being asked for.
    """
    from pxr import UsdSkel

    prims = all_prims(stage)
    skeletons = [UsdSkel.Skeleton(prim) for prim in prims if prim.IsA(UsdSkel.Skeleton)]
    animations = [UsdSkel.Animation(prim) for prim in prims if prim.IsA(UsdSkel.Animation)]
    if not skeletons:
        refuse("holds no skeleton (no prim of the type Skeleton)")
    if not animations:
        if wanted:
            refuse(f"holds no animation {wanted!r}: it has none")
        notes.append("no animation moves the skeleton: its rest pose was read as one frame")
        return skeletons[0], None
    names = ", ".join(repr(animation.GetPrim().GetName()) for animation in animations)
    if len(animations) > 1 and not wanted:
        unread += [animation.GetPrim().GetName() for animation in animations]
    if wanted:
        for n, animation in enumerate(animations):
            if wanted in (animation.GetPrim().GetName(), str(n)):
                return find_skeleton_of(skeletons, animation), animation
        refuse(f"holds no animation {wanted!r}: it has {names}")
    for skeleton in skeletons:
        source = UsdSkel.BindingAPI(skeleton.GetPrim()).GetInheritedAnimationSource()
        if source and source.IsA(UsdSkel.Animation):
            return skeleton, UsdSkel.Animation(source)
    return find_skeleton_of(skeletons, animations[0]), animations[0]


def find_skeleton_of(skeletons: list[Any], animation: Any) -> Any:
    """Return the first skeleton that has all joints of an animation, else the first."""
    animated = set(animation.GetJointsAttr().Get() or ())
    whole = [skeleton for skeleton in skeletons if animated <= set(skeleton.GetJointsAttr().Get() or ())]
    return (whole or skeletons)[0]


def sample_times(animation: Any) -> list[float]:
    """Return the time codes at which joints have values; the default time where they have only one."""
    from pxr import Usd

    attributes = animation.GetRotationsAttr(), animation.GetTranslationsAttr()
    samples = {time for attribute in attributes for time in attribute.GetTimeSamples()}
    if not samples and attributes[0].HasAuthoredValue():
        return [Usd.TimeCode.Default().GetValue()]
    return sorted(samples)


def frame_times(
    stage: Any, samples: list[float], n_joints: int, max_samples: int, notes: list[str]
) -> tuple[Any, float]:
    """Return the time codes (T,) to read, and the seconds from one to the next."""
    check_size(len(samples), n_joints, max_samples)
    rate = stage.GetTimeCodesPerSecond()
    if not 1e-6 <= rate <= 1e6:
        refuse(f"states an impossible {rate:g} time codes per second")
    times = np.array(samples, dtype=np.float64)
    if len(times) < 2:
        return times, 1.0 / rate
    if not np.isfinite(times).all():
        refuse("has a time sample that is not a number")
    steps = np.diff(times)
    if np.ptp(steps) <= MAX_UNEVEN * steps.mean():
        return times, float(steps.mean() / rate)
    step = rate / (stage.GetFramesPerSecond() or rate)
    n_frames = (times[-1] - times[0]) / step + 1.0 + MAX_UNEVEN
    if not 1.0 <= n_frames < MAX_FRAMES:
        refuse(f"has time samples from {times[0]:g} to {times[-1]:g}: too many frames")
    check_size(n_frames, n_joints, max_samples)
    notes.append("the animation has keys at uneven times: it was sampled at the stage's frames per second")
    return times[0] + step * np.arange(int(n_frames)), step / rate


def joint_values(animation: Any, times: Any, n_moved: int) -> dict[str, Any]:
    """Return rotations (T, A, 4) w first, translations and scales (T, A, 3) of the animated joints."""
    from pxr import Usd

    read: dict[str, Any] = {}
    for name, attribute, fallback in (
        ("rotations", animation.GetRotationsAttr(), None),
        ("translations", animation.GetTranslationsAttr(), None),
        ("scales", animation.GetScalesAttr(), 1.0),
    ):
        width = WIDTHS[name]
        rows = np.empty((len(times), n_moved, width), dtype=np.float32)
        for row, time in zip(rows, times, strict=True):
            values = attribute.Get(Usd.TimeCode(time))
            if values is None and fallback is not None:
                row[:] = fallback
                continue
            found = np.empty((0, width)) if values is None else np.array(values, dtype=np.float32)
            if found.shape != row.shape:
                refuse(f"has {len(found)} {name} for {n_moved} animated joints at time code {time:g}")
            row[:] = found
        read[name] = rows
    # NumPy gets the imaginary part of a quaternion first.
    read["rotations"] = read["rotations"][..., [3, 0, 1, 2]]
    return read


def first_time(times: Any) -> Any:
    """Return the first of time codes; without any, one at which attributes with time samples have values."""
    from pxr import Usd

    known = len(times) > 0 and np.isfinite(times[0])
    return Usd.TimeCode(times[0]) if known else Usd.TimeCode.EarliestTime()


def placements(skeleton: Any, times: Any) -> Any:
    """Return the world transform (T, 4, 4) of the skeleton, or (1, 4, 4) where it is constant."""
    from pxr import Usd, UsdGeom

    prim, above = skeleton.GetPrim(), []
    while prim:
        above.append(UsdGeom.Xformable(prim))
        prim = prim.GetParent()
    moves = any(each and each.TransformMightBeTimeVarying() for each in above)
    cache = UsdGeom.XformCache()
    matrices = []
    several = moves and np.isfinite(times).all() and len(times) > 1
    for time in [Usd.TimeCode(time) for time in times] if several else [first_time(times)]:
        cache.SetTime(time)
        matrices.append(np.array(cache.GetLocalToWorldTransform(skeleton.GetPrim())))
    return np.array(matrices, dtype=np.float64).reshape(-1, 4, 4)


def read_stage(path: str, wanted: str, max_samples: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the arrays that describe the motion of a stage."""
    from pxr import Sdf, Usd, UsdGeom, UsdSkel

    stage = open_stage(path, max_samples // SAMPLES_PER_PRIM)
    notes: list[str] = []
    unread: list[str] = []
    skeleton, animation = choose_skeleton(stage, wanted, notes, unread)
    joints = [str(joint) for joint in skeleton.GetJointsAttr().Get() or ()]
    animated = [] if animation is None else [str(joint) for joint in animation.GetJointsAttr().Get() or ()]
    valid, invalid = UsdSkel.Topology([Sdf.Path(joint) for joint in joints]).Validate()
    if not joints or not valid:
        refuse(f"has a skeleton whose joints form no tree: {invalid or 'there are none'}")
    parents = list(UsdSkel.Topology(joints).GetParentIndices())
    samples = [Usd.TimeCode.Default().GetValue()] if animation is None else sample_times(animation)
    times, frame_time = frame_times(stage, samples, max(len(joints), len(animated)), max_samples, notes)
    indices = {joint: n for n, joint in enumerate(joints)}
    known = [n for n, joint in enumerate(animated) if joint in indices]
    values = {name: np.empty((len(times), 0, width)) for name, width in WIDTHS.items()}
    if animation is not None:
        values = joint_values(animation, times, len(animated))
    header = {
        "joints": joints,
        "names": [str(name) for name in skeleton.GetJointNamesAttr().Get() or ()],
        "parents": parents,
        "skeleton": skeleton.GetPrim().GetName(),
        "frame_time": frame_time,
        "metres_per_unit": (
            UsdGeom.GetStageMetersPerUnit(stage) if UsdGeom.StageHasAuthoredMetersPerUnit(stage) else None
        ),
        "up": str(UsdGeom.GetStageUpAxis(stage)).lower() if stage.HasAuthoredMetadata("upAxis") else None,
        "extras": animation and animation.GetPrim().GetCustomDataByKey("motionloom"),
        "skinned": any(prim.IsA(UsdGeom.Gprim) for prim in all_prims(stage)),
        "notes": notes,
        "animations": unread,
    }
    arrays = {
        **{name: rows[:, known] for name, rows in values.items()},
        "animated": np.array([indices[animated[n]] for n in known], dtype=np.int64),
        "rest": rest_transforms(skeleton, parents),
        "placements": placements(skeleton, times),
    }
    refuse_if(COMPOSITION["find_foreign_layer"](stage, path))  # value clips are opened when they are read
    return header, arrays


def rest_transforms(skeleton: Any, parents: list[int]) -> Any:
    """Return the local rest transforms (J, 4, 4), made from the bind pose where the file has no others."""
    rest, n_joints = skeleton.GetRestTransformsAttr().Get(), len(parents)
    if rest is not None and len(rest) == n_joints:
        return np.array(rest, dtype=np.float64)
    bind = skeleton.GetBindTransformsAttr().Get()
    if bind is None or len(bind) != n_joints:
        refuse("has neither rest nor bind transforms for the joints of its skeleton")
    world = np.array(bind, dtype=np.float64)
    return np.array(
        [m if up < 0 else m @ np.linalg.inv(world[up]) for m, up in zip(world, parents, strict=True)]
    )


def describe_error(error: Exception) -> str:
    """Return what the library says about a file, without the source lines that it names."""
    try:
        text = " ".join(str(error).split())
    except UnicodeDecodeError:  # it quotes bytes of the file
        return type(error).__name__
    return text.rpartition(" : ")[2].strip("'")[:300] or type(error).__name__


def write_stage(template: str, motion: str, folder: str) -> Any:
    """Return a layer: the stage of a template with another motion, for a file in a folder."""
    from pxr import Sdf, Usd, UsdGeom

    with np.load(motion, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    header = json.loads(arrays.pop("header").tobytes())
    source = open_stage(template)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    whole = len(source.GetUsedLayers()) <= len({source.GetRootLayer(), source.GetSessionLayer()})
    layer.TransferContent(source.GetRootLayer() if whole else source.Flatten(addSourceFileComment=False))
    relocate_assets(layer, os.path.dirname(template), folder)
    stage = Usd.Stage.Open(layer)
    skeleton, animation = choose_skeleton(stage, "", [], [])
    prims = [skeleton.GetPrim()]
    while prims[-1].GetParent():
        prims.append(prims[-1].GetParent())
    for prim in reversed(prims):
        if prim.IsInstance():
            prim.SetInstanceable(False)
    first = first_time([] if animation is None else sample_times(animation))
    freeze_transforms(prims, first)
    cache = UsdGeom.XformCache(first)
    world = np.array(cache.GetLocalToWorldTransform(skeleton.GetPrim()), dtype=np.float64)
    scales = first_scales(skeleton, animation, first)
    stage.SetTimeCodesPerSecond(header["fps"])
    stage.SetFramesPerSecond(header["fps"])
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(float(max(len(arrays["rotations"]) - 1, 0)))
    set_motion(stage, skeleton, animation, to_joint_frames(skeleton, world, scales, arrays), header["extras"])
    return layer


def relocate_assets(layer: Any, old: str, new: str) -> None:
    """Let relative paths of pictures and other files lead from another folder to where they lead now."""
    from pxr import UsdUtils

    def relocate(path: str) -> str:
        target = os.path.normpath(os.path.join(old, path))
        if not path or not os.path.isfile(target):
            return path
        try:
            return "./" + os.path.relpath(target, new).replace(os.sep, "/")
        except ValueError:  # another drive
            return target

    UsdUtils.ModifyAssetPaths(layer, relocate)


def freeze_transforms(prims: list[Any], time: Any) -> None:
    """Give prims the transform that they have at a time, for good: its motion is part of the joints'."""
    from pxr import UsdGeom

    for item in filter(None, map(UsdGeom.Xformable, prims)):
        for operation in item.GetOrderedXformOps():
            attribute = operation.GetAttr()
            if attribute.GetNumTimeSamples() > 0:
                value = attribute.Get(time)
                attribute.Clear()
                attribute.Set(value)


def first_scales(skeleton: Any, animation: Any, time: Any) -> Any:
    """Return the scales (J, 3) of the joints: those of the animation at a time, else those at rest."""
    joints = [str(joint) for joint in skeleton.GetJointsAttr().Get()]
    parents = [joints.index(joint.rpartition("/")[0]) if "/" in joint else -1 for joint in joints]
    rest = rest_transforms(skeleton, parents)
    scales = np.linalg.norm(rest[:, :3, :3], axis=-1)
    given = None if animation is None else animation.GetScalesAttr().Get(time)
    animated = [] if animation is None else [str(joint) for joint in animation.GetJointsAttr().Get() or ()]
    if given is not None and len(given) == len(animated):
        for joint, scale in zip(animated, np.array(given, dtype=np.float64), strict=True):
            if joint in joints:
                scales[joints.index(joint)] = scale
    return scales


def to_joint_frames(skeleton: Any, world: Any, scales: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    """Return values of joints in the skeleton's own space: rotations, translations (T, J, …), scales (J, 3).

    The arrays are in the space of the stage: in the frame of the parent, and in the world. They begin with
    one joint more where a root was put above several ones when the stage was read.
    """
    from pxr import UsdSkel

    parents = list(UsdSkel.Topology(skeleton.GetJointsAttr().Get()).GetParentIndices())
    n_joints = len(parents)
    rotations, translations = (arrays[name][:, -n_joints:].copy() for name in ("rotations", "translations"))
    size = np.linalg.norm(world[:3, :3], axis=-1)
    above = np.full((len(parents), 3), size.mean())
    back = quaternion_of((world[:3, :3] / size[:, None]).T) * [1.0, -1.0, -1.0, -1.0]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            above[joint] = above[parent] * scales[parent]
            translations[:, joint] /= above[joint]
            continue
        inverse = np.linalg.inv(world)
        rotations[:, joint] = product(back, arrays["world_rotations"][:, joint - n_joints])
        translations[:, joint] = arrays["world_translations"][:, joint - n_joints] @ inverse[:3, :3]
        translations[:, joint] += inverse[3, :3]
    return {"rotations": rotations, "translations": translations, "scales": scales}


def quaternion_of(matrix: Any) -> Any:
    """Return the quaternion (4,), w first, of a rotation matrix (3, 3) for column vectors."""
    from pxr import Gf

    found = Gf.Matrix3d(*matrix.T.ravel().tolist()).ExtractRotation().GetQuat()
    return np.array([found.GetReal(), *found.GetImaginary()])


def product(a: Any, b: Any) -> Any:
    """Return the products (T, 4) of a quaternion (4,) and quaternions (T, 4)."""
    real = a[0] * b[:, :1] - b[:, 1:] @ a[1:, None]
    return np.concatenate([real, a[0] * b[:, 1:] + b[:, :1] * a[1:] + np.cross(a[1:], b[:, 1:])], axis=-1)


def set_motion(stage: Any, skeleton: Any, animation: Any, values: dict[str, Any], extras: str) -> None:
    """Replace the animation of a skeleton, or give it one; time codes are frames."""
    from pxr import Usd, UsdSkel, Vt

    if animation is None:
        path = skeleton.GetPath().AppendChild("Animation")
        animation = UsdSkel.Animation.Define(stage, path)
    for attribute in animation.GetPrim().GetAttributes():
        attribute.Clear()
    binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    animation.CreateJointsAttr(skeleton.GetJointsAttr().Get())
    animation.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(values["scales"].astype(np.float16)))
    rotations, translations = animation.CreateRotationsAttr(), animation.CreateTranslationsAttr()
    imaginary_first = values["rotations"][..., [1, 2, 3, 0]].astype(np.float32)
    for frame, row in enumerate(values["translations"].astype(np.float32)):
        rotations.Set(Vt.QuatfArray.FromNumpy(imaginary_first[frame]), Usd.TimeCode(frame))
        translations.Set(Vt.Vec3fArray.FromNumpy(row), Usd.TimeCode(frame))
    animation.GetPrim().SetCustomDataByKey("motionloom", extras)


def read(stage: str, result: str, wanted: str, max_samples: str) -> None:
    """Read a stage of at most so many frames times joints and write the result."""
    header, arrays = read_stage(stage, wanted, int(max_samples))
    header_bytes = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(result, header=header_bytes, **arrays)


def write(template: str, motion: str, result: str, folder: str) -> None:
    """Write a copy of a stage with another motion."""
    if not write_stage(template, motion, folder).Export(result):
        refuse("could not be written by the USD library")


def main(command: str, *words: str) -> None:
    """Read or write; what the USD library says about a damaged file becomes a sentence."""
    from pxr import Tf

    limit_memory()
    try:
        (read if command == "read" else write)(*words)
    except (Tf.ErrorException, MemoryError, UnicodeDecodeError, np.linalg.LinAlgError) as error:
        refuse(f"is not a USD stage, or is damaged: {describe_error(error)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
    # Threads of the USD library that let go of a Python object while Python ends abort the process, now and
    # then, although the result is complete: it ends without tidying up.
    sys.stdout.flush()
    os._exit(0)
