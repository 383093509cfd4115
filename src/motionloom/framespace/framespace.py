"""The framespace: cyclic motions over a common time axis, and new motion along a curve drawn in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.blending.average import Average
from motionloom.errors import ParameterError
from motionloom.framespace import basis_clips
from motionloom.framespace.basis_clips import sources_of
from motionloom.framespace.blend import Layout, Request, blended
from motionloom.framespace.correspondence import LEAST_GAP, Correspondence, matched_halves, matched_whole
from motionloom.framespace.interpolant import InterpolantLike, Shape, shape_of, weights_at
from motionloom.framespace.labels import DEFAULT_LABELS, EQUIVALENT
from motionloom.framespace.states import BodyStates, GivenStates, as_body_states, detect_states
from motionloom.framespace.warp import StateWarp, WarpKind, timed_part
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip

DETECTED_GAP = 0.03
"""Cycles that must lie between detected states. Their phases are good to half a frame at 30 Hz, so states
nearer to each other would warp time by the error of their detection."""

SAMPLES = 100
"""Samples of the interpolant per cycle, as in the paper."""


class Framespace:
    """Basis clips that span a space: time along one axis, weights along the others.

    Two clips span a rectangle, four a box, and other numbers stand on a line. A clip that is not cyclic is
    cut to one cycle and closed (:func:`motionloom.cyclify`).

    Parameters
    ----------
    clips
        Two clips or more. Those of another skeleton than the first are mapped onto it.
    states
        For each clip its states as plain data (:func:`~motionloom.framespace.states.as_body_states`), or None
        to detect them; None for all. A clip with given states must be a cycle already.
    labels
        The labels that detected states are made of (:mod:`motionloom.framespace.labels`).
    equivalences
        Label -> label that it counts as.
    decoupled
        Whether the upper body keeps its own states and time.
    shape
        "rectangle", "box" or "line"; by the number of clips when None.
    acyclic
        Number of one clip that does not repeat: it has no states, plays once from the moment its weight
        reaches a hundredth, and holds its last frame.
    warp
        "smooth" passes states without a jump of speed, "linear" goes straight between them.

    Attributes
    ----------
    clips
        The basis clips: annotated, at one rate, with the same joints, cyclic but for the acyclic one.
    states
        Their states.
    shape
        The shape of the space.
    notes
        What was cut, resampled or left out, in sentences.

    >>> from motionloom.synthesis import jog, walk
    >>> space = Framespace([walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30).clip])
    >>> space.periods.round(2).tolist()
    [1.03, 0.73]
    >>> space.blend([(0, 0.0), (1, 1.0)], cycles=6)
    BlendResult(160 frames at 30 fps from 2 clips)
    """

    def __init__(
        self,
        clips: Sequence[Clip],
        *,
        states: Sequence[BodyStates | GivenStates | None] | None = None,
        labels: Collection[str] = DEFAULT_LABELS,
        equivalences: Mapping[str, str] = EQUIVALENT,
        decoupled: bool = False,
        shape: Shape | None = None,
        acyclic: int | None = None,
        warp: WarpKind = "smooth",
    ) -> None:
        clips = basis_clips.listed(clips)
        self.shape: Shape = shape_of(len(clips), shape)
        alone = basis_clips.checked_acyclic(acyclic, len(clips))
        given = _checked_states(states, clips, alone)
        self.clips, notes = basis_clips.prepared(clips, alone)
        self._cyclic = tuple(k for k in range(len(clips)) if k not in alone)
        self.states = tuple(
            as_body_states(own) if own is not None else _detected(clip, k in alone, labels)
            for k, (clip, own) in enumerate(zip(self.clips, given, strict=True))
        )
        gap = LEAST_GAP if all(own is not None for own in given) else DETECTED_GAP
        own_states = [self.states[k] for k in self._cyclic]
        self.upper_correspondence: Correspondence | None = None
        if decoupled:
            self.correspondence, self.upper_correspondence = matched_halves(own_states, equivalences, gap)
        else:
            self.correspondence = matched_whole(own_states, equivalences, gap)
        self.notes = (*notes, *_dropped(self.correspondence), *_dropped(self.upper_correspondence))
        self._kind: WarpKind = warp
        self._layout = self._laid_out()

    def _laid_out(self) -> Layout:
        """What follows from the correspondence: warps, and the clips in rows."""
        lengths = np.array([self.clips[k].n_frames for k in self._cyclic], dtype=np.float64)
        lower = timed_part(self.correspondence, lengths, self._kind)
        upper = None
        if self.upper_correspondence is not None:
            upper = timed_part(self.upper_correspondence, lengths, self._kind, lower.warp)
        return Layout(self.shape, sources_of(self.clips, lower.warp), lower, upper)

    @property
    def warp(self) -> StateWarp:
        """The regularising warp of the lower or whole body, over the cyclic clips."""
        return self._layout.lower.warp

    @property
    def upper_warp(self) -> StateWarp | None:
        """The warp of a decoupled upper body."""
        return None if self._layout.upper is None else self._layout.upper.warp

    @property
    def periods(self) -> FloatArray:
        """(K,) seconds per cycle of the clips; of an acyclic one its whole length."""
        return np.array([clip.n_frames * clip.frame_time for clip in self.clips])

    @property
    def decoupled(self) -> bool:
        """Whether the upper body keeps its own time."""
        return self.upper_correspondence is not None

    def weights_at(self, points: npt.ArrayLike) -> FloatArray:
        """Weights (S, K) of the clips at points (S, D) of the space."""
        return weights_at(points, self.shape, len(self.clips))

    def without(self, label: str) -> Framespace:
        """The same space without the matched states that carry a label."""
        other = copy(self)
        above = self.upper_correspondence
        if above is not None and any(label in state.labels for state in above.matched):
            other.upper_correspondence = above.without(label)
        else:
            other.correspondence = self.correspondence.without(label)
        other._layout = other._laid_out()
        return other

    def blend(
        self,
        interpolant: InterpolantLike,
        *,
        cycles: float = 1,
        samples: int = SAMPLES,
        upper: InterpolantLike | None = None,
        place: GroundTransform | None = None,
        average: Average = "nlerp",
        loop: bool = False,
    ) -> BlendResult:
        """New motion along a curve through the space, with the timing that the clips give it.

        A curve that stays in the middle is a blend, one that goes from clip to clip a concatenation.

        Parameters
        ----------
        interpolant
            Vertices (x, v), or (x, v, w) in a box, of a B-spline; an :class:`Interpolant`; a function of x;
            or one number for a constant. x is the place along the time axis, 0 to 1; v and w lie within 0 to
            1, and what lies outside is brought to the border.
        cycles
            How many cycles the time axis stands for.
        samples
            Samples of the interpolant per cycle for the timing.
        upper
            An interpolant of its own for the upper body of a decoupled space.
        place
            Where the first frame is: root above ``x, z``, heading ``yaw``. Without it the blend begins where
            the clips do, on average.
        average
            How rotations are averaged: "nlerp", "karcher" or "park".
        loop
            Make a closed cycle: the curve must end where it begins, cycles be whole, and time is stretched by
            half a frame or less in all.

        Returns
        -------
        BlendResult
            ``u`` counts cycles, ``frames`` are those of the lower or whole body, and ``report`` is a
            :class:`~motionloom.framespace.blend.FramespaceReport`.
        """
        request = Request(
            interpolant=interpolant,
            upper=upper,
            cycles=cycles,
            samples=samples,
            place=place,
            average=average,
            loop=loop,
        )
        return blended(self._layout, request)

    def __repr__(self) -> str:
        names = ", ".join(basis_clips.name_of(clip, k) for k, clip in enumerate(self.clips))
        return f"Framespace({self.shape} of {names}; {len(self.correspondence.matched)} states)"


def _checked_states(
    states: Sequence[BodyStates | GivenStates | None] | None, clips: Sequence[Clip], alone: Collection[int]
) -> list[BodyStates | GivenStates | None]:
    if states is None:
        return [None] * len(clips)
    if not isinstance(states, Iterable):
        raise ParameterError(f"states must be a list with the states of each clip, or None, not {states!r}")
    given = list(states)
    if len(given) != len(clips):
        raise ParameterError(f"states are given for {len(given)} clips, but there are {len(clips)}")
    for k, (own, clip) in enumerate(zip(given, clips, strict=True)):
        if own is not None and not clip.cyclic and k not in alone:
            raise ParameterError(
                f"states are given for clip {k}, which is no cycle: close it first (motionloom.cyclify), "
                "so that their phases are those of its cycle"
            )
    return given


def _detected(clip: Clip, alone: bool, labels: Collection[str]) -> BodyStates:
    return BodyStates() if alone else detect_states(clip, labels)


def _dropped(correspondence: Correspondence | None) -> list[str]:
    """One sentence per reason."""
    reasons: dict[str, list[str]] = {}
    for lost in () if correspondence is None else correspondence.dropped:
        reasons.setdefault(lost.reason, []).append(lost.label)
    return [f"left out {', '.join(labels)}: {reason}" for reason, labels in reasons.items()]
