"""Curves that the tests of blending share."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.errors import RegistrationWarning
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import jog, walk
from tests.registration.nine_clips import nine_files


@cache
def two_walks() -> RegistrationCurve:
    """A slow walk to the left and a fast one to the right, annotated."""
    left = walk(speed=1.0, curvature=0.2, duration=3.0, fps=30).clip
    right = walk(speed=1.6, curvature=-0.2, duration=3.0, fps=30).clip
    return register(match_strides([annotate(left), annotate(right)]))


@cache
def two_loops() -> RegistrationCurve:
    """One cycle of a walk to the left and of a jog to the right."""
    left = walk(speed=1.2, curvature=0.3, duration=4.0, fps=60).clip
    right = jog(speed=2.4, curvature=-0.2, duration=4.0, fps=60).clip
    return register([cyclify(annotate(clip), cycles=1) for clip in (left, right)])


@cache
def nine_strides(mocap: Path, name: str) -> RegistrationCurve:
    """Nine captured clips of one subject, cut to the same strides, at 30 frames per second."""
    clips = [annotate(load_clip(file).resampled(30)) for file in nine_files(mocap, name)]
    return _registered([own.clip for own in match_strides(clips)])


@cache
def nine_loops(mocap: Path, name: str) -> RegistrationCurve:
    """One cycle of each of nine captured clips of one subject, at 30 frames per second."""
    clips = [annotate(load_clip(file).resampled(30)) for file in nine_files(mocap, name)]
    return _registered([cyclify(clip, cycles=1).clip for clip in clips])


def _registered(clips: Sequence[Clip]) -> RegistrationCurve:
    """Walks, runs and sneaking steps differ so much that registering them warns; blending copes with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(clips)


def reordered(curve: RegistrationCurve, order: Sequence[int]) -> RegistrationCurve:
    """The same curve with its clips in another order."""
    order = list(order)
    periods, travels = curve.timewarp.periods, curve.alignment.travels
    reference = order.index(curve.reference)
    return replace(
        curve,
        clips=tuple(curve.clips[k] for k in order),
        timewarp=replace(
            curve.timewarp,
            control_points=curve.timewarp.control_points[:, order],
            periods=None if periods is None else periods[order],
        ),
        alignment=replace(
            curve.alignment,
            control_points=curve.alignment.control_points[:, order],
            travels=None if travels is None else tuple(travels[k] for k in order),
            reference=reference,
        ),
        matches=tuple(
            replace(
                match,
                spans=match.spans[order],
                sources=tuple(match.sources[k] for k in order),
                split=tuple(match.split[k] for k in order),
            )
            for match in curve.matches
        ),
        reference=reference,
        samples=None,
    )


def apart(a: Clip, b: Clip) -> float:
    """The largest distance between joints of two clips, metres."""
    return float(np.linalg.norm(a.world_positions() - b.world_positions(), axis=-1).max())
