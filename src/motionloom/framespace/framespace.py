"""The framespace: cyclic motions over a common time axis, and new motion along a curve drawn in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.blending.result import put_blend_in_place
from motionloom.errors import ParameterError
from motionloom.framespace.basis_clips import prepare_basis_clips, stack_frames
from motionloom.framespace.blend import Basis, FramespaceReport, blend_along
from motionloom.framespace.correspondence import (
    MIN_GAP,
    Correspondence,
    correspond_bodies,
    correspond_halves,
)
from motionloom.framespace.fitness import judge_clips
from motionloom.framespace.interpolant import InterpolantLike, Shape, choose_shape, weights_at
from motionloom.framespace.labels import DEFAULT_LABELS, EQUIVALENT
from motionloom.framespace.states import BodyStates, GivenStates, as_body_states, detect_states
from motionloom.framespace.warp import StateWarp, WarpKind, time_part
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument, Operation
from motionloom.motion import Clip
from motionloom.motion.body import take_bodies
from motionloom.motion.result import ClipLike, check_clips
from motionloom.options.blending import Average
from motionloom.registration import Verdict

MIN_DETECTED_GAP = 0.03
"""Cycles that must lie between detected states. Their phases are good to half a frame at 30 Hz, so states
closer together would warp time by the error of their detection."""

SAMPLES = 100
"""Samples of the interpolant per cycle, as in the paper."""


class Framespace:
    """Basis clips that span a space: time along one axis, weights along the others.

    Two clips span a rectangle, four a box, and other numbers stand on a line. A clip that is not cyclic is
    cut to one cycle and closed (:func:`motionloom.cyclify`). A gait in place is given the travel that its
    feet show (:func:`motionloom.recover_travel`).

    Parameters
    ----------
    clips
        Two clips or more. Those of another skeleton than the first are retargeted to it.
    states
        The states of each clip as plain data (:func:`~motionloom.framespace.states.as_body_states`), or None
        to detect them; None for all. A clip with given states must be a cycle already.
    labels
        The labels of detected states (:mod:`motionloom.framespace.labels`).
    equivalences
        Label -> the label that it counts as.
    decoupled
        Whether the upper body keeps its own states and time.
    shape
        "rectangle", "box" or "line"; None chooses by the number of clips.
    acyclic
        Number of one clip that does not repeat: it has no states, plays once from the moment its weight
        reaches a hundredth, and holds its last frame.
    warp
        "smooth" passes states without a jump of speed, "linear" goes straight between them.
    allow_unfit
        Make the space even if the cycles do not fit together: of different numbers of strides, or cut from a
        take that shows another action.

    Attributes
    ----------
    clips
        The basis clips: annotated, at one rate, with the same joints, cyclic except for the acyclic one.
    states
        Their states.
    shape
        The shape of the space.
    verdict, reason
        Whether the clips fit together, and why.
    notes
        What was cut, resampled or left out, in sentences.

    Raises
    ------
    ParameterError
        If the verdict is "no match" and ``allow_unfit`` is not set; the message says why.

    >>> from motionloom.synthesis import jog, walk
    >>> space = Framespace([walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30).clip])
    >>> space.periods.round(2).tolist()
    [1.03, 0.73]
    >>> space.blend([(0, 0.0), (1, 1.0)], cycles=6)
    BlendResult(160 frames at 30 fps from 2 clips)
    """

    def __init__(
        self,
        clips: Sequence[ClipLike],
        *,
        states: Sequence[BodyStates | GivenStates | None] | None = None,
        labels: Collection[str] = DEFAULT_LABELS,
        equivalences: Mapping[str, str] = EQUIVALENT,
        decoupled: bool = False,
        shape: Shape | None = None,
        acyclic: int | None = None,
        warp: WarpKind = "smooth",
        allow_unfit: bool = False,
    ) -> None:
        listed = check_clips("Framespace", clips)
        self.shape: Shape = choose_shape(len(listed), shape)
        alone = _check_acyclic(acyclic, len(listed))
        given = _check_states(states, listed, alone)
        # 1. One cycle of each clip, at one rate and on one skeleton.
        bodies = take_bodies(listed)
        self.clips, notes, cuts = prepare_basis_clips(bodies, alone)
        self._cyclic = tuple(k for k in range(len(listed)) if k not in alone)
        # 2. The states of each.
        self.states = tuple(
            as_body_states(own)
            if own is not None
            else BodyStates()
            if k in alone
            else detect_states(clip, labels)
            for k, (clip, own) in enumerate(zip(self.clips, given, strict=True))
        )
        # 3. Which states correspond.
        gap = MIN_GAP if all(own is not None for own in given) else MIN_DETECTED_GAP
        own_states = [self.states[k] for k in self._cyclic]
        self.upper_correspondence: Correspondence | None = None
        if decoupled:
            self.correspondence, self.upper_correspondence = correspond_halves(own_states, equivalences, gap)
        else:
            self.correspondence = correspond_bodies(own_states, equivalences, gap)
        self.notes = (*notes, *_note_dropped(self.correspondence), *_note_dropped(self.upper_correspondence))
        stated = all(own is not None for k, own in enumerate(given) if k not in alone)
        fitness = judge_clips(
            bodies, self.clips, self._cyclic, len(self.correspondence.matched), stated=stated, cuts=cuts
        )
        self.verdict, self.reason = fitness.verdict, fitness.reason
        if self.verdict is Verdict.UNFIT and not allow_unfit:
            raise ParameterError(
                self.reason, remedy=("make the space all the same with ", Argument("allow_unfit", True))
            )
        # 4. The warp through them.
        self._warp_kind: WarpKind = warp
        self._basis = self._make_basis()

    def _make_basis(self) -> Basis:
        """Return what follows from the correspondence: warps, and the frames of the clips."""
        lengths = np.array([self.clips[k].n_frames for k in self._cyclic], dtype=np.float64)
        lower = time_part(self.correspondence, lengths, self._warp_kind)
        upper = None
        if self.upper_correspondence is not None:
            upper = time_part(self.upper_correspondence, lengths, self._warp_kind, lower.warp)
        return Basis(self.shape, stack_frames(self.clips, lower.warp), lower, upper)

    @property
    def warp(self) -> StateWarp:
        """The regularising warp of the lower or whole body, over the cyclic clips."""
        return self._basis.lower.warp

    @property
    def upper_warp(self) -> StateWarp | None:
        """The warp of a decoupled upper body."""
        return None if self._basis.upper is None else self._basis.upper.warp

    @property
    def periods(self) -> FloatArray:
        """(K,) seconds per cycle of the clips; of an acyclic one its whole length."""
        return np.array([clip.n_frames * clip.frame_time for clip in self.clips])

    @property
    def decoupled(self) -> bool:
        """Whether the upper body keeps its own time."""
        return self.upper_correspondence is not None

    def weights_at(self, points: npt.ArrayLike) -> FloatArray:
        """Return weights (S, K) of the clips at points (S, D) of the space."""
        return weights_at(points, self.shape, len(self.clips))

    def without(self, label: str) -> Framespace:
        """Return the space without the matched states that carry a label."""
        other = copy(self)
        above = self.upper_correspondence
        if above is not None and any(label in state.labels for state in above.matched):
            other.upper_correspondence = above.without(label)
        else:
            other.correspondence = self.correspondence.without(label)
        other._basis = other._make_basis()
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
        in_place: bool = False,
    ) -> BlendResult[FramespaceReport]:
        """Make new motion along a curve through the space, with the timing that the clips give it.

        A curve that stays between clips is a blend, one that goes from clip to clip a concatenation.

        Parameters
        ----------
        interpolant
            Vertices (x, v), or (x, v, w) in a box, of a B-spline; an :class:`Interpolant`; a function of x;
            or one number for a constant. x runs along the time axis, 0 to 1; v and w are the coordinates
            between the clips, 0 to 1. Vertices outside are moved to the border.
        cycles
            Number of cycles that the time axis stands for.
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
            Make a closed cycle: the curve must end where it begins, cycles must be whole, and time is
            stretched by half a frame or less in all.
        in_place
            Take the travel out of the result (:func:`motionloom.put_in_place`).

        Returns
        -------
        BlendResult
            ``u`` counts cycles, ``frames`` are those of the lower or whole body, and ``report`` is a
            :class:`~motionloom.framespace.FramespaceReport`.

        >>> from motionloom.synthesis import jog, walk
        >>> space = Framespace([walk(duration=4.0, fps=30).clip, jog(duration=3.0, fps=30).clip])
        >>> space.blend(0.5, cycles=2, loop=True).clip.cyclic
        True
        """
        result = blend_along(
            self._basis,
            interpolant,
            cycles=cycles,
            samples=samples,
            upper=upper,
            place=place,
            average=average,
            loop=loop,
        )
        result = put_blend_in_place(result) if in_place else result
        return replace(result, clip=result.clip.arranged())

    def __repr__(self) -> str:
        names = ", ".join(Path(clip.source.path).stem or f"clip {k}" for k, clip in enumerate(self.clips))
        return f"Framespace({self.shape} of {names}; {len(self.correspondence.matched)} states)"


def _check_acyclic(acyclic: int | None, n_clips: int) -> tuple[int, ...]:
    """Return the number of the clip that is played once, if there is one."""
    if acyclic is None:
        return ()
    if isinstance(acyclic, bool) or not isinstance(acyclic, int) or acyclic not in range(n_clips):
        raise ParameterError(
            f"is the number of one clip, 0 to {n_clips - 1}, not {acyclic!r}",
            parameter="acyclic",
            value=acyclic,
        )
    return (acyclic,)


def _check_states(
    states: Sequence[BodyStates | GivenStates | None] | None, clips: Sequence[Clip], alone: Collection[int]
) -> list[BodyStates | GivenStates | None]:
    if states is None:
        return [None] * len(clips)
    if not isinstance(states, Iterable):
        raise ParameterError(
            f"must be a list with the states of each clip, or None, not {states!r}",
            parameter="states",
            value=states,
        )
    given = list(states)
    if len(given) != len(clips):
        raise ParameterError(f"states are given for {len(given)} clips, but there are {len(clips)}")
    for k, (own, clip) in enumerate(zip(given, clips, strict=True)):
        if own is not None and not clip.cyclic and k not in alone:
            raise ParameterError(
                f"states are given for clip {k}, which is no cycle",
                remedy=(
                    "close it first with ",
                    Operation("motionloom.cyclify"),
                    ", so that their phases are those of its cycle",
                ),
            )
    return given


def _note_dropped(correspondence: Correspondence | None) -> list[str]:
    """Return one sentence per reason."""
    reasons: dict[str, list[str]] = {}
    for lost in () if correspondence is None else correspondence.dropped:
        reasons.setdefault(lost.reason, []).append(lost.label)
    return [f"left out {', '.join(labels)}: {reason}" for reason, labels in reasons.items()]
