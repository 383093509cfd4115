"""Ways to predict a clip from others: the nearest of them, and blends with the best of the weights tried."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from benchmarks.quality.cases import HeldOut
from benchmarks.quality.judge import blend_error, joint_error, plain_error

from motionloom.cycles.loop_sampling import sampled_smoothly
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, register

WEIGHTS = np.linspace(0.0, 1.0, 21)
"""Weights of the second clip that are tried; the best counts, for every kind of blend."""

Predictor = Callable[[HeldOut], float]
"""From a case to the error of its prediction, cm."""


def nearest(case: HeldOut) -> float:
    """The error of whichever clip comes nearest."""
    return min(joint_error(clip, case.actual) for clip in case.sources)


def frame_by_frame(case: HeldOut) -> float:
    """The error of averaging frame i of one clip and frame i of the other."""
    curve = registered(case.sources)
    return min(plain_error(curve, weight, case.actual) for weight in WEIGHTS.tolist())


def linear(case: HeldOut) -> float:
    """The error of averaging poses at equal shares of the clips' durations, with bodies put on each other."""
    n_frames = round(float(np.mean([clip.n_frames for clip in case.sources])))
    clips = [sampled_smoothly(clip, np.linspace(0.0, clip.n_frames - 1.0, n_frames)) for clip in case.sources]
    # A slope limit of 1 leaves no choice but frame by frame; what remains is to put bodies on each other.
    return _best_error(case, registered(clips, slope_limit=1, events=()))


def papers(case: HeldOut) -> float:
    """The error of blending by a registration as in the paper."""
    return _best_error(case, registered(case.sources, profile="paper"))


def default(case: HeldOut) -> float:
    """The error of blending by a registration with the default settings."""
    return _best_error(case, registered(case.sources))


PREDICTORS: dict[str, Predictor] = {
    "nearest": nearest,
    "frame by frame": frame_by_frame,
    "linear": linear,
    "papers": papers,
    "default": default,
}


def registered(clips: Sequence[Clip], **settings: Any) -> RegistrationCurve:
    """The registration of clips without a word on its quality: figures follow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(clips, **settings)


def _best_error(case: HeldOut, curve: RegistrationCurve) -> float:
    return min(blend_error(curve, weight, case.actual) for weight in WEIGHTS.tolist())
