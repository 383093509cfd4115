"""The basis clips laid out for the kernels, with their steady turning taken out of the roots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.framespace.warp import StateWarp
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.unrolling import extended, travel

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
        return extended(clip, 3 * clip.n_frames + sum(PADDING)).placed(travel(clip).inverse())
    before, after = PADDING
    poses = clip.at(np.clip(np.arange(-before, clip.n_frames + after), 0, clip.n_frames - 1))
    return Clip(clip.skeleton, clip.frame_time, poses.root_positions, poses.rotations, poses.translations)


def _turned_back(rotations: FloatArray, start: float, turn: float, lead: int) -> FloatArray:
    """Rotations (R, J, 4) whose roots are seen from the steady heading, with signs that run on smoothly."""
    frames = np.arange(len(rotations)) - lead
    turned = np.array(rotations)
    turned[:, 0] = rot.multiply(rot.from_yaw(-(start + turn * frames)), turned[:, 0])
    return rot.unrolled(turned)


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
