"""`LiveBlend`: a blend that is steered while it runs, one pose at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, read_only_view
from motionloom.blending.advance import Clock
from motionloom.blending.average import averaged
from motionloom.blending.checks import check_curve, check_joint_weights, check_place
from motionloom.blending.layers import JointWeights, joint_weights_of
from motionloom.blending.place import LAWS, Course, RateLaw, laid_course, source_frames
from motionloom.blending.sources import sources_of
from motionloom.blending.weights import SMALLEST_SUM, ConstantWeights
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip, Pose
from motionloom.motion.anatomy import facing
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_number, check_positive

LONGEST_STEP = 10.0
"""Seconds that one step may take. More is milliseconds given for seconds, or a clock that was never read."""


@final
class LiveBlend:
    """A blend that keeps its state and gives one pose per step.

    It begins with the pose at ``start``. The blend of cyclic clips goes on for ever: ``u`` comes round again
    and the body keeps travelling. Clips with two ends lead to the end of the curve, where the last pose stays
    and ``finished`` is True until a step leads back. With steps of one frame it makes the very poses that
    :func:`motionloom.blend` makes of the same weights. Longer steps are taken frame by frame, the weights
    changing evenly, so that the course does not depend on how often poses are asked for.

    The arrays of ``pose`` are buffers that each step overwrites: copy what is to be kept. Two threads must
    not step the same blend.

    Parameters
    ----------
    curve
        How K clips correspond (:func:`motionloom.register`).
    weights
        (K,) to begin with; all the same unless stated.
    place
        Where the first pose is: root above ``x, z``, facing ``yaw`` (0 is +Z). Without it the blend begins
        where the clips do, on average.
    rate
        "frequency" averages how fast the clips go through their common time, "duration" how long they take.
    joint_weights
        Joint name -> K weights that this joint has in place of the clips'.
    max_change
        The most by which a weight may change per second: weights that jump are followed at this pace. Without
        it they are taken at once.
    start
        Parameter ``u`` to begin at; the beginning of the curve unless stated.

    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> slow, fast = (walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.0, 1.6))
    >>> live = LiveBlend(register([slow, fast]), weights=[1, 0])
    >>> pose = live.step(1 / 60, [0.5, 0.5])
    >>> pose.rotations.shape, live.weights.tolist(), live.finished
    ((22, 4), [0.5, 0.5], False)
    """

    def __init__(
        self,
        curve: RegistrationCurve,
        *,
        weights: npt.ArrayLike | None = None,
        place: GroundTransform | None = None,
        rate: RateLaw = "frequency",
        joint_weights: JointWeights | None = None,
        max_change: float | None = None,
        start: float | None = None,
    ) -> None:
        check_curve("LiveBlend", curve)
        check_place(place)
        check_joint_weights(joint_weights)
        if max_change is not None:
            max_change = check_positive("max_change", max_change)
        if isinstance(curve.clips[0], PointClip):
            raise ParameterError("clips of points have no pose: blend them (motionloom.blend)")
        first = ConstantWeights(np.ones(curve.n_clips) if weights is None else _as_numbers(weights))
        self._sources = sources_of(curve)
        clock = Clock(sources=self._sources, function=first, rate=rate, integrator="rk4", backward=False)
        timing = clock.timed(start, 0.0)
        course = laid_course(self._sources, timing.positions, timing.weights, place)
        layers = joint_weights_of(
            joint_weights, self._sources.skeleton, course.weights, self._sources.presence
        )
        opening = averaged(self._sources, course, joint_weights=layers)

        self._frame_time = curve.clips[0].frame_time
        self._max_change = max_change
        self._law = LAWS[rate]
        self._time, self._finished = 0.0, False
        self._set_state(course, layers, joint_weights or ())
        self._pose = self._view_of(opening)
        self.step(0.0, self._weights)

    def step(self, dt: float, weights: npt.ArrayLike) -> Pose:
        """Go on by ``dt`` seconds, changing to the weights (K,), and return the pose there.

        Weights are divided by their sum; negative ones extrapolate. A negative ``dt`` goes backward; zero
        gives the present moment with the new weights. The next step overwrites the arrays of the pose.
        """
        if not -LONGEST_STEP <= check_number("dt", dt) <= LONGEST_STEP:
            raise ParameterError(
                f"dt is {dt} seconds: a step may take {LONGEST_STEP:g} at most; "
                "leave out the time that nobody watched"
            )
        asked = _as_numbers(weights)
        if asked.shape != self._weights.shape:
            raise ParameterError(
                f"the curve has {len(self._weights)} clips but the weights have shape {asked.shape}: "
                "give one for each clip"
            )
        outcome = kernels.live_blend.step(
            *self._inputs,
            read_only_view(asked),
            *self._choices,
            dt / self._frame_time,
            np.inf if self._max_change is None else self._max_change * abs(dt),
            *self._state,
        )
        if outcome > kernels.live_blend.AT_AN_END:
            raise ParameterError(_fault(asked))
        if dt != 0.0:
            self._finished = outcome == kernels.live_blend.AT_AN_END
            self._time += dt
        return self._pose

    @property
    def pose(self) -> Pose:
        """The present pose: root (3,), rotations (J, 4) and, if bones move or differ, translations (J, 3)."""
        return self._pose

    @property
    def time(self) -> float:
        """Seconds from the start, as the steps add up."""
        return self._time

    @property
    def finished(self) -> bool:
        """Whether the last step was to lead beyond an end of the curve; never for cyclic clips."""
        return self._finished

    @property
    def u(self) -> float:
        """Parameter of the registration curve, within its domain."""
        return float(self._sources.parameters(self._moment[0]))

    @property
    def cycles(self) -> int:
        """How often ``u`` came round; negative going backward."""
        return int(self._moment[1])

    @property
    def weights(self) -> FloatArray:
        """Present weights (K,), with sum 1."""
        return self._weights.copy()

    @property
    def frames(self) -> FloatArray:
        """Source frame (K,) of each clip; of cyclic clips, within their one cycle."""
        return np.asarray(source_frames(self._sources, self._course())[0][0])

    @property
    def placements(self) -> FloatArray:
        """Yaw, x and z (K, 3) that put each source frame where it goes into the pose."""
        return np.asarray(source_frames(self._sources, self._course())[1][0])

    @property
    def placement(self) -> GroundTransform:
        """Where the body is: root above ``x, z``, facing ``yaw``; another blend can begin there."""
        x, _, z = self._pose.root_positions.tolist()
        pose = self._pose
        still = Clip(pose.skeleton, 1.0, pose.root_positions[None], pose.rotations[None])
        return GroundTransform(float(facing(still)[0]), x, z)

    def __repr__(self) -> str:
        return f"LiveBlend({len(self._weights)} clips, {self._time:.3f} s, u = {self.u:g})"

    def _set_state(self, course: Course, layers: FloatArray | None, layered: Iterable[str]) -> None:
        """Everything a step reads and writes, as the kernel takes it; made once, since making views costs."""
        sources = self._sources
        n_clips, n_joints = len(course.weights[0]), sources.skeleton.n_joints
        own = np.zeros(n_joints, dtype=np.int64)
        own[[sources.skeleton.index(name) for name in layered]] = 1
        presence = np.ones((n_joints, n_clips)) if sources.presence is None else sources.presence
        self._inputs = (
            sources.warp_points,
            sources.align_points,
            sources.travels,
            sources.root_rows,
            sources.rotation_rows,
            read_only_view(np.empty((0, 0))) if sources.bone_rows is None else sources.bone_rows,
            sources.firsts,
            sources.signs,
            read_only_view(own),
            read_only_view(np.asarray(presence, dtype=np.float64)),
        )
        self._choices = (sources.periodic, sources.curve.reference, self._law)
        self._moment = np.array([course.positions[0], course.cycles[0], *course.placements[0]])
        self._weights = np.array(course.weights[0])
        self._clips = np.column_stack([course.aligned[0], course.roots[0], course.frames[0]])
        self._buffer = np.zeros((n_joints + 1, 4))
        self._bones = np.empty((0 if sources.bone_rows is None else n_joints, 3))
        joint_weights = np.empty((0, n_clips)) if layers is None else np.array(layers[0])
        self._state = (
            self._moment,
            self._weights,
            self._clips,
            joint_weights,
            self._buffer,
            self._bones,
        )

    def _view_of(self, opening: Pose) -> Pose:
        """The pose whose arrays are the buffers, for everybody to read."""
        bones = None if self._sources.bone_rows is None else read_only_view(self._bones)
        return Pose(
            opening.skeleton, read_only_view(self._buffer[0, :3]), read_only_view(self._buffer[1:]), bones
        )

    def _course(self) -> Course:
        """The present frame as a course of one."""
        moment, clips = self._moment, self._clips
        return Course(
            moment[:1],
            moment[1:2],
            self._weights[None],
            clips[None, :, 6],
            clips[None, :, :3],
            clips[None, :, 3:6],
            moment[None, 2:],
        )


def _as_numbers(weights: npt.ArrayLike) -> FloatArray:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"the weights must be numbers, one for each clip, not {weights!r}") from None


def _fault(asked: FloatArray) -> str:
    """What is wrong with weights that the kernel refused."""
    if not np.isfinite(asked).all():
        return f"the weights must be finite, not {asked.tolist()}"
    return (
        f"the weights add up to {asked.sum():.3g}: they are divided by their sum, "
        f"which must not be zero (within {SMALLEST_SUM:g})"
    )
