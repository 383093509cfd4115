"""The result of a blend: the clip, and what went into each of its frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, check_array
from motionloom.blending.constrain import BlendedAnnotations
from motionloom.blending.hand_over import HandOver
from motionloom.motion import Clip, Pose
from motionloom.motion.ground_path import SMOOTHING
from motionloom.motion.provenance import OWN_SOURCE, Source
from motionloom.motion.result import Result
from motionloom.motion.steady_travel import put_in_place

SAME_WEIGHT = 1e-6
"""Weights that change by less over a blend are constant."""


@dataclass(frozen=True)
class BlendedFlight:
    """A flight of all clips in a blend.

    Attributes
    ----------
    start, end
        Output frames, with fractions, between which the blend flies.
    gravity
        Downward acceleration that its weights give, Σ w g T² / Σ w T² of the clips, m/s².
    """

    start: float
    end: float
    gravity: float


@dataclass(frozen=True, kw_only=True, repr=False)
class BlendReport:
    """Report on how a blended clip was made.

    Attributes
    ----------
    method
        The method that made the clip.
    notes
        What was trimmed, dropped or rounded, in sentences.
    seams
        Frames at which unchanged source motion ends or begins again; empty for a plain blend.
    centres
        For each transition, the frames of both clips that meet in its middle, with fractions, at the frame
        rate of the result; empty for a plain blend and for clips joined by overlap.
    kept, alone
        For clips in a row, the fraction of each that plays, and that plays without another; 1 for all of it.
        Empty for a plain blend.
    doubts
        For each transition, why it may not look right, as a sentence; empty where nothing speaks against it.
    fallbacks
        Numbers of the transitions that were cross-faded because no registration could be had, from 0.
    hand_overs
        Joints that follow one clip for a while because the clips' rotations are too far apart to average.
    flights
        Flights of all clips that keep gravity, under a rate law that does.
    """

    method: str
    notes: tuple[str, ...] = ()
    seams: tuple[float, ...] = ()
    centres: tuple[tuple[float, float], ...] = ()
    kept: tuple[float, ...] = ()
    alone: tuple[float, ...] = ()
    doubts: tuple[str, ...] = ()
    fallbacks: tuple[int, ...] = ()
    hand_overs: tuple[HandOver, ...] = ()
    flights: tuple[BlendedFlight, ...] = ()

    def __repr__(self) -> str:
        parts = [repr(self.method)]
        parts += [f"{len(self.seams)} seams"] if self.seams else []
        parts += [f"{len(self.notes)} note{'s' if len(self.notes) > 1 else ''}"] if self.notes else []
        return f"BlendReport({', '.join(parts)})"


if TYPE_CHECKING:
    # Type checkers know defaults of type variables; Python does from 3.13 on.
    from typing_extensions import TypeVar

    BlendReportT = TypeVar("BlendReportT", bound=BlendReport, covariant=True, default=BlendReport)
else:
    from typing import TypeVar

    BlendReportT = TypeVar("BlendReportT")

OtherReportT = TypeVar("OtherReportT", bound=BlendReport)


@dataclass(frozen=True, eq=False, kw_only=True)
class BlendResult(Result[BlendReportT, Clip]):
    """A blend of K clips, with what went into each of its T frames.

    Attributes
    ----------
    clip
        The blended motion.
    report
        How it was made: a :class:`BlendReport`, or that of a stage which says more.
    u
        (T,) parameter of the registration curve; for cyclic clips it keeps growing from cycle to cycle.
    weights
        (T, K) weights of the clips, with sum 1.
    frames
        (T, K) source frame of each clip; for cyclic clips, within one cycle.
    placements
        (T, K, 3) yaw, x and z that place each source frame in the result's world.
    joint_weights
        (T, J, K) weights that each joint's rotations were averaged with, in the order of the curve's joints;
        None if all joints follow ``weights``.
    """

    u: FloatArray
    weights: FloatArray
    frames: FloatArray
    placements: FloatArray
    joint_weights: FloatArray | None = None

    def __post_init__(self) -> None:
        n_frames = self.clip.n_frames
        put = object.__setattr__
        put(self, "u", check_array("u", self.u, (n_frames,)))
        put(self, "weights", check_array("weights", self.weights, (n_frames, "K")))
        n_clips = self.weights.shape[1]
        put(self, "frames", check_array("frames", self.frames, (n_frames, n_clips)))
        put(self, "placements", check_array("placements", self.placements, (n_frames, n_clips, 3)))

    def with_report(self, report: OtherReportT, clip: Clip | None = None) -> BlendResult[OtherReportT]:
        """Return the same blend with another report and, where given, another clip of as many frames."""
        return BlendResult(
            clip=self.clip if clip is None else clip,
            report=report,
            u=self.u,
            weights=self.weights,
            frames=self.frames,
            placements=self.placements,
            joint_weights=self.joint_weights,
        )

    def __repr__(self) -> str:
        n_clips = self.weights.shape[1]
        return f"BlendResult({self.clip.n_frames} frames at {self.clip.fps:.6g} fps from {n_clips} clips)"


def put_blend_in_place(result: BlendResult[OtherReportT]) -> BlendResult[OtherReportT]:
    """Take the travel out of a blend; its report is kept.

    Where the weights change, and with them the speed, the smoothed path is taken out, else one steady travel.
    ``placements`` still place the source frames along the path that was taken out.
    """
    changes = bool(len(result.weights)) and float(np.ptp(result.weights, axis=0).max()) > SAME_WEIGHT
    return replace(result, clip=put_in_place(result.clip, smoothing=SMOOTHING if changes else None).clip)


def assemble_clip(model: Clip, poses: Pose, annotations: BlendedAnnotations, cyclic: bool = False) -> Clip:
    """Make a clip of blended poses (T,) and annotations, with the rate and file conventions of a model."""
    return replace(
        model,
        skeleton=poses.skeleton,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=annotations.constraints,
        events=annotations.events,
        cyclic=cyclic,
        source=file_conventions(model),
        provenance=OWN_SOURCE,
    )


def file_conventions(model: Clip) -> Source:
    """Return the source of a model without its path and animation: new motion has the same units and axes.

    Saved into the model's own file, it is another animation there.
    """
    return replace(model.source, path="", notes=(), animation="")
