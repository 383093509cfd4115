"""The basis clips of a framespace: one rate, one skeleton, one cycle each, stacked for the kernels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.annotation import annotate, strikes
from motionloom.annotation.annotate import note_without_plants
from motionloom.annotation.treadmill import is_in_place, recover_if_in_place
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.cycles import CycleReport, cyclify
from motionloom.errors import ParameterError
from motionloom.framespace.warp import StateWarp
from motionloom.geometry import rotations as rot
from motionloom.messages import Argument, ClipName, Message
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.motion import name_clips
from motionloom.motion.result import Result
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.registration.compatibility import make_comparable

PADDING = (1, 2)
"""Rows before the first and after the last frame that the cubic between samples needs."""

N_COMPARED = 64
"""Moments of the cycle at which rotations of the clips are compared to choose their signs."""


def prepare_basis_clips(
    clips: Sequence[Clip], acyclic: Collection[int] = ()
) -> tuple[tuple[Clip, ...], tuple[str, ...], dict[int, CycleReport]]:
    """Make basis clips, notes on what was changed, and by number how clips were cut to cycles.

    All are brought to the lowest frame rate among them. A clip that is not cyclic is annotated, cut to one
    cycle and closed, unless it is among the ``acyclic`` ones. A clip of another skeleton is retargeted to
    that of the first one, and all get the joints of all, in one order.

    >>> from motionloom.synthesis import walk
    >>> walks = [walk(duration=4.0).clip, walk(duration=4.0, speed=1.0).clip]
    >>> clips, notes, cuts = prepare_basis_clips(walks)
    >>> [clip.cyclic for clip in clips], len(notes), sorted(cuts)
    ([True, True], 2, [0, 1])
    """
    lowest = max(clips, key=lambda clip: clip.frame_time)
    prepared: list[Clip] = []
    notes: list[str] = []
    cuts: dict[int, CycleReport] = {}
    names = name_clips(clips)
    clips = [clip if k in acyclic else _recover_travel(names[k], clip, notes) for k, clip in enumerate(clips)]
    for k, clip in enumerate(clips):
        if abs(lowest.frame_time / clip.frame_time - 1.0) > SAME_RATE:
            resampled = f" was resampled from {clip.fps:.6g} to {lowest.fps:.6g} frames per second"
            notes.append(Message((names[k], resampled)))
        own = clip.resampled(lowest.fps)
        if k in acyclic:
            prepared.append(_ensure_annotated(replace(own, cyclic=False)))
            continue
        if not own.cyclic:
            cut = _cut_cycle(names[k], own)
            own, cuts[k] = cut.clip, cut.report
            notes += _note_cut(names[k], cut.report)
        prepared.append(_ensure_annotated(own))
    prepared, more = _unify_skeletons(prepared)
    notes += [*more, *_note_strikes(prepared), *note_without_plants(prepared)]
    return tuple(prepared), tuple(notes), cuts


def _recover_travel(name: ClipName, clip: Clip, notes: list[str]) -> Clip:
    if not is_in_place(clip):
        return clip
    moving, steady = recover_if_in_place(_ensure_annotated(clip))
    if steady is not None:
        speed = np.hypot(steady.x, steady.z)
        notes.append(Message((name, f" walks in place: its travel of {speed:.2f} m/s was recovered")))
    return moving


@dataclass(frozen=True, eq=False, kw_only=True)
class BasisFrames:
    """The frames of K basis clips, stacked in rows for the kernels.

    Attributes
    ----------
    clips
        The clips.
    lengths
        (K,) number of frames of each.
    cyclic
        (K,) which of them repeat.
    headings, turn_rates
        (K,) heading at frame 0 of the steady turn that stands for each clip, radians, and its radians per
        frame.
    root_rows, rotation_rows, bone_rows
        (R, 3), (R, 4 J) and, where bones move or differ, (R, 3 J): frames of all clips one after the other,
        cyclic clips with a cycle before and one after. Root rotations are relative to the steady heading, and
        signs of rotations are chosen such that clips agree.
    firsts
        (K,) row of frame 0 of each clip.
    """

    clips: tuple[Clip, ...]
    lengths: FloatArray
    cyclic: BoolArray
    headings: FloatArray
    turn_rates: FloatArray
    root_rows: FloatArray
    rotation_rows: FloatArray
    bone_rows: FloatArray | None
    firsts: IntArray

    def sample(self, rows: FloatArray, frames: FloatArray) -> FloatArray:
        """Return vectors (T, K, N) of rows at fractional frames (T, K)."""
        out = np.empty((*frames.shape, rows.shape[1]))
        kernels.average.sample_all(rows, self.firsts, read_only_view(frames), out, 0, len(frames))
        return out

    def headings_at(self, frames: FloatArray) -> FloatArray:
        """Return steady headings (T, K) at frames (T, K)."""
        return np.asarray(self.headings + self.turn_rates * frames)

    def wrap(self, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return frames (T, K) within one cycle, and the whole cycles before them (0 for an acyclic clip)."""
        cycles = np.where(self.cyclic, np.floor(frames / self.lengths), 0.0)
        return frames - cycles * self.lengths, cycles


