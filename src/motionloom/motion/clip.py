"""The clip: a finite sampled motion of one skeleton."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, check_rotations, freeze
from motionloom.geometry.ground_transform import GroundTransform
from motionloom.motion import kinematics, sampling
from motionloom.motion.annotations import (
    Constraint,
    Event,
    check_constraints,
    retime_annotations,
    reverse_cycle_annotations,
)
from motionloom.motion.deferred import find_once, hold_answers
from motionloom.motion.mirror import mirror
from motionloom.motion.pose import Pose
from motionloom.motion.provenance import OWN_SOURCE, Provenance, Source, derive, hash_content
from motionloom.motion.skeleton import Skeleton
from motionloom.validation import check_frame_time, check_positive

if TYPE_CHECKING:
    from motionloom.motion.arrangement import Arrangement


@dataclass(frozen=True, eq=False)
class Clip(sampling.SampledMotion):
    """A motion sampled at equal steps of time; an immutable value whose arrays are read-only.

    Attributes
    ----------
    skeleton
        The J joints that move.
    frame_time
        Seconds from one frame to the next, exactly as the file gives it.
    root_positions
        (T, 3) world position of the root, metres, Y up.
    rotations
        (T, J, 4) complete local rotations, unit quaternions, w first.
    translations
        (T, J, 3) local joint positions where bones really move, else None. The root's entry is not used.
    constraints, events
        Intervals in which points stay put, and labelled instants.
    cyclic
        Whether the last frame leads on to the first; constraints may then reach up to frame T, the seam.
    source
        The file that the clip was read from, and how to write it back.
    provenance
        Which frames of which motion these are, and what was done to them; true after every cut, resampling
        and placement.
    arrangement
        For the body of a rig (:attr:`body`), how the rig holds it; None for a whole clip.

    >>> from motionloom.geometry import rotations
    >>> dot = Skeleton(["root"], [-1], [[0, 0, 0]])
    >>> clip = Clip(dot, 0.1, [[0, 1, 0], [1, 1, 0], [2, 1, 0]], np.tile(rotations.IDENTITY, (3, 1, 1)))
    >>> clip.n_frames, clip.duration, clip[1:].world_positions()[0, 0].tolist()
    (3, 0.2, [1.0, 1.0, 0.0])
    """

    skeleton: Skeleton
    frame_time: float
    root_positions: FloatArray
    rotations: FloatArray
    translations: FloatArray | None = None
    constraints: tuple[Constraint, ...] = ()
    events: tuple[Event, ...] = ()
    cyclic: bool = False
    source: Source = field(default_factory=Source)
    provenance: Provenance = OWN_SOURCE
    arrangement: Arrangement | None = None

    def __post_init__(self) -> None:
        n_joints = len(self.skeleton.names)
        rotations = check_rotations("rotations", self.rotations, ("T", n_joints, 4))
        n_frames = len(rotations)
        put = object.__setattr__
        put(self, "frame_time", check_frame_time(self.frame_time))
        put(self, "rotations", rotations)
        put(self, "root_positions", check_array("root_positions", self.root_positions, (n_frames, 3)))
        if self.translations is not None:
            put(self, "translations", check_array("translations", self.translations, (n_frames, n_joints, 3)))
        put(self, "constraints", check_constraints(self.constraints, self.skeleton.names))
        put(self, "events", tuple(sorted(self.events, key=lambda event: event.frame)))

    @property
    def n_frames(self) -> int:
        """The number of frames T."""
        return len(self.rotations)

    def __repr__(self) -> str:
        return (
            f"Clip({self.n_frames} frames at {self.fps:.6g} fps, {self.skeleton.n_joints} joints, "
            f"{len(self.constraints)} constraints, {len(self.events)} events)"
        )

    @overload
    def __getitem__(self, frames: int) -> Pose: ...
    @overload
    def __getitem__(self, frames: slice) -> Clip: ...
    def __getitem__(self, frames: int | slice) -> Pose | Clip:
        """A slice of frames as a clip, with its annotations; or the pose of one frame."""
        if not isinstance(frames, slice):
            return self.at(range(self.n_frames)[frames])
        first, step = sampling.check_slice(frames, self.n_frames)
        rotations = self.rotations[frames]
        scale, shift = 1.0 / step, -first / step
        cyclic = self.cyclic and len(rotations) * step == self.n_frames
        last = len(rotations) - (0 if cyclic else 1)
        constraints, events = retime_annotations(self.constraints, self.events, scale, shift, last)
        return replace(
            self,
            frame_time=self.frame_time * step,
            root_positions=self.root_positions[frames],
            rotations=rotations,
            translations=None if self.translations is None else self.translations[frames],
            constraints=constraints,
            events=events,
            cyclic=cyclic,
            provenance=derive(self, "cut", start=first, rate=step),
        )

    def at(self, frames: npt.ArrayLike, method: sampling.Interpolation = "linear") -> Pose:
        """Return the poses at fractional frames (...), as read-only arrays.

        Positions are interpolated linearly and rotations spherically, or both by the cubics
        "catmull_rom" and "lagrange" (:mod:`motionloom.motion.sampling`).

        >>> # clip.at(2.5) is one pose, clip.at([0, 0.5, 1]) holds three
        """
        wanted = sampling.check_frames(frames, self.n_frames)
        moved = self.translations
        return Pose(
            self.skeleton,
            freeze(sampling.sample_vectors(self.root_positions, wanted, method)),
            freeze(sampling.sample_rotations(self.rotations, wanted, method)),
            None if moved is None else freeze(sampling.sample_vectors(moved, wanted, method)),
        )

    def resampled(self, fps: float) -> Clip:
        """Return the motion at another frame rate; rates within 0.1 % of the clip's change no pose.

        A cyclic clip stays cyclic: its period is rounded to a whole number of frames.
        """
        frames = sampling.frames_at_rate(self.n_frames, self.frame_time, fps)
        frame_time = sampling.frame_time_of(fps)
        if np.array_equal(frames, np.arange(self.n_frames)):
            if self.fps == fps:
                return self
            return replace(self, frame_time=frame_time, provenance=derive(self, "resampled"))
        if self.cyclic:
            # Going on over the seam is made of clips, so it can be imported only once there are clips.
            from motionloom.motion.unroll import resample_cycle

            return resample_cycle(self, fps)
        return self._sample("resampled", frames, frame_time, step=frame_time / self.frame_time)

    def sped_up(self, factor: float) -> Clip:
        """Return the motion played ``factor`` times as fast, at the same frame rate."""
        factor = check_positive("a speed factor", factor)
        if factor == 1.0 or self.n_frames < 2:
            return self
        frames = sampling.frames_by_step(self.n_frames, factor)
        return self._sample("sped up", frames, self.frame_time, factor)

    def reversed(self) -> Clip:
        """Return the motion played backwards."""
        last = self.n_frames - 1
        if self.cyclic:
            constraints, events = reverse_cycle_annotations(self.constraints, self.events, self.n_frames)
        else:
            constraints, events = retime_annotations(self.constraints, self.events, -1.0, float(last), last)
        return replace(
            self,
            root_positions=self.root_positions[::-1],
            rotations=self.rotations[::-1],
            translations=None if self.translations is None else self.translations[::-1],
            constraints=constraints,
            events=events,
            provenance=derive(self, "reversed", start=max(last, 0), rate=-1.0),
        )

    def mirrored(self) -> Clip:
        """Return the motion with left and right swapped, mirrored in the plane through the world's origin.

        Left and right joints are paired by name, then by geometry (:mod:`motionloom.motion.anatomy`).
        """
        return mirror(self)

    def placed(self, transform: GroundTransform) -> Clip:
        """Return the motion moved over the ground; below a root that stays put, the body is moved."""
        held = self.body.arrangement
        if self.arrangement is None and held is not None and held.ground_joint is None:
            return self.body.placed(transform).arranged()
        rotations = np.array(self.rotations)
        rotations[:, 0] = transform.apply_to_rotations(rotations[:, 0])
        return replace(
            self,
            root_positions=freeze(transform.apply(self.root_positions)),
            rotations=freeze(rotations),
            constraints=tuple(
                c if c.target is None else replace(c, target=transform.apply(c.target))
                for c in self.constraints
            ),
            provenance=derive(self, "placed"),
        )

    @cached_property
    def body(self) -> Clip:
        """The same motion with the joint that carries the body as its root (:mod:`motionloom.motion.body`).

        The clip itself, unless a joint above the hips stays put or only moves over the ground.
        """
        if self.arrangement is not None:
            return self
        # Finding it takes clips, so it can be imported only once there are clips.
        from motionloom.motion.body import take_body

        return take_body(self)

    def with_source(self, source: Source, provenance: Provenance) -> Clip:
        """Return the clip with another source and provenance; what was found about its motion is shared."""
        hold_answers(self)
        result = copy(self)
        put = object.__setattr__
        put(result, "source", source)
        put(result, "provenance", provenance)
        body = result.__dict__.pop("body", None)
        if body is self:
            put(result, "body", result)
        return result

    def arranged(self) -> Clip:
        """The same motion with the joints of the rig that :attr:`body` left out."""
        if self.arrangement is None:
            return self
        from motionloom.motion.arrangement import arrange_body

        return arrange_body(self)

    def show(self) -> None:
        """Show the clip: below the cell of a notebook, elsewhere as a page in the browser.

        :func:`motionloom.show` shows several clips, with names and captions.
        """
        import motionloom

        motionloom.show(self)

    def world_positions(self) -> FloatArray:
        """Return world positions (T, J, 3) of the joints, metres."""
        return self._world[0]

    def world_rotations(self) -> FloatArray:
        """Return world rotations (T, J, 4) of the joints."""
        return self._world[1]

    def world_velocities(self) -> FloatArray:
        """Return world velocities (T, J, 3) of the joints, m/s."""
        return kinematics.velocities(self.world_positions(), self.frame_time)

    def world_angular_velocities(self) -> FloatArray:
        """Return angular velocities (T, J, 3) of the joints in the world frame, rad/s."""
        return kinematics.angular_velocities(self.world_rotations(), self.frame_time)

    def tip_positions(self) -> FloatArray:
        """Return world positions (T, N, 3) of the skeleton's tips, metres."""
        tips = self.skeleton.tips
        joints = np.array([tip.joint for tip in tips], dtype=np.int64)
        points = np.array([tip.offset for tip in tips]).reshape(-1, 3)
        return kinematics.world_points(self.world_positions(), self.world_rotations(), joints, points)

    def point_positions(
        self, joint: int | str, point: npt.ArrayLike, frames: slice = slice(None)
    ) -> FloatArray:
        """Return world positions (T, 3) of a point (3,) in a joint's frame, metres; of all frames or some.

        >>> # clip.point_positions("LeftFoot", [0, -0.08, -0.05]) is the path of a heel
        """
        index = self.skeleton.index(joint) if isinstance(joint, str) else joint
        positions, rotations = self.world_positions()[frames], self.world_rotations()[frames]
        points = np.asarray(point, dtype=np.float64)[None]
        return np.asarray(kinematics.world_points(positions, rotations, [index], points)[:, 0])

    def local_positions(self) -> FloatArray:
        """Joint positions (T, J, 3) in the frames of their parents, metres; the offsets if bones are rigid.

        The root's row says nothing: ``root_positions`` does.
        """
        offsets = self.skeleton.offsets
        if self.translations is None:
            return np.broadcast_to(offsets, (self.n_frames, *offsets.shape))
        return self.translations

    def content_hash(self, *, annotations: bool = True) -> str:
        """Return a hash of skeleton, frame time and poses, and of the annotations where asked."""
        return self._hash(annotations=True) if annotations else self._motion_hash

    @cached_property
    def _motion_hash(self) -> str:
        return self._hash(annotations=False)

    def _hash(self, annotations: bool) -> str:
        skeleton = self.skeleton
        tips = [(tip.joint, tip.offset.tolist()) for tip in skeleton.tips]
        constraints = [
            (
                c.joint,
                c.kind,
                c.start,
                c.end,
                c.point.tolist(),
                None if c.target is None else c.target.tolist(),
            )
            for c in self.constraints
        ]
        events = [(event.frame, event.label, event.joint) for event in self.events]
        notes = (constraints, events) if annotations else ()
        facts = (skeleton.names, self.frame_time, self.cyclic, *notes, tips)
        moved = () if self.translations is None else (self.translations,)
        arrays = (
            skeleton.parents,
            skeleton.offsets,
            skeleton.rest_rotations,
            self.root_positions,
            self.rotations,
        )
        return hash_content(facts, (*arrays, *moved))

    @property
    def _world(self) -> tuple[FloatArray, FloatArray]:
        return find_once(self, _find_world)

    def _sample(self, edit: str, frames: FloatArray, frame_time: float, step: float) -> Clip:
        """Return the clip at fractional frames that lie ``step`` apart.

        A cyclic clip stays one only where the new frames divide its whole period.
        """
        poses = self.at(frames)
        cyclic = self.cyclic and bool(np.isclose(len(frames) * step, self.n_frames))
        last = len(frames) - (0 if cyclic else 1)
        constraints, events = retime_annotations(self.constraints, self.events, 1.0 / step, 0.0, last)
        return replace(
            self,
            frame_time=frame_time,
            root_positions=poses.root_positions,
            rotations=poses.rotations,
            translations=poses.translations,
            constraints=constraints,
            events=events,
            cyclic=cyclic,
            provenance=derive(self, edit, rate=step),
        )


def _find_world(clip: Clip) -> tuple[FloatArray, FloatArray]:
    return kinematics.world_transforms(clip.skeleton, clip.root_positions, clip.rotations, clip.translations)
