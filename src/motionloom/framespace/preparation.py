"""Making basis clips: one rate, one body, one cycle each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from motionloom.annotation import annotate, strikes
from motionloom.cycles import CycleReport, cyclify
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.union import on_united, united
from motionloom.registration.compatibility import comparable


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
    mapped, remarks = comparable(clips)
    # What a clip was cut from stays known when it gets another skeleton.
    made = [
        own if own is clip else replace(own, report=clip.report)
        for own, clip in zip(mapped, clips, strict=True)
    ]
    if len({clip.skeleton.names for clip in made}) == 1:
        return made, list(remarks)
    body = united([clip.skeleton for clip in made])
    notes = list(remarks)
    for k, lacked in enumerate((~body.presence).sum(axis=0).tolist()):
        if lacked:
            shown = "1 joint" if lacked == 1 else f"{lacked} joints"
            notes.append(f"clip {k} lacks {shown} that others have, which rest in it")
    return [on_united(clip, body, k) for k, clip in enumerate(made)], notes


def _cycle(k: int, clip: Clip) -> Clip:
    try:
        return cyclify(_annotated(clip), n_cycles=1)
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
        f"clip {k} was cut to one {report.unit} of {report.seconds:.2f} s, frames {report.start} to "
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
