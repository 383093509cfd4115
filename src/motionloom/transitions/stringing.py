"""Clips in a row, with a transition from each to the next."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.errors import RegistrationWarning
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.transitions.cycles import Used, used
from motionloom.transitions.middle import Middle
from motionloom.transitions.plan import (
    SHRINK,
    SPARE,
    Plan,
    TooShortError,
    Wish,
    is_narrowest,
    plans,
)
from motionloom.transitions.seams import part_of, put_together
from motionloom.transitions.splice import agreeing, joined

AMPLE = 1.4
"""How much more of a cyclic clip there is than transitions should take: it costs nothing to have it."""

CALLER = 4
"""Frames of the call stack from a warning here to whoever asked for the transition."""


def strung(
    clips: Sequence[Clip],
    wishes: Sequence[Wish],
    make: Callable[[Plan], Middle],
    *,
    loop: bool,
    notes: tuple[str, ...] = (),
) -> BlendResult:
    """Play clips in a row, with a transition from each to the next as the wishes, one fewer, want it."""
    parts = _parts(clips, wishes, loop)
    links = []
    current = parts[0]
    for n, wish in enumerate(wishes):
        following = parts[n + 1]
        keep = _taken(wishes[n + 1], 0) if n + 1 < len(wishes) else (0.0, 0.0)
        plan, middle, unlike = _made(current, following, replace(wish, keep=sum(keep)), make)
        if middle.misfit:
            warnings.warn(_doubt(n, middle.misfit), RegistrationWarning, stacklevel=CALLER)
        made = joined(current.clip, following.clip, middle, wish.method, _choices(wish, plan, unlike))
        links.append(_named(made, current, following))
        if n + 1 < len(wishes):
            way = GroundTransform(*middle.placements[-1, 1].tolist())
            current = following.going_on(round(middle.frames[-1, 1]), way)
    return _in_a_row(links, notes)


def _made(
    current: Used, following: Used, wish: Wish, make: Callable[[Plan], Middle]
) -> tuple[Plan, Middle, bool]:
    """The middle that is wished for; narrower where clips do not allow for a width that nobody asked for.

    How much motion it takes and whether the clips correspond there is seen when it is made: where the best
    place does not do, others may. Also whether clips that hardly correspond had a say in it.
    """
    doubtful: list[tuple[Plan, Middle]] = []
    while True:
        refusals = []
        for plan in plans(current, following, wish):
            try:
                middle = make(plan)
            except TooShortError as error:
                refusals.append(error)
                continue
            if not middle.misfit:
                return plan, middle, bool(doubtful)
            doubtful.append((plan, middle))
        if wish.fixed or is_narrowest(plan.half, current.clip.frame_time):
            break
        wish = replace(wish, half=SHRINK * plan.half)
    if doubtful:
        # The frames most alike, and the narrowest width, do least harm.
        return *doubtful[0 if wish.fixed else -1], True
    raise min(refusals, key=lambda refusal: refusal.missing)


def _doubt(n: int, misfit: float) -> str:
    return (
        f"from clip {n} to {n + 1} frames are blended that hardly correspond, {100.0 * misfit:.0f} cm apart "
        "on average: look at the result, choose other frames (at), or ask for another half_width"
    )


def _choices(wish: Wish, plan: Plan, unlike: bool) -> tuple[str, ...]:
    """What was chosen, in sentences."""
    notes = []
    if wish.at is None:
        first, second = plan.a.given(plan.centre[0]), plan.b.given(plan.centre[1])
        notes.append(f"frame {first} of the first clip meets frame {second} of the second in the middle")
    if plan.half < round(wish.half):
        wanted, made = (2.0 * half * plan.a.clip.frame_time for half in (wish.half, plan.half))
        why = "hardly correspond over" if unlike else "are too short for"
        notes.append(f"the clips {why} a transition of {wanted:.2f} s: it takes {made:.2f} s")
    return tuple(notes)


def _taken(wish: Wish, which: int) -> tuple[float, float]:
    """Frames that a transition takes of its first (0) or second (1) clip before and after the centre."""
    room = wish.room(wish.half, SPARE)
    return room.before[which], room.after[which]


def _parts(clips: Sequence[Clip], wishes: Sequence[Wish], loop: bool) -> list[Used]:
    """The clips as they are used; cyclic ones are repeated as the transitions at both their ends need it."""
    parts = []
    for n, clip in enumerate(clips):
        into = _taken(wishes[n - 1], 1) if n > 0 else None
        out = _taken(wishes[n], 0) if n < len(wishes) else None
        entered = wishes[n - 1] if n > 0 else wishes[0]
        frame = None if entered.at is None else entered.at[1 if n > 0 else 0]
        before, after = into or out or (0.0, 0.0)
        after += sum(out) if into and out else 0.0
        parts.append(used(clip, before=AMPLE * before, after=AMPLE * after, frame=frame, loop=loop))
    return parts


def _named(result: BlendResult, a: Used, b: Used) -> BlendResult:
    """The result with source frames and placements of the clips that were given."""
    columns = [own.named(result.frames[:, k], result.placements[:, k]) for k, own in enumerate((a, b))]
    return replace(
        result,
        frames=freeze(np.stack([frames for frames, _ in columns], axis=1)),
        placements=freeze(np.stack([rows for _, rows in columns], axis=1)),
    )


def _in_a_row(links: Sequence[BlendResult], notes: tuple[str, ...]) -> BlendResult:
    """Transitions as one motion: each begins with the frame at which the one before has arrived."""
    stops = [*(int(link.report.seams[1]) for link in links[:-1]), links[-1].clip.n_frames]
    starts = np.concatenate([[0], np.cumsum(stops)[:-1]]).tolist()
    clips = [link.clip for link in links]
    constraints, events = put_together(
        part_of(clip.constraints, clip.events, first=start, last=start + stop, shift=start)
        for clip, start, stop in zip(clips, starts, stops, strict=True)
    )
    bones = any(clip.translations is not None or clip.skeleton != clips[0].skeleton for clip in clips)
    report = BlendReport(
        method=links[0].report.method,
        notes=(*notes, *_told(links)),
        seams=tuple(
            start + seam for link, start in zip(links, starts, strict=True) for seam in link.report.seams
        ),
    )
    clip = replace(
        clips[0],
        root_positions=_rows([clip.root_positions for clip in clips], stops),
        rotations=_turns([clip.rotations for clip in clips], stops),
        translations=_rows([clip.local_positions() for clip in clips], stops) if bones else None,
        constraints=constraints,
        events=events,
        report=report,
    )
    return BlendResult(
        clip=clip,
        u=_running_on([link.u for link in links], stops),
        weights=_spread([link.weights for link in links], stops, hold=False),
        frames=_spread([link.frames for link in links], stops),
        placements=_spread([link.placements for link in links], stops),
    )


def _rows(parts: Sequence[FloatArray], stops: Sequence[int]) -> FloatArray:
    return np.asarray(freeze(np.concatenate([part[:stop] for part, stop in zip(parts, stops, strict=True)])))


def _turns(parts: Sequence[FloatArray], stops: Sequence[int]) -> FloatArray:
    """Rotations whose signs run on from part to part."""
    made = [parts[0]]
    for (_, part), stop in zip(pairwise(parts), stops, strict=False):
        made.append(part * agreeing(made[-1][stop : stop + 1], part[:1]))
    return _rows(made, stops)


def _running_on(parts: Sequence[FloatArray], stops: Sequence[int]) -> FloatArray:
    """The parameters of all parts, each counted on from where the one before has come to."""
    made = [parts[0]]
    for part, stop in zip(parts[1:], stops, strict=False):
        made.append(part - part[0] + made[-1][stop])
    return _rows(made, stops)


def _spread(parts: Sequence[FloatArray], stops: Sequence[int], hold: bool = True) -> FloatArray:
    """Columns (N, 2, ...) of pairs of clips as columns (T, K, ...) of all.

    A clip that takes no part has what it has where it first does or last did; or zeros, unless they ``hold``.
    """
    n_clips = len(parts) + 1
    table = np.zeros((sum(stops), n_clips, *parts[0].shape[2:]))
    ends = np.cumsum(stops).tolist()
    for n, (part, stop, end) in enumerate(zip(parts, stops, ends, strict=True)):
        if hold:
            table[: end - stop, n + 1] = part[0, 1]
            table[end:, n] = part[stop - 1, 0]
        table[end - stop : end, n : n + 2] = part[:stop]
    return np.asarray(freeze(table))


def _told(links: Sequence[BlendResult]) -> tuple[str, ...]:
    """The notes of all transitions, with the clips they are about where there are several."""
    if len(links) == 1:
        return links[0].report.notes
    return tuple(
        f"from clip {n} to {n + 1}: {note}" for n, link in enumerate(links) for note in link.report.notes
    )
