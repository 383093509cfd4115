"""Ways to predict a clip from two others: the nearest of them, and blends with the best of weights tried."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.quality.cases import HeldOut
from benchmarks.quality.judge import joint_error
from benchmarks.quality.tables import ENFORCED
from motionloom.blending import blend
from motionloom.cycles.loop_closing import sample_smoothly
from motionloom.enforcement import enforce
from motionloom.errors import RegistrationWarning
from motionloom.framespace import Framespace
from motionloom.motion import Clip
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve, register

WEIGHTS = np.linspace(0.0, 1.0, 21)
"""Weights of the second clip that are tried; the best counts, for every kind of blend."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """A clip that stands for a real one, and its duration in frames, which need not be whole."""

    clip: Clip
    duration: float

    @property
    def seconds(self) -> float:
        """The duration in seconds."""
        return self.duration * self.clip.frame_time

    def error(self, actual: Clip) -> float:
        """Mean distance of joints to those of the real clip, cm."""
        return joint_error(self.clip, actual, self.duration)


Candidates = Callable[[HeldOut], Iterator[Prediction]]
"""From a case to the predictions among which the best counts."""


def nearest(case: HeldOut) -> Iterator[Prediction]:
    """Either clip as it is."""
    return map(_whole, case.sources)


def frame_by_frame(case: HeldOut) -> Iterator[Prediction]:
    """Frame i of one clip averaged with frame i of the other, as long as both last."""
    curve = registered(case.sources)
    for weight in WEIGHTS.tolist():
        yield _whole(blend(curve, [1.0 - weight, weight], method="linear").clip)


def linear(case: HeldOut) -> Iterator[Prediction]:
    """Poses averaged at equal shares of the clips' durations, with bodies put on each other.

    A blend lasts as long as the clips do on average, by their weights.
    """
    lasts = [clip.n_frames - 1.0 for clip in case.sources]
    n_frames = round(float(np.mean([clip.n_frames for clip in case.sources])))
    # A slope limit of 1 leaves no choice but frame by frame; what remains is to put bodies on each other.
    clips = [_stretched(clip, n_frames) for clip in case.sources]
    curve = registered(clips, slope_limit=1, events=())
    for weight, made in zip(WEIGHTS.tolist(), _blends(curve, "frequency"), strict=True):
        pace = ((1.0 - weight) * lasts[0] + weight * lasts[1]) / made.duration
        yield replace(made, clip=replace(made.clip, frame_time=pace * made.clip.frame_time))


def papers(case: HeldOut) -> Iterator[Prediction]:
    """Blends by a registration and a rate law as in the paper."""
    return _blends(registered(case.sources, profile="paper"), "frequency")


def default(case: HeldOut) -> Iterator[Prediction]:
    """Blends by a registration with the default settings."""
    return _blends(registered(case.sources))


def framespace(case: HeldOut) -> Iterator[Prediction]:
    """Blends along the straight lines of a framespace of two strides; none of actions: they do not repeat."""
    if not case.is_stride:
        return
    space = Framespace([_as_cycle(clip) for clip in case.sources])
    for weight in WEIGHTS.tolist():
        made = space.blend(weight, cycles=1)
        before, last = made.report.cycles[-2:].tolist()
        yield Prediction(made.clip, made.clip.n_frames - 1.0 + (1.0 - last) / (last - before))


CANDIDATES: dict[str, Candidates] = {
    "nearest": nearest,
    "frame by frame": frame_by_frame,
    "linear": linear,
    "papers": papers,
    "framespace": framespace,
    "default": default,
}

PLANTED = "default" + ENFORCED
"""The default's best blend with its feet planted."""

METHODS = (*CANDIDATES, PLANTED)


def predictions(case: HeldOut) -> dict[str, Prediction]:
    """The best prediction of every method that has one."""
    found = {}
    for name, candidates in CANDIDATES.items():
        tried = list(candidates(case))
        if tried:
            found[name] = min(tried, key=lambda made: made.error(case.actual))
    best = found["default"]
    found[PLANTED] = replace(best, clip=enforce(best.clip).clip)
    return found


def registered(clips: Sequence[Clip], **settings: Any) -> RegistrationCurve:
    """The registration of clips without a word on its quality: figures follow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(clips, **settings)


def _blends(curve: RegistrationCurve, rate_law: RateLaw = "auto") -> Iterator[Prediction]:
    """Blends of two registered clips with all weights."""
    for weight in WEIGHTS.tolist():
        result = blend(curve, [1.0 - weight, weight], rate_law=rate_law)
        # A blend has whole frames: what is left of the clips after its last one belongs to its duration too.
        left = (curve.spans[1] - result.frames[-1]) / (result.frames[-1] - result.frames[-2])
        yield Prediction(result.clip, result.clip.n_frames - 1.0 + float(left.mean()))


def _whole(clip: Clip) -> Prediction:
    return Prediction(clip, clip.n_frames - 1.0)


def _stretched(clip: Clip, n_frames: int) -> Clip:
    """A clip with its plants at even steps of time, as many as asked for."""
    pace = (n_frames - 1.0) / (clip.n_frames - 1.0)
    plants = (replace(plant, start=plant.start * pace, end=plant.end * pace) for plant in clip.constraints)
    even = sample_smoothly(clip, np.linspace(0.0, clip.n_frames - 1.0, n_frames))
    return replace(even, constraints=tuple(plants))


def _as_cycle(stride: Clip) -> Clip:
    """A stride as a cycle, with its ends as captured: what ends it begins the next one."""
    last = stride.n_frames - 1
    events = tuple(event for event in stride.events if event.frame < last)
    return replace(stride[:last], events=events, cyclic=True)
