"""The basis clips of a framespace: one rate, one body, one cycle each, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionloom import kernels
from motionloom.annotation import annotate, strikes
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.cycles import CycleReport, cyclify
from motionloom.errors import ParameterError
from motionloom.framespace.warp import StateWarp
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.skeleton_union import move_to_union, skeleton_union
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.registration.compatibility import make_comparable


def prepared(
    clips: Sequence[Clip], acyclic: Collection[int] = ()
) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    """The clips as basis clips, and notes on what was changed.

    All are brought to the slowest rate among them. A clip that is not cyclic is annotated, and cut to one
    cycle and closed, unless it is among the ``acyclic`` ones. A clip of another skeleton is mapped onto that
    of the first one, and all get the joints of all, in one order.

    >>> from motionloom.synthesis import walk
    >>> clips, notes = prepared([walk(duration=4.0).clip, walk(duration=4.0, speed=1.0).clip])
    >>> [clip.cyclic for clip in clips], len(notes)
    ([True, True], 2)
    """
    clips = listed(clips)
    slowest = max(clips, key=lambda clip: clip.frame_time)
    made, notes = [], []
    for k, clip in enumerate(clips):
        if abs(slowest.frame_time / clip.frame_time - 1.0) > SAME_RATE:
            notes.append(f"clip {k} was resampled from {clip.fps:.6g} to {slowest.fps:.6g} frames per second")
        own = clip.resampled(slowest.fps)
        if k in acyclic:
            made.append(_annotated(replace(own, cyclic=False)))
            continue
        cycle = own if own.cyclic else _cycle(k, own)
        notes += _notes(k, clip, cycle)
        made.append(_annotated(cycle))
    made, remarks = _on_one_body(made)
    notes += [*remarks, *_stride_notes(made)]
    return tuple(made), tuple(notes)


def listed(clips: Iterable[Clip]) -> tuple[Clip, ...]:
    """The clips, or an error when one of them has no skeleton.

    >>> listed([])
    ()
    """
    if not isinstance(clips, Iterable):
        raise ParameterError(f"a framespace takes a list of clips, not {clips!r}")
    made = tuple(clips)
    for k, clip in enumerate(made):
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {k} is a {type(clip).__name__}: a framespace takes clips with a skeleton"
            )
    return made


def checked_acyclic(acyclic: int | None, n_clips: int) -> tuple[int, ...]:
    """The number of the clip that is played once, if there is one.

    >>> checked_acyclic(1, 2), checked_acyclic(None, 2)
    ((1,), ())
    """
    if acyclic is None:
        return ()
    if isinstance(acyclic, bool) or not isinstance(acyclic, int) or acyclic not in range(n_clips):
        raise ParameterError(f"acyclic is the number of one clip, 0 to {n_clips - 1}, not {acyclic!r}")
    return (acyclic,)


def name_of(clip: Clip, k: int) -> str:
    """What a clip is called: the name of its file, or its number.

    >>> from motionloom.synthesis import walk
    >>> name_of(walk(duration=1.0).clip, 2)
    'clip 2'
    """
    return Path(clip.source.path).stem or f"clip {k}"


def _on_one_body(clips: Sequence[Clip]) -> tuple[list[Clip], list[str]]:
    """The clips with the same joints in the same order, and notes on those that were carried over."""
    mapped, remarks = make_comparable(clips)
    # What a clip was cut from stays known when it gets another skeleton.
    made = [
        own if own is clip else replace(own, report=clip.report)
        for own, clip in zip(mapped, clips, strict=True)
    ]
    if len({clip.skeleton.names for clip in made}) == 1:
        return made, list(remarks)
    body = skeleton_union([clip.skeleton for clip in made])
    notes = list(remarks)
    for k, lacked in enumerate((~body.presence).sum(axis=0).tolist()):
        if lacked:
            shown = "1 joint" if lacked == 1 else f"{lacked} joints"
            notes.append(f"clip {k} lacks {shown} that others have, which rest in it")
    return [move_to_union(clip, body, k) for k, clip in enumerate(made)], notes


def _cycle(k: int, clip: Clip) -> Clip:
    try:
        return cyclify(_annotated(clip), cycles=1)
    except ParameterError as error:
        raise ParameterError(
            f"clip {k} cannot be made a cycle: {error}; or name it in acyclic= to play it once"
        ) from None


def _annotated(clip: Clip) -> Clip:
    return clip if clip.events else replace(annotate(clip), report=clip.report)


def _notes(k: int, given: Clip, cycle: Clip) -> list[str]:
    report = cycle.report
    if given.cyclic or not isinstance(report, CycleReport):
        return []
    made = [
        f"clip {k} was cut to one {report.unit} of {report.duration:.2f} s, frames {report.start} to "
        f"{report.end:.1f}"
    ]
    if not report.passed:
        made.append(
            f"clip {k} does not repeat within the limit: closing it moved joints by up to "
            f"{100.0 * report.change:.0f} cm; if it does not repeat at all, name it in acyclic="
        )
    return made


def _stride_notes(clips: Sequence[Clip]) -> list[str]:
    """A remark where the cycles of gaits hold different numbers of steps."""
    counts = [len(strikes(clip)) for clip in clips if clip.cyclic]
    if len({count for count in counts if count}) > 1:
        shown = ", ".join(map(str, counts))
        return [f"the cycles have different numbers of strikes ({shown}): give cycles of one stride each"]
    return []


PADDING = (1, 2)
"""Rows before the first and after the last frame that the cubic between samples reaches for."""

N_COMPARED = 64
"""Moments of the cycle at which rotations of the clips are compared to choose their signs."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameSources:
    """What blending reads of K basis clips.

    Attributes
    ----------
    clips
        The clips.
    lengths
        (K,) frames of each.
    cyclic
        (K,) which of them repeat.
    headings, turns
        (K,) heading at frame 0 of the steady turning that stands for each clip, and radians per frame of it.
    root_rows, rotation_rows, bone_rows
        (R, 3), (R, 4 J) and, where bones move or differ, (R, 3 J): frames of all clips one after the other,
        cyclic clips with a cycle before and one after. Roots are turned back by the steady heading, and signs
        of rotations are chosen such that clips agree.
    firsts
        (K,) row of frame 0 of each clip.
    """

    clips: tuple[Clip, ...]
    lengths: FloatArray
    cyclic: BoolArray
    headings: FloatArray
    turns: FloatArray
    root_rows: FloatArray
    rotation_rows: FloatArray
    bone_rows: FloatArray | None
    firsts: IntArray

    def sampled(self, rows: FloatArray, frames: FloatArray) -> FloatArray:
        """Vectors (T, K, N) of rows at fractional frames (T, K)."""
        out = np.empty((*frames.shape, rows.shape[1]))
        kernels.average.sample_all(rows, self.firsts, read_only_view(frames), out, 0, len(frames))
        return out

    def heading_at(self, frames: FloatArray) -> FloatArray:
        """Steady headings (T, K) at frames (T, K)."""
        return np.asarray(self.headings + self.turns * frames)

    def within(self, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Frames (T, K) within one cycle, and the whole cycles before them; an acyclic clip has one."""
        cycles = np.where(self.cyclic, np.floor(frames / self.lengths), 0.0)
        return frames - cycles * self.lengths, cycles


def sources_of(clips: Sequence[Clip], warp: StateWarp) -> FrameSources:
    """Lay out basis clips; ``warp`` says where the cyclic ones correspond."""
    steady = [_steady_heading(clip) for clip in clips]
    long = [_covering(clip) for clip in clips]
    leads = np.array([clip.n_frames if clip.cyclic else PADDING[0] for clip in clips])
    turns = [
        _turned_back(own.rotations, *heading, int(lead))
        for own, heading, lead in zip(long, steady, leads, strict=True)
    ]
    starts = np.concatenate([[0], np.cumsum([own.n_frames for own in long])[:-1]])
    bones = _bones(long)
    return FrameSources(
        clips=tuple(clips),
        lengths=np.array([clip.n_frames for clip in clips], dtype=np.float64),
        cyclic=np.array([clip.cyclic for clip in clips]),
        headings=np.array([start for start, _ in steady]),
        turns=np.array([turn for _, turn in steady]),
        root_rows=read_only_view(np.concatenate([own.root_positions for own in long])),
        rotation_rows=_flat(_agreeing(turns, leads, clips, warp)),
        bone_rows=None if bones is None else _flat(bones),
        firsts=read_only_view(starts + leads),
    )


def _steady_heading(clip: Clip) -> tuple[float, float]:
    """Heading at frame 0 and radians per frame of the even turn that comes nearest to a clip's facing."""
    yaws = facing(clip)
    turn = travel(clip).yaw / clip.n_frames if clip.cyclic else float(yaws[-1] - yaws[0]) / len(yaws)
    return float(np.mean(yaws - turn * np.arange(len(yaws)))), turn


def _covering(clip: Clip) -> Clip:
    """A cyclic clip from one cycle before its first frame to one after its last; else with held ends."""
    if clip.cyclic:
        return extend_cycle(clip, 3 * clip.n_frames + sum(PADDING)).placed(travel(clip).inverse())
    before, after = PADDING
    poses = clip.at(np.clip(np.arange(-before, clip.n_frames + after), 0, clip.n_frames - 1))
    return Clip(clip.skeleton, clip.frame_time, poses.root_positions, poses.rotations, poses.translations)


def _turned_back(rotations: FloatArray, start: float, turn: float, lead: int) -> FloatArray:
    """Rotations (R, J, 4) whose roots are seen from the steady heading, with signs that run on smoothly."""
    frames = np.arange(len(rotations)) - lead
    turned = np.array(rotations)
    turned[:, 0] = rot.multiply(rot.from_yaw(-(start + turn * frames)), turned[:, 0])
    return rot.unroll(turned)


def _agreeing(
    turns: Sequence[FloatArray], leads: IntArray, clips: Sequence[Clip], warp: StateWarp
) -> list[FloatArray]:
    """Rotations of all clips with the signs, one per clip and joint, by which they are most alike."""
    moments = np.linspace(0.0, 1.0, N_COMPARED, endpoint=False)
    n_cyclic = warp.phases.shape[1]
    phases = iter(warp.moments(moments, np.full((N_COMPARED, n_cyclic), 1.0 / n_cyclic)).phases.T)
    seen = []
    for own, lead, clip in zip(turns, leads.tolist(), clips, strict=True):
        places = next(phases) % 1.0 if clip.cyclic else moments
        seen.append(own[np.rint(places * clip.n_frames).astype(int) + lead])
    # Signs s maximise the sum of s_k s_l <q_k, q_l>: the leading eigenvector of each joint's matrix has them.
    likeness = np.einsum("knjc,lnjc->jkl", seen, seen)
    signs = np.where(np.linalg.eigh(likeness)[1][..., -1] < 0.0, -1.0, 1.0)
    return [own * signs[:, k, None] for k, own in enumerate(turns)]


def _bones(clips: Sequence[Clip]) -> list[FloatArray] | None:
    """Local joint positions (R, J, 3) of all clips where bones move or differ between clips, else None."""
    first = clips[0].skeleton.offsets[1:]
    if all(clip.translations is None and np.array_equal(clip.skeleton.offsets[1:], first) for clip in clips):
        return None
    return [clip.local_positions() for clip in clips]


def _flat(parts: Sequence[FloatArray]) -> FloatArray:
    return read_only_view(np.concatenate([part.reshape(len(part), -1) for part in parts]))
