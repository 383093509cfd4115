"""The pack of a clip: where its joints are in every frame, and all there is to show about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.deferred import DeferredNotes
from motionloom.registration import RegistrationReport, Verdict
from motionloom.studio.characters import find_mannequin_key
from motionloom.studio.packs import pack
from motionloom.studio.page_words import in_page_words
from motionloom.studio.responses import ClipHeader, Fit, ShownVerdict
from motionloom.viewer.clip_data import figure_height, floor_height
from motionloom.viewer.page_data import Mark
from motionloom.viewer.planted_points import PlantedPoints, find_planted_points, plant_spans

if TYPE_CHECKING:
    from motionloom.project.evaluator import EvaluatedClip

FITS: dict[Verdict, Fit] = {Verdict.GOOD: "good", Verdict.DOUBTFUL: "doubtful", Verdict.UNFIT: "unfit"}


def pack_clip(outcome: EvaluatedClip) -> bytes:
    """Pack an evaluated clip: a :class:`ClipHeader` and its arrays."""
    clip = outcome.clip.body
    held = find_planted_points(clip)
    # Planted feet of a gait in place stand on ground that moves.
    moving = recover_if_in_place(clip)[0] if held.columns else clip
    arrays = {"positions": clip.world_positions(), "rotations": clip.world_rotations()}
    if outcome.before is not None and outcome.before.n_frames == clip.n_frames:
        arrays["before"] = outcome.before.body.world_positions()
    if held.columns:
        arrays["points"] = held.track(clip)
        if moving is not clip:
            arrays["ground_points"] = held.track(moving)
    if outcome.blend is not None:
        arrays |= {"u": outcome.blend.u, "weights": outcome.blend.weights, "frames": source_frames(outcome)}
    elif outcome.frames is not None:
        arrays["frames"] = outcome.frames
    return pack(clip_header(outcome, held, moving), arrays)


def clip_header(outcome: EvaluatedClip, held: PlantedPoints, moving: Clip) -> ClipHeader:
    """Describe an evaluated clip; its plants slide as they do in ``moving``, the clip with its travel."""
    clip, known = outcome.clip.body, outcome.notes
    if isinstance(known, DeferredNotes):
        known = tuple(known) if known.are_found else known.known
    return ClipHeader(
        names=clip.skeleton.names,
        parents=tuple(clip.skeleton.parents.tolist()),
        n_frames=clip.n_frames,
        edit=outcome.edit,
        whole_frames=outcome.whole_frames,
        fps=clip.fps,
        cyclic=clip.cyclic,
        plants=plant_spans(clip, held, moving),
        events=tuple(Mark(frame=e.frame, label=e.label, joint=e.joint) for e in clip.events),
        seams=tuple(float(seam) for seam in outcome.seams),
        floor=floor_height(clip),
        height=figure_height(clip),
        verdict=None if outcome.curve is None else show_verdict(outcome.curve.report),
        notes=tuple(in_page_words(note) for note in known),
        has_more_notes=known is not outcome.notes,
        mannequin=find_mannequin_key(clip),
    )


def show_verdict(report: RegistrationReport) -> ShownVerdict:
    """Return a verdict in the words of the page."""
    return ShownVerdict(
        fit=FITS[report.verdict],
        level=report.verdict.value,
        reason=report.reason,
        remedy=in_page_words(report.remedy),
        figure=report.figure,
    )


def source_frames(outcome: EvaluatedClip) -> FloatArray:
    """Return the source frames (T, K) of a blend, counted in the clips as the project shows them."""
    assert outcome.blend is not None
    if outcome.curve is None:
        return outcome.blend.frames
    columns = zip(outcome.curve.clips, outcome.source_provenances, outcome.blend.frames.T, strict=True)
    return np.stack(
        [clip.provenance.relative_to(source).frames(frames) for clip, source, frames in columns], axis=1
    )
