"""`join_curves`: two registration curves that share a clip, made into one."""

from __future__ import annotations

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration.correspondence import fit_curve
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.register import build_curve, make_clouds
from motionloom.registration.verdict import TimeStats


def join_curves(first: RegistrationCurve, second: RegistrationCurve) -> RegistrationCurve:
    """Return the curve over the clips of ``first`` and then those of ``second`` except the shared one.

    Frames correspond when they correspond to one frame of the shared clip. Settings are those of ``first``.
    """
    if first.timewarp.periods is not None or second.timewarp.periods is not None:
        raise ParameterError(
            "curves of cyclic clips cannot be joined: register all their clips together instead"
        )
    here, there = _find_shared_clip(first, second)
    others = [k for k in range(second.n_clips) if k != there]
    low = max(first.spans[0, here], second.spans[0, there])
    high = min(first.spans[1, here], second.spans[1, there])
    if high - low < 1.0:
        raise ParameterError("the curves cover different parts of the clip they share: nothing joins them")
    start, end = first.timewarp.inverse(here, [low, high])
    u = np.linspace(start, end, max(2, round(end - start) + 1))
    frames = first.timewarp(u)
    through = second.timewarp(second.timewarp.inverse(there, np.clip(frames[:, here], low, high)))
    clips = first.clips + tuple(second.clips[k] for k in others)
    samples = np.concatenate([frames, through[:, others]], axis=1)
    settings = first.settings
    return build_curve(
        clips,
        make_clouds(clips, settings),
        samples,
        fit_curve(samples, settings, clips[0].fps),
        here,
        settings,
        stats=TimeStats(
            saturation=max(first.report.saturation, second.report.saturation),
            cycle_error=None,
            notes=(f"clips from {first.n_clips} on were registered to clip {here}, not to the others",),
        ),
        stacklevel=3,
    )


def _find_shared_clip(first: RegistrationCurve, second: RegistrationCurve) -> tuple[int, int]:
    """Return the number, in each curve, of the clip that both have."""
    pairs = [(i, j) for i, a in enumerate(first.clips) for j, b in enumerate(second.clips) if _same(a, b)]
    if len(pairs) != 1:
        raise ParameterError(f"curves are joined through the one clip they share: these share {len(pairs)}")
    return pairs[0]


def _same(a: Clip, b: Clip) -> bool:
    return a is b or (
        a.skeleton == b.skeleton
        and np.array_equal(a.rotations, b.rotations)
        and np.array_equal(a.root_positions, b.root_positions)
    )
