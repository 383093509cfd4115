"""`LiveBlend`: a blend steered while it runs, one pose per step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final, get_args

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, read_only_view
from motionloom.blending.advance import KEEP_GRAVITY, RATE_LAWS, Clock
from motionloom.blending.average import average_poses
from motionloom.blending.hand_over import EDGE_LENGTH, MIN_LENGTH, RAMP_DURATION
from motionloom.blending.place import PlacedFrames, check_place, find_source_frames, place_frames
from motionloom.blending.sources import check_curve, prepare_sources
from motionloom.blending.weights import MIN_WEIGHT_SUM, ConstantWeights, JointWeights, expand_joint_weights
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.kernels.compiling import bind
from motionloom.messages import Operation
from motionloom.motion import Clip, PointClip, Pose, Skeleton
from motionloom.motion.anatomy import facing, find_body_masses
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_choice, check_number, check_positive

MAX_STEP = 10.0
"""Seconds that one step may take. More are milliseconds given as seconds, or a timer that never started."""

CATCH_UP_RATE = 4.0
"""Change of weights per second with which they follow after landing, having been held in flight: from 0 to 1
in a quarter of a second."""


@final
class LiveBlend:
    """A blend that keeps its state and gives one pose per step.

    It begins with the pose at ``start``. A blend of cyclic clips continues forever: ``u`` wraps around and
    the body keeps travelling. Other clips lead to the end of the curve, where the last pose stays and
    ``finished`` is True until a step leads back. Steps of one frame give exactly the poses that
    :func:`motionloom.blend` gives for the same weights, except for what a blend sees coming and a live one
    does not: joints whose rotations get too far apart to average (``handed_over``), and weights that change
    in a flight of all clips. Longer steps are divided into frames with linearly changing weights, so the
    motion does not depend on how often poses are requested.

    The arrays of ``pose`` are buffers that each step overwrites: copy what you want to keep. Two threads must
    not step the same blend.

    Parameters
    ----------
    curve
        How K clips correspond (:func:`motionloom.register`).
    weights
        (K,) to begin with; by default all equal.
    place
        Where the first pose is: root above ``x, z``, facing ``yaw`` (0 is +Z). By default the blend begins at
        the clips' mean position and heading.
    rate_law
        As in :func:`motionloom.blend`. In flights that all clips have, weights stay as they
        were at take-off; after landing they follow at most at :data:`CATCH_UP_RATE`.
    joint_weights
        Joint name -> K weights that replace the clips' weights for this joint.
    max_change
        Maximum change of a weight per second; faster changes are followed at this rate. By default weights
        apply at once.
    start
        Parameter ``u`` to begin at; by default the beginning of the curve.

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
        rate_law: RateLaw = "auto",
        joint_weights: JointWeights | None = None,
        max_change: float | None = None,
        start: float | None = None,
    ) -> None:
        check_curve("LiveBlend", curve)
        check_place(place)
        if max_change is not None:
            max_change = check_positive("max_change", max_change)
        if isinstance(curve.clips[0], PointClip):
            raise ParameterError("point clips have no pose", remedy=("use ", Operation("motionloom.blend")))
        first = ConstantWeights(np.ones(curve.n_clips) if weights is None else _as_numbers(weights))
        law = check_choice("rate_law", rate_law, get_args(RateLaw))
        self._sources = prepare_sources(curve, keep_gravity=law in KEEP_GRAVITY)
        clock = Clock(sources=self._sources, function=first, rate_law=law, integrator="rk4", backward=False)
        timing = clock.time_frames(start, 0.0)
        placed = place_frames(self._sources, timing.positions, timing.weights, place)
        layers = expand_joint_weights(
            joint_weights, self._sources.skeleton.names, placed.weights, self._sources.presence
        )
        skeleton = average_poses(self._sources, placed, joint_weights=layers).poses.skeleton

        self._frame_time = curve.clips[0].frame_time
        self._max_change = max_change
        self._law = RATE_LAWS[law]
        self._time, self._finished, self._catching_up = 0.0, False, False
        self._set_state(placed, layers, joint_weights or (), skeleton)
        self._pose = self._view_buffers(skeleton)
        self.step(0.0, self._weights)

    def step(self, dt: float, weights: npt.ArrayLike) -> Pose:
        """Move on by ``dt`` seconds, change to the weights (K,), and return the pose there.

        Weights are divided by their sum; negative ones extrapolate. A negative ``dt`` moves backward; zero
        gives the present pose with the new weights. The next step overwrites the arrays of the pose.
        """
        if not -MAX_STEP <= check_number("dt", dt) <= MAX_STEP:
            raise ParameterError(
                f"is {dt} seconds: a step may take {MAX_STEP:g} at most; skip the time in between",
                parameter="dt",
            )
        requested = _as_numbers(weights)
        if requested.shape != self._weights.shape:
            raise ParameterError(
                f"the curve has {len(self._weights)} clips but the weights have shape {requested.shape}",
                remedy="give one for each clip",
            )
        max_change = np.inf if self._max_change is None else self._max_change
        flying = self._is_flying()
        if flying:
            max_change, self._catching_up = 0.0, True
        elif self._catching_up:
            max_change = min(max_change, CATCH_UP_RATE)
        self._request[:] = requested
        self._forward[0] = dt / self._frame_time
        self._forward[1] = max_change * abs(dt) if np.isfinite(max_change) else np.inf
        outcome = self._run()
        if outcome > kernels.live_blend.AT_END:
            raise ParameterError(_describe_error(requested))
        if self._catching_up and not flying:
            self._catching_up = not np.allclose(self._weights * requested.sum(), requested, atol=1e-12)
        if dt != 0.0:
            self._finished = outcome == kernels.live_blend.AT_END
            self._time += dt
        return self._pose

    def _is_flying(self) -> bool:
        """Whether all clips fly at the present position."""
        flights, position = self._sources.flights, self._kernel_state[0]
        if not len(flights):
            return False
        if self._sources.periodic and position < flights[0, 0]:
            position += self._sources.n_pieces
        return bool(((flights[:, 0] <= position) & (position <= flights[:, 1])).any())

    @property
    def pose(self) -> Pose:
        """Present pose: root (3,), rotations (J, 4) and, if bones move or differ, translations (J, 3)."""
        return self._pose

    @property
    def time(self) -> float:
        """Seconds from the start: the sum of all steps."""
        return self._time

    @property
    def finished(self) -> bool:
        """Whether the last step reached an end of the curve; never for cyclic clips."""
        return self._finished

    @property
    def u(self) -> float:
        """Parameter of the registration curve, within its domain."""
        return float(self._sources.parameters(self._kernel_state[0]))

    @property
    def cycles(self) -> int:
        """Completed cycles; negative after moving backward."""
        return int(self._kernel_state[1])

    @property
    def weights(self) -> FloatArray:
        """Present weights (K,), with sum 1."""
        return self._weights.copy()

    @property
    def handed_over(self) -> tuple[str, ...]:
        """Joints that follow one clip more than the weights say, at present.

        The clips' rotations are too far apart to average there.
        """
        phases = self._hands[:, kernels.hand_over.PHASE]
        return tuple(self._sources.skeleton.names[j] for j in np.flatnonzero(phases).tolist())

    @property
    def frames(self) -> FloatArray:
        """Source frame (K,) of each clip; for cyclic clips, within one cycle."""
        return np.asarray(find_source_frames(self._sources, self._as_placed_frames())[0][0])

    @property
    def placements(self) -> FloatArray:
        """Yaw, x and z (K, 3) that place each source frame in the world of the pose."""
        return np.asarray(find_source_frames(self._sources, self._as_placed_frames())[1][0])

    @property
    def placement(self) -> GroundTransform:
        """Where the body is: root above ``x, z``, facing ``yaw``. Another blend can begin there."""
        x, _, z = self._pose.root_positions.tolist()
        pose = self._pose
        still = Clip(pose.skeleton, 1.0, pose.root_positions[None], pose.rotations[None])
        return GroundTransform(float(facing(still)[0]), x, z)

    def __repr__(self) -> str:
        return f"LiveBlend({len(self._weights)} clips, {self._time:.3f} s, u = {self.u:g})"

    def _set_state(
        self, placed: PlacedFrames, layers: FloatArray | None, layered: Iterable[str], skeleton: Skeleton
    ) -> None:
        """Make everything a step reads and writes, and bind the kernel to it: checking arrays costs time."""
        sources = self._sources
        n_clips, n_joints = len(placed.weights[0]), sources.skeleton.n_joints
        own = np.zeros(n_joints, dtype=np.int64)
        own[[sources.skeleton.index(name) for name in layered]] = 1
        presence = np.ones((n_joints, n_clips)) if sources.presence is None else sources.presence
        inputs = (
            sources.warp_points,
            sources.align_points,
            sources.travels,
            sources.root_rows,
            sources.rotation_rows,
            read_only_view(np.empty((0, 0))) if sources.bone_rows is None else sources.bone_rows,
            sources.firsts,
            sources.signs,
            sources.flights,
            sources.centre_rows,
            read_only_view(np.asarray(skeleton.parents, dtype=np.int64)),
            read_only_view(skeleton.offsets[None]),
            *_find_masses(skeleton),
            read_only_view(own),
            read_only_view(np.asarray(presence, dtype=np.float64)),
            read_only_view(sources.far_apart.astype(np.int64)),
        )
        choices = (
            sources.periodic,
            sources.curve.reference,
            self._law,
            RAMP_DURATION / self._frame_time,
            MIN_LENGTH,
            EDGE_LENGTH,
        )
        self._request, self._forward = np.ones(n_clips), np.zeros(2)
        self._kernel_state = np.array([placed.positions[0], placed.cycles[0], *placed.placements[0]])
        self._weights = np.array(placed.weights[0])
        self._clips = np.column_stack([placed.alignments[0], placed.roots[0], placed.frames[0]])
        self._buffer = np.zeros((n_joints + 1, 4))
        self._bones = np.empty((0 if sources.bone_rows is None else n_joints, 3))
        joint_weights = np.empty((0, n_clips)) if layers is None else np.array(layers[0])
        self._hands = np.zeros((n_joints, 4))
        state = (
            self._kernel_state,
            self._weights,
            self._clips,
            joint_weights,
            self._hands,
            np.ones((n_joints, n_clips)),
            np.zeros((n_joints, n_clips)),
            self._buffer,
            self._bones,
        )
        scratch = kernels.live_blend.make_scratch(n_clips, n_joints)
        self._run = bind(
            kernels.live_blend.step, *inputs, self._request, *choices, self._forward, *state, *scratch
        )

    def _view_buffers(self, skeleton: Skeleton) -> Pose:
        """Return the pose whose arrays are read-only views of the buffers."""
        bones = None if self._sources.bone_rows is None else read_only_view(self._bones)
        return Pose(skeleton, read_only_view(self._buffer[0, :3]), read_only_view(self._buffer[1:]), bones)

    def _as_placed_frames(self) -> PlacedFrames:
        """Return the present frame as placed frames of length one."""
        state, clips = self._kernel_state, self._clips
        return PlacedFrames(
            state[:1],
            state[1:2],
            self._weights[None],
            clips[None, :, 6],
            clips[None, :, :3],
            clips[None, :, 3:6],
            state[None, 2:],
        )


def _find_masses(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """Return masses (J,) and moments (J, 3) of a body; zero where none is found."""
    body = find_body_masses(skeleton)
    if body is None:
        return read_only_view(np.zeros(skeleton.n_joints)), read_only_view(np.zeros((skeleton.n_joints, 3)))
    return read_only_view(body.masses), read_only_view(body.moments)


def _as_numbers(weights: npt.ArrayLike) -> FloatArray:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"the weights must be numbers, one for each clip, not {weights!r}") from None


def _describe_error(weights: FloatArray) -> str:
    """Describe what is wrong with weights that the kernel refused."""
    if not np.isfinite(weights).all():
        return f"the weights must be finite, not {weights.tolist()}"
    return (
        f"the weights add up to {weights.sum():.3g}: they are divided by their sum, "
        f"which must not be zero (within {MIN_WEIGHT_SUM:g})"
    )