def stack_frames(clips: Sequence[Clip], warp: StateWarp) -> BasisFrames:
    """Stack the frames of basis clips; ``warp`` says where the cyclic ones correspond."""
    steady = [_fit_steady_turn(clip) for clip in clips]
    extended = [_extend(clip) for clip in clips]
    leads = np.array([clip.n_frames if clip.cyclic else PADDING[0] for clip in clips])
    rotations = [
        _remove_heading(own.rotations, *turn, int(lead))
        for own, turn, lead in zip(extended, steady, leads, strict=True)
    ]
    starts = np.concatenate([[0], np.cumsum([own.n_frames for own in extended])[:-1]])
    bones = _local_positions(extended)
    return BasisFrames(
        clips=tuple(clips),
        lengths=np.array([clip.n_frames for clip in clips], dtype=np.float64),
        cyclic=np.array([clip.cyclic for clip in clips]),
        headings=np.array([start for start, _ in steady]),
        turn_rates=np.array([rate for _, rate in steady]),
        root_rows=read_only_view(np.concatenate([own.root_positions for own in extended])),
        rotation_rows=_stack_rows(_align_signs(rotations, leads, clips, warp)),
        bone_rows=None if bones is None else _stack_rows(bones),
        firsts=read_only_view(starts + leads),
    )


def _ensure_annotated(clip: Clip) -> Clip:
    return clip if clip.events else annotate(clip)


def _cut_cycle(name: ClipName, clip: Clip) -> Result[CycleReport]:
    try:
        return cyclify(_ensure_annotated(clip), cycles=1)
    except ParameterError as error:
        raise ParameterError(
            (f"{name} cannot be made a cycle: ", error.message),
            remedy=("name it in ", Argument("acyclic"), " to play it once"),
        ) from None


def _note_cut(name: ClipName, report: CycleReport) -> list[str]:
    frames = f"frames {report.start} to {report.end:.1f}"
    notes: list[str] = [
        Message((name, f" was cut to one {report.unit} of {report.duration:.2f} s, {frames}"))
    ]
    if not report.passed:
        notes.append(
            Message(
                (name, f" hardly repeats: closing it moved joints by up to {100.0 * report.change:.0f} cm"),
                remedy=("if it does not repeat at all, name it in ", Argument("acyclic")),
            )
        )
    return notes


def _unify_skeletons(clips: Sequence[Clip]) -> tuple[list[Clip], list[str]]:
    """Give all clips the same joints in the same order, and return notes on those that were retargeted."""
    unified, notes = make_comparable(clips)
    if len({clip.skeleton.names for clip in unified}) == 1:
        return list(unified), list(notes)
    union = skeleton_union([clip.skeleton for clip in unified])
    more = list(notes)
    for k, lacked in enumerate((~union.presence).sum(axis=0).tolist()):
        if lacked:
            shown = "1 joint" if lacked == 1 else f"{lacked} joints"
            lacks = f" lacks {shown} that others have; they stay in their rest pose"
            more.append(Message((name_clips(clips)[k], lacks)))
    return [move_to_union(clip, union, k) for k, clip in enumerate(unified)], more


