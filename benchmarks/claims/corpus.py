"""The captured clips that claims are tried on, loaded once."""

from __future__ import annotations

import warnings
from functools import cache
from itertools import combinations
from typing import Any

from benchmarks.corpus import MOCAP
from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register

WAYS = ("straight", "left", "right")
GAITS = {"s16": ("walk", "jog", "run"), "s139_sneak": ("walk", "run", "sneak")}


@cache
def annotated(pattern: str, fps: float = 30.0) -> tuple[Clip, ...]:
    """The captured clips that match, at one rate, with plants and events."""
    return tuple(annotate(load_clip(file).resampled(fps)) for file in sorted(MOCAP.glob(pattern)))


@cache
def nine_clips(name: str, fps: float = 30.0) -> tuple[Clip, ...]:
    """Three gaits of one subject, each straight, to the left and to the right."""
    return tuple(
        annotated(f"locomotion/{name}/{gait}_{way}_*.bvh", fps)[0] for gait in GAITS[name] for way in WAYS
    )


@cache
def strides_of_pairs() -> tuple[tuple[Clip, Clip], ...]:
    """Pairs of gaits of one subject in the same direction, cut to the same strides."""
    return tuple(pair for pairs in pairs_by_gaits("s16").values() for pair in pairs)


@cache
def pairs_by_gaits(name: str) -> dict[str, tuple[tuple[Clip, Clip], ...]]:
    """Pairs of two gaits of a subject in the same direction, cut to the same strides, by the gaits."""
    clips, found = nine_clips(name), {}
    for a, b in combinations(range(3), 2):
        cut = [match_strides((clips[3 * a + way], clips[3 * b + way])) for way in range(3)]
        found[f"{GAITS[name][a]} and {GAITS[name][b]}"] = tuple((one.clip, two.clip) for one, two in cut)
    return found


@cache
def nine(name: str) -> RegistrationCurve:
    """The nine clips of a subject, cut to the same strides and registered."""
    return quietly([own.clip for own in match_strides(nine_clips(name))])


@cache
def nine_loops(name: str) -> RegistrationCurve:
    """One cycle of each of the nine clips of a subject, registered."""
    return quietly([cyclify(clip, cycles=1).clip for clip in nine_clips(name)])


def quietly(clips: list[Clip] | tuple[Clip, ...], **changes: Any) -> RegistrationCurve:
    """Register without a word about clips that differ much."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return register(clips, **changes)
