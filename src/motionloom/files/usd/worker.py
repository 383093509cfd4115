"""Script that reads the animated skeleton of a USD stage; it runs in a process of its own.

``python -P worker.py STAGE RESULT [ANIMATION]``; RESULT is a NumPy archive for
:func:`motionloom.files.workers.read_exchange`. Nothing of Motionloom is imported here, and the USD library
only where it is used, so that other tools can import this file where it is not installed.
"""

import json
import sys
from typing import Any, NoReturn

import numpy as np

REFUSAL = "refused: "
"""Prefix of the line that says what is wrong with the file."""

MAX_VALUES = 50_000_000
"""Frames times joints of the largest motion that is read."""

MAX_MEMORY = 8 << 30
"""Bytes of address space; a damaged file may ask for any amount."""

MAX_UNEVEN = 1e-3
"""Fraction by which the steps between time samples may differ and still count as frames."""


def refuse(sentence: str) -> NoReturn:
    """End with a sentence about the file."""
    print(f"{REFUSAL}{sentence}", flush=True)
    sys.exit(1)


def limit_memory() -> None:
    """Make allocations beyond any sensible size fail, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def choose_skeleton(stage: Any, wanted: str, notes: list[str]) -> tuple[Any, Any]:
    """Return the first skeleton that has an animation, and that animation."""
    from pxr import Usd, UsdSkel

    prims = list(Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()))
    skeletons = [UsdSkel.Skeleton(prim) for prim in prims if prim.IsA(UsdSkel.Skeleton)]
    animations = [UsdSkel.Animation(prim) for prim in prims if prim.IsA(UsdSkel.Animation)]
    if not skeletons:
        refuse("holds no skeleton (no prim of the type Skeleton)")
    if not animations:
        refuse("holds no skeleton animation (no prim of the type SkelAnimation)")
    names = ", ".join(repr(animation.GetPrim().GetName()) for animation in animations)
    if len(animations) > 1 and not wanted:
        hint = "one was read (animation= or --animation selects another)"
        notes.append(f"the file holds {len(animations)} animations ({names}): {hint}")
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


def frame_times(stage: Any, samples: list[float], notes: list[str]) -> tuple[Any, float]:
    """Return the time codes (T,) to read, and the seconds from one to the next."""
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
    if not 1.0 <= n_frames <= MAX_VALUES:
        refuse(f"has time samples from {times[0]:g} to {times[-1]:g}: too many frames")
    notes.append("the animation has keys at uneven times: it was sampled at the stage's frames per second")
    return times[0] + step * np.arange(int(n_frames)), step / rate


def joint_values(animation: Any, times: Any, n_moved: int) -> dict[str, Any]:
    """Return rotations (T, A, 4) w first, translations and scales (T, A, 3) of the animated joints."""
    from pxr import Usd

    if len(times) * max(n_moved, 1) > MAX_VALUES:
        refuse(f"has too large a motion: {len(times)} frames of {n_moved} joints")
    read: dict[str, Any] = {}
    for name, attribute, width, fallback in (
        ("rotations", animation.GetRotationsAttr(), 4, None),
        ("translations", animation.GetTranslationsAttr(), 3, None),
        ("scales", animation.GetScalesAttr(), 3, 1.0),
    ):
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
    for time in times if moves else [Usd.TimeCode.Default().GetValue()]:
        cache.SetTime(Usd.TimeCode(time))
        matrices.append(np.array(cache.GetLocalToWorldTransform(skeleton.GetPrim())))
    return np.array(matrices, dtype=np.float64).reshape(-1, 4, 4)


def read_stage(path: str, wanted: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the arrays that describe the motion of a stage."""
    from pxr import Sdf, Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.Open(path)
    notes: list[str] = []
    skeleton, animation = choose_skeleton(stage, wanted, notes)
    joints = [str(joint) for joint in skeleton.GetJointsAttr().Get() or ()]
    animated = [str(joint) for joint in animation.GetJointsAttr().Get() or ()]
    valid, invalid = UsdSkel.Topology([Sdf.Path(joint) for joint in joints]).Validate()
    if not joints or not valid:
        refuse(f"has a skeleton whose joints form no tree: {invalid or 'there are none'}")
    parents = list(UsdSkel.Topology(joints).GetParentIndices())
    times, frame_time = frame_times(stage, sample_times(animation), notes)
    indices = {joint: n for n, joint in enumerate(joints)}
    known = [n for n, joint in enumerate(animated) if joint in indices]
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
        "extras": animation.GetPrim().GetCustomDataByKey("motionloom"),
        "notes": notes,
    }
    arrays = {
        **{name: rows[:, known] for name, rows in values.items()},
        "animated": np.array([indices[animated[n]] for n in known], dtype=np.int64),
        "rest": rest_transforms(skeleton, parents),
        "placements": placements(skeleton, times),
    }
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


def main(stage: str, result: str, wanted: str = "") -> None:
    """Read a stage and write the result."""
    from pxr import Tf

    limit_memory()
    try:
        header, arrays = read_stage(stage, wanted)
    except (Tf.ErrorException, MemoryError, UnicodeDecodeError, np.linalg.LinAlgError) as error:
        refuse(f"is not a USD stage, or is damaged: {describe_error(error)}")
    header_bytes = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(result, header=header_bytes, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
