"""Measures of the whole body: its steps, its speed, its turn, how long it moves and where it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, final, get_args

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.spaces.measures import Parameter, sample_at, start_transform
from motionloom.validation import check_choice, check_count
from motionloom.warping.footholds import Foothold, find_footholds

TravelKind = Literal["speed", "turn", "turn rate", "duration", "end place"]


@final
@dataclass(frozen=True)
class StepPlace(Parameter):
    """Where a foot is put down, or how far from the other one; ``step`` counts from 1."""

    step: int = 1
    length: bool = False
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        check_count("step", self.step)

    @property
    def components(self) -> tuple[str, ...]:
        """The axes of a place; one empty name for a length."""
        return ("",) if self.length else ("x", "z")

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return x and z (2,) of the foothold, or the length (1,) of the step, metres."""
        before, after = self._find_step(clip)
        if not self.length:
            return np.asarray(start_transform(clip).inverse().apply(after.centre)[[0, 2]])
        if before is None:
            raise ParameterError(f"step {self.step} has no foothold before it to be measured from")
        x, _, z = after.centre - before.centre
        return np.array([np.hypot(x, z)])

    def move_plants(self, clip: Clip, values: FloatArray, min_change: float) -> Clip:
        """Return a clip in which the foothold of the step is to be where the values (n,) say."""
        before, after = self._find_step(clip)
        offset = self._find_offset(clip, values, before, after)
        if np.linalg.norm(offset) < min_change:
            return clip
        constraints = list(clip.constraints)
        for n, position in zip(after.plants, after.positions, strict=True):
            constraints[n] = replace(constraints[n], target=position + offset)
        return replace(clip, constraints=tuple(constraints))

    def _find_offset(
        self, clip: Clip, values: FloatArray, before: Foothold | None, after: Foothold
    ) -> FloatArray:
        """Return by how much (3,) in the world a foothold must move."""
        if not self.length:
            start = start_transform(clip)
            local = start.inverse().apply(after.centre)
            local[[0, 2]] = values
            return np.asarray(start.apply(local) - after.centre)
        if before is None:
            return np.zeros(3)
        step = (after.centre - before.centre) * [1.0, 0.0, 1.0]
        length = float(np.linalg.norm(step))
        return np.asarray(step * (float(values[0]) / length - 1.0)) if length > 0.0 else np.zeros(3)

    def _find_step(self, clip: Clip) -> tuple[Foothold | None, Foothold]:
        """Return the foothold of the step, and the last one of the other foot before it."""
        footholds = find_footholds(clip if clip.constraints else annotate(clip))
        steps = [foothold for foothold in footholds if foothold.start > 0.0]
        if self.step > len(steps):
            raise ParameterError(f"the clip has {len(steps)} steps, so it has no step {self.step}")
        after = steps[self.step - 1]
        others = [each for each in footholds if each.leg.side != after.leg.side and each.start < after.start]
        return (others[-1] if others else None), after


@final
@dataclass(frozen=True)
class Travel(Parameter):
    """What the body does from start to end: speed, turn, turn rate, duration, or where it ends."""

    kind: TravelKind

    def __post_init__(self) -> None:
        check_choice("the kind of a travel parameter", self.kind, get_args(TravelKind))

    @property
    def unit(self) -> str:
        """Unit of this kind."""
        units = {"speed": "m/s", "turn": "rad", "turn rate": "rad/s", "duration": "s", "end place": "m"}
        return units[self.kind]

    @property
    def components(self) -> tuple[str, ...]:
        """The axes of a place; one empty name for the others."""
        return ("x", "z") if self.kind == "end place" else ("",)

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the number (1,), or x and z (2,)."""
        last = clip.n_frames - 1.0 if end is None else end
        seconds = last * clip.frame_time
        if self.kind == "duration":
            return np.array([seconds])
        if seconds <= 0.0:
            raise ParameterError(f"a clip of {clip.n_frames} frames has no {self.kind}")
        roots = clip.body.root_positions
        if self.kind == "end place":
            return np.asarray(start_transform(clip).inverse().apply(sample_at(roots, last))[[0, 2]])
        headings = facing(clip)
        turn = float(sample_at(headings[:, None], last)[0] - headings[0])
        if self.kind == "speed":
            return np.array([_path_length(roots, last, turn) / seconds])
        return np.array([turn if self.kind == "turn" else turn / seconds])


def _path_length(roots: FloatArray, last: float, turn: float) -> float:
    """Return the length of the path of a root (T, 3) up to a frame, without the sway of a body that turns.

    As in :func:`motionloom.blending.controls.measure_path`, but to a fraction of a frame.
    """
    whole = min(int(last), len(roots) - 1)
    points = np.vstack([roots[: whole + 1], sample_at(roots, last)])[:, [2, 0]]
    steps = np.diff(points, axis=0)
    middles = np.append(np.arange(whole) + 0.5, (whole + last) / 2.0) / last
    return abs(complex(((steps[:, 0] + 1j * steps[:, 1]) * np.exp(-1j * turn * middles)).sum()))
