"""Whether clips can share a framespace: the verdict on their cycles.

States correspond once per cycle. Cycles of different numbers of strides put one stride on two, and the cycle
of a take that shows another action, such as a kick, is cut out of it where it nearly repeats by chance; what
lies between two such cycles is neither motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from motionloom.annotation import annotate
from motionloom.annotation.strides import is_locomotion, is_steady_gait, strikes
from motionloom.cycles import CycleReport
from motionloom.messages import Argument, Message, Operation
from motionloom.motion import Clip
from motionloom.motion.motion import name_clips
from motionloom.registration import Verdict

MIN_STATES = 2
"""Matched states that two gaits share at least: the strikes of both feet."""


@dataclass(frozen=True)
class Fitness:
    """The verdict on the clips of a framespace, and what it rests on."""

    verdict: Verdict
    reason: str

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.reason}"


def judge_clips(
    given: Sequence[Clip],
    cycles: Sequence[Clip],
    cyclic: Sequence[int],
    n_states: int,
    stated: bool,
    cuts: Mapping[int, CycleReport],
) -> Fitness:
    """Judge whether clips can share a framespace.

    Parameters
    ----------
    given
        The clips as they came.
    cycles
        The cycles cut from them, in the same order.
    cyclic
        Numbers of those that repeat.
    n_states
        How many states correspond.
    stated
        Whether the caller stated the states of all clips, and so what corresponds.
    cuts
        How clips were cut to cycles, by number.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> long = walk(duration=6.0, fps=30).clip
    >>> loops = [cyclify(long, cycles=1).clip, cyclify(long, cycles=2).clip]
    >>> judge_clips(loops, loops, (0, 1), n_states=3, stated=False, cuts={}).verdict.name
    'UNFIT'
    """
    names = name_clips(given)
    counts = [len(strikes(cycles[k])) for k in cyclic]
    if not stated and len({count for count in counts if count}) > 1:
        shown = ", ".join(map(str, counts))
        return Fitness(
            Verdict.UNFIT,
            Message(
                f"the cycles have different numbers of strikes ({shown})",
                remedy=(
                    *(
                        "give cycles of one stride each, as ",
                        Operation("motionloom.cyclify"),
                        " makes them with ",
                    ),
                    Argument("cycles", 1),
                ),
            ),
        )
    open_ends = [k for k in cyclic if k in cuts and not cuts[k].passed]
    for k in open_ends:
        clip = given[k] if given[k].events else annotate(given[k])
        if is_locomotion(clip) and not is_steady_gait(clip):
            return Fitness(
                Verdict.UNFIT,
                Message(
                    f"{names[k]} shows another action beside its steps, and the stride cut from it does not "
                    "close",
                    remedy=(
                        "cut the clip to its gait, or name it in ",
                        Argument("acyclic"),
                        " to play it once",
                    ),
                ),
            )
    if open_ends:
        change = 100.0 * max(cuts[k].change for k in open_ends)
        which = ", ".join(str(names[k]) for k in open_ends)
        return Fitness(
            Verdict.DOUBTFUL,
            f"{which} hardly repeats: closing it moved joints by up to {change:.0f} cm",
        )
    if len(cyclic) > 1 and n_states < MIN_STATES:
        return Fitness(Verdict.DOUBTFUL, f"only {n_states} state of the cycles corresponds")
    return Fitness(Verdict.GOOD, f"{n_states} states of the cycles correspond")