def _note_strikes(clips: Sequence[Clip]) -> list[str]:
    """Return a note where the cycles of gaits hold different numbers of steps."""
    counts = [len(strikes(clip)) for clip in clips if clip.cyclic]
    if len({count for count in counts if count}) > 1:
        shown = ", ".join(map(str, counts))
        return [f"the cycles have different numbers of strikes ({shown}): give cycles of one stride each"]
    return []


def _fit_steady_turn(clip: Clip) -> tuple[float, float]:
    """Return heading at frame 0 and radians per frame of the even turn closest to a clip's facing."""
    yaws = facing(clip)
    rate = travel(clip).yaw / clip.n_frames if clip.cyclic else float(yaws[-1] - yaws[0]) / len(yaws)
    return float(np.mean(yaws - rate * np.arange(len(yaws)))), rate


def _extend(clip: Clip) -> Clip:
    """Extend a cyclic clip by one cycle before it and one after it; hold the ends of an acyclic one."""
    if clip.cyclic:
        return extend_cycle(clip, 3 * clip.n_frames + sum(PADDING)).placed(travel(clip).inverse())
    before, after = PADDING
    poses = clip.at(np.clip(np.arange(-before, clip.n_frames + after), 0, clip.n_frames - 1))
    return Clip(clip.skeleton, clip.frame_time, poses.root_positions, poses.rotations, poses.translations)


def _remove_heading(rotations: FloatArray, start: float, rate: float, lead: int) -> FloatArray:
    """Return rotations (R, J, 4) with roots relative to the steady heading, and continuous signs."""
    frames = np.arange(len(rotations)) - lead
    relative = np.array(rotations)
    relative[:, 0] = rot.multiply(rot.from_yaw(-(start + rate * frames)), relative[:, 0])
    return rot.unroll(relative)


def _align_signs(
    rotations: Sequence[FloatArray], leads: IntArray, clips: Sequence[Clip], warp: StateWarp
) -> list[FloatArray]:
    """Choose the signs, one per clip and joint, by which the rotations of all clips are most alike."""
    moments = np.linspace(0.0, 1.0, N_COMPARED, endpoint=False)
    n_cyclic = warp.phases.shape[1]
    phases = iter(warp.moments(moments, np.full((N_COMPARED, n_cyclic), 1.0 / n_cyclic)).phases.T)
    samples = []
    for own, lead, clip in zip(rotations, leads.tolist(), clips, strict=True):
        fractions = next(phases) % 1.0 if clip.cyclic else moments
        samples.append(own[np.rint(fractions * clip.n_frames).astype(int) + lead])
    # Signs s maximise the sum of s_k s_l <q_k, q_l>: the leading eigenvector of each joint's matrix has them.
    similarity = np.einsum("knjc,lnjc->jkl", samples, samples)
    signs = np.where(np.linalg.eigh(similarity)[1][..., -1] < 0.0, -1.0, 1.0)
    return [own * signs[:, k, None] for k, own in enumerate(rotations)]


def _local_positions(clips: Sequence[Clip]) -> list[FloatArray] | None:
    """Return local joint positions (R, J, 3) of all clips where bones move or differ, else None."""
    first = clips[0].skeleton.offsets[1:]
    if all(clip.translations is None and np.array_equal(clip.skeleton.offsets[1:], first) for clip in clips):
        return None
    return [clip.local_positions() for clip in clips]


def _stack_rows(parts: Sequence[FloatArray]) -> FloatArray:
    return read_only_view(np.concatenate([part.reshape(len(part), -1) for part in parts]))
