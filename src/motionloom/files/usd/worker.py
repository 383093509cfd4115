"""A script that reads the animated skeleton of a USD stage; it runs in a process of its own.

``python -P worker.py STAGE RESULT [ANIMATION]``; RESULT is a NumPy archive for
:func:`motionloom.files.workers.read_exchange`. Nothing of Motionloom is imported here, and the USD library
only where it is used, so that other tools can look into this file where it is not installed.
"""

import json
import sys
from typing import Any, NoReturn

import numpy as np

REFUSAL = "refused: "
"""How the line begins that says what is wrong with the file."""

MOST_VALUES = 50_000_000
"""Frames times joints of the largest motion that is read."""

MOST_MEMORY = 8 << 30
"""Bytes of address space; a damaged file may ask for any amount."""

EVEN = 1e-3
"""How much of a step the steps between time samples may differ by and still count as frames."""


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
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def chosen_skeleton(stage: Any, wanted: str, notes: list[str]) -> tuple[Any, Any]:
    """The first skeleton that has an animation, and that animation."""
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
        way_out = "animation= or --animation chooses one of them"
        notes.append(f"the file holds {len(animations)} animations ({names}); {way_out}")
    if wanted:
        for n, animation in enumerate(animations):
            if wanted in (animation.GetPrim().GetName(), str(n)):
                return fitting_skeleton(skeletons, animation), animation
        refuse(f"holds no animation {wanted!r}: it has {names}")
    for skeleton in skeletons:
        source = UsdSkel.BindingAPI(skeleton.GetPrim()).GetInheritedAnimationSource()
        if source and source.IsA(UsdSkel.Animation):
            return skeleton, UsdSkel.Animation(source)
    return fitting_skeleton(skeletons, animations[0]), animations[0]


def fitting_skeleton(skeletons: list[Any], animation: Any) -> Any:
    """The first skeleton that has all joints of an animation, else the first."""
    moved = set(animation.GetJointsAttr().Get() or ())
    whole = [skeleton for skeleton in skeletons if moved <= set(skeleton.GetJointsAttr().Get() or ())]
    return (whole or skeletons)[0]


def sample_times(animation: Any) -> list[float]:
    """The time codes at which joints have values; the default time where they have only one."""
    from pxr import Usd

    attributes = animation.GetRotationsAttr(), animation.GetTranslationsAttr()
    samples = {time for attribute in attributes for time in attribute.GetTimeSamples()}
    if not samples and attributes[0].HasAuthoredValue():
        return [Usd.TimeCode.Default().GetValue()]
    return sorted(samples)


def frame_times(stage: Any, samples: list[float], notes: list[str]) -> tuple[Any, float]:
    """The time codes (T,) to read, and the seconds from one to the next."""
    rate = stage.GetTimeCodesPerSecond()
    if not 1e-6 <= rate <= 1e6:
        refuse(f"states {rate:g} time codes per second, which cannot be")
    times = np.array(samples, dtype=np.float64)
    if len(times) < 2:
        return times, 1.0 / rate
    if not np.isfinite(times).all():
        refuse("has a time sample that is no number")
    steps = np.diff(times)
    if np.ptp(steps) <= EVEN * steps.mean():
        return times, float(steps.mean() / rate)
    step = rate / (stage.GetFramesPerSecond() or rate)
    n_frames = (times[-1] - times[0]) / step + 1.0 + EVEN
    if not 1.0 <= n_frames <= MOST_VALUES:
        refuse(f"has time samples from {times[0]:g} to {times[-1]:g}, which are too many frames")
    notes.append("the animation is keyed at uneven times: it was sampled at the stage's frames per second")
    return times[0] + step * np.arange(int(n_frames)), step / rate


def joint_values(animation: Any, times: Any, n_moved: int) -> dict[str, Any]:
    """Rotations (T, A, 4) w first, translations and scales (T, A, 3) of the animated joints."""
    from pxr import Usd

    if len(times) * max(n_moved, 1) > MOST_VALUES:
        refuse(f"has {len(times)} frames of {n_moved} joints, which is too large a motion")
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
    """The transform (T, 4, 4) from the skeleton's space to the world, or (1, 4, 4) where it stays."""
    from pxr import Usd, UsdGeom

    prim, above = skeleton.GetPrim(), []
    while prim:
        above.append(UsdGeom.Xformable(prim))
        prim = prim.GetParent()
    moves = any(each and each.TransformMightBeTimeVarying() for each in above)
    cache = UsdGeom.XformCache()
    made = []
    for time in times if moves else [Usd.TimeCode.Default().GetValue()]:
        cache.SetTime(Usd.TimeCode(time))
        made.append(np.array(cache.GetLocalToWorldTransform(skeleton.GetPrim())))
    return np.array(made, dtype=np.float64).reshape(-1, 4, 4)


def read_stage(path: str, wanted: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays that describe the motion of a stage."""
    from pxr import Sdf, Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.Open(path)
    notes: list[str] = []
    skeleton, animation = chosen_skeleton(stage, wanted, notes)
    joints = [str(joint) for joint in skeleton.GetJointsAttr().Get() or ()]
    moved = [str(joint) for joint in animation.GetJointsAttr().Get() or ()]
    valid, reason = UsdSkel.Topology([Sdf.Path(joint) for joint in joints]).Validate()
    if not joints or not valid:
        refuse(f"has a skeleton whose joints make no tree: {reason or 'there are none'}")
    parents = list(UsdSkel.Topology(joints).GetParentIndices())
    times, frame_time = frame_times(stage, sample_times(animation), notes)
    indices = {joint: n for n, joint in enumerate(joints)}
    known = [n for n, joint in enumerate(moved) if joint in indices]
    values = joint_values(animation, times, len(moved))
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
        "animated": np.array([indices[moved[n]] for n in known], dtype=np.int64),
        "rest": rest_transforms(skeleton, parents),
        "placements": placements(skeleton, times),
    }
    return header, arrays


def rest_transforms(skeleton: Any, parents: list[int]) -> Any:
    """The local rest transforms (J, 4, 4), from those in the bind pose where the file has no others."""
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


def reason(error: Exception) -> str:
    """What the library says about a file, without the places in its own code that it names."""
    try:
        told = " ".join(str(error).split())
    except UnicodeDecodeError:  # it quotes bytes of the file
        return type(error).__name__
    return told.rpartition(" : ")[2].strip("'")[:300] or type(error).__name__


def main(stage: str, result: str, wanted: str = "") -> None:
    """Read a stage and write the result."""
    from pxr import Tf

    limit_memory()
    try:
        header, arrays = read_stage(stage, wanted)
    except (Tf.ErrorException, MemoryError, UnicodeDecodeError, np.linalg.LinAlgError) as error:
        refuse(f"is no USD stage, or it is damaged: {reason(error)}")
    header_bytes = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(result, header=header_bytes, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
