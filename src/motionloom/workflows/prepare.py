"""`prepare`: annotate clips and cut them to what they have in common, so that they can be registered."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any, Literal, get_args

import numpy as np

from motionloom.annotation import annotate
from motionloom.annotation.annotate import note_without_plants
from motionloom.annotation.strides import is_steady_gait
from motionloom.annotation.treadmill import is_in_place, recover_if_in_place
from motionloom.cycles import CycleReport, cyclify, match_strides
from motionloom.cycles.match_strides import StrideCut
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.messages import Argument, Message, Operation, join_parts
from motionloom.motion import Clip, PointClip, Result
from motionloom.motion.motion import name_clips
from motionloom.motion.result import ClipLike, unwrap
from motionloom.options import options_given
from motionloom.options.registration import (
    REGISTRATION,
    Alignment,
    Cut,
    FitMode,
    Form,
    Pin,
    Profile,
    SpanEnd,
)
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.common_parts import CommonPart, common_parts
from motionloom.registration.timewarp_fit import DEFAULT_MIN_RATE
from motionloom.repair.find_faults import trust_part
from motionloom.repair.repair import N_PASSES, mend_glitches
from motionloom.validation import check_choice, check_number

Boundary = Literal["auto", "corners", "free"] | Sequence[float]
"""Where a correspondence starts or ends: a rule, or one frame per clip."""


@dataclass(frozen=True, kw_only=True)
class PartCut:
    """The part of a take that it has in common with others.

    Attributes
    ----------
    start, end
        First and last frame that were kept, counted in the given clip.
    start_seconds, end_seconds
        The same in seconds.
    seconds_before, seconds_after
        Seconds dropped at the beginning and at the end.
    """

    start: int
    end: int
    start_seconds: float
    end_seconds: float
    seconds_before: float
    seconds_after: float

    def __str__(self) -> str:
        return (
            f"the part from {self.start_seconds:.2f} to {self.end_seconds:.2f} s; dropped "
            f"{self.seconds_before:.2f} s before and {self.seconds_after:.2f} s after"
        )


@dataclass(frozen=True, eq=False)
class Prepared:
    """Clips that are ready to be registered, and what was done to them.

    Attributes
    ----------
    clips
        The annotated clips, cut as ``cut`` says.
    cut
        How they were cut: "strides", "loops", "parts" or "whole".
    cuts
        What was kept of each clip; None where the whole clip was.
    notes
        What was done, in sentences.
    in_place
        Which clips were gaits in place, to which the travel was given that their feet show.
    """

    clips: tuple[Clip, ...]
    cut: Cut
    cuts: tuple[StrideCut | CycleReport | PartCut | None, ...]
    notes: tuple[str, ...] = ()
    in_place: tuple[bool, ...] = ()

    @property
    def stride_cuts(self) -> tuple[StrideCut, ...]:
        """What was kept of each clip if all were cut to the same strides, else an empty tuple."""
        return tuple(cut for cut in self.cuts if isinstance(cut, StrideCut))

    @property
    def part_cuts(self) -> tuple[PartCut, ...]:
        """What was kept of each clip if all were cut to a part that they share, else an empty tuple."""
        return tuple(cut for cut in self.cuts if isinstance(cut, PartCut))

    def __repr__(self) -> str:
        return f"Prepared({len(self.clips)} clips, cut={self.cut!r})"

    def __str__(self) -> str:
        return "\n".join([f"{len(self.clips)} clips, cut: {self.cut}", *self.notes])

    def register(
        self,
        *,
        profile: Profile = "default",
        slope_limit: int | None = None,
        window: float | None = None,
        points: int | Literal["joints"] | None = None,
        joint_weights: Mapping[str, float] | None = None,
        speed_weight: float | None = None,
        start: Boundary | None = None,
        end: Boundary | None = None,
        pins: Sequence[Sequence[float]] | None = None,
        events: Sequence[str] | None = None,
        alignment: Alignment = "auto",
        stiffness: float | None = None,
        min_rate: float | None = None,
        knot_spacing: float | None = None,
        smoothing: int | None = None,
        reference: int | None = None,
        form: Form | None = None,
        fit: FitMode | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> RegistrationCurve:
        """Register the prepared clips; all options are those of :func:`motionloom.register`.

        Frames in ``pins``, ``start`` and ``end`` are counted in the clips as they were given to
        :func:`prepare`. Clips that hardly correspond give no warning: the curve's report has the verdict.

        >>> from motionloom.synthesis import jog, walk
        >>> prepared = prepare([walk(duration=3.0, fps=30).clip, jog(fps=30).clip], cut="loops")
        >>> prepared.register(slope_limit=2).timewarp.periods is not None
        True
        """
        options: dict[str, Any] = options_given(REGISTRATION, locals())
        if pins is not None and not isinstance(pins, Iterable):
            raise ParameterError(
                f"must be a list with one frame per clip each, not {pins!r}", parameter="pins", value=pins
            )
        options["start"] = self._cut_boundary(start, "start")
        options["end"] = self._cut_boundary(end, "end")
        options["pins"] = [self._cut_frames(pin, "a pin") for pin in pins or ()]
        with warnings.catch_warnings():
            # The report has the verdict, and callers decide by it: a warning would only repeat it.
            warnings.simplefilter("ignore", RegistrationWarning)
            return register(self.clips, **options, progress=progress)

    def _cut_boundary(self, boundary: Boundary | None, what: str) -> SpanEnd | None:
        return boundary if boundary is None or isinstance(boundary, str) else self._cut_frames(boundary, what)

    def _cut_frames(self, frames: Sequence[float], what: str) -> Pin:
        """Convert frames of the given clips to frames of the cut ones, all at the lowest rate among them."""
        if not isinstance(frames, Sequence) or isinstance(frames, str):
            raise ParameterError(
                f"needs one frame per clip, such as (30, 42), not {frames!r}", parameter=what, value=frames
            )
        if len(frames) != len(self.clips):
            raise ParameterError(f"needs one frame per clip, not {len(frames)} frames", parameter=what)
        frame_time = max(clip.frame_time for clip in self.clips)
        return tuple(
            round(self._cut_frame(frame, k, what) * clip.frame_time / frame_time)
            for k, (frame, clip) in enumerate(zip(frames, self.clips, strict=True))
        )

    def _cut_frame(self, frame: float, k: int, what: str) -> float:
        cut, clip = self.cuts[k], self.clips[k]
        first, last = (0, clip.n_frames - 1) if cut is None else (cut.start, cut.end)
        frame = check_number(f"the frame of {what}", frame)
        if not first <= frame <= last:
            raise ParameterError(
                f"names frame {frame:g} of {name_clips(self.clips)[k]}, but only frames {first} to "
                f"{floor(last)} of it are used",
                parameter=what,
                remedy="choose one of those",
            )
        if cut is None:
            return frame
        # Closing a loop stretches it to whole frames.
        rate = clip.n_frames / (cut.end - cut.start) if isinstance(cut, CycleReport) else 1.0
        return (frame - cut.start) * rate


def prepare(clips: Sequence[ClipLike], *, cut: Cut = "auto") -> Prepared:
    """Annotate clips and cut them to what they have in common.

    This is what :func:`motionloom.mix`, the command line and the studio do before they register clips.

    Parameters
    ----------
    clips
        One clip or more, as captured.
    cut
        "auto" cuts clips that show nothing but a steady gait to the same strides, and takes other clips
        whole, unless one lasts so much longer than another that only parts of them can correspond; "strides"
        requires a gait in every clip; "loops" closes one cycle of each clip that is not cyclic yet; "parts"
        cuts clips to the part that they have in common (:func:`motionloom.common_parts`); "whole" cuts
        nothing. :func:`motionloom.mix` also takes parts where whole clips do not fit.

    Returns
    -------
    Prepared
        The clips and what was done to them. Its method ``register`` registers them.

    Raises
    ------
    ParameterError
        A clip has no gait to cut to strides, clips have no part in common, or last too differently.

    >>> from motionloom.synthesis import jog, kick, walk
    >>> prepare([walk(duration=3.0, fps=30).clip, jog(fps=30).clip])
    Prepared(2 clips, cut='strides')
    >>> prepare([kick(duration=seconds).clip for seconds in (1.4, 1.8)]).cuts
    (None, None)
    """
    check_choice("cut", cut, get_args(Cut))
    annotated = annotate_clips(clips, cut)
    if cut == "parts":
        return annotated.cut_to_parts(max_parts=1)[0]
    return annotated.cut_clips(cut)


@dataclass(frozen=True, eq=False)
class AnnotatedClips:
    """Clips that are annotated and have their travel, before they are cut; ``notes`` say what was done."""

    clips: tuple[Clip, ...]
    notes: tuple[str, ...]
    in_place: tuple[bool, ...]

    def cut_clips(self, cut: Cut) -> Prepared:
        """Cut the clips to the same strides or to one cycle each, or leave them whole."""
        if cut != "auto":
            return self._add_notes(_cut_clips(list(self.clips), cut))
        gaits = not any(clip.cyclic for clip in self.clips) and all(map(is_steady_gait, self.clips))
        prepared = self._add_notes(_cut_clips(list(self.clips), "strides" if gaits else "whole"))
        try:
            _check_lengths(prepared.clips)
        except ClipLengthError:
            found = common_parts(self.clips, max_parts=1) if min(map(len, self.clips)) > 1 else ()
            if not found:
                raise
            return self._cut_to_part(found[0])
        return prepared

    def cut_to_parts(self, max_parts: int) -> list[Prepared]:
        """Cut the clips to each of the parts that they have in common, best first."""
        _check_frames(self.clips)
        parts = common_parts(self.clips, max_parts=max_parts)
        if not parts:
            raise ParameterError(
                "the clips have no part in common that lasts a second and moves",
                remedy=(
                    "choose clips that show the same action, or take them whole with ",
                    Argument("cut", "whole"),
                ),
            )
        return [self._cut_to_part(part) for part in parts]

    def _cut_to_part(self, part: CommonPart) -> Prepared:
        cuts = [
            PartCut(
                start=first,
                end=last,
                start_seconds=first * clip.frame_time,
                end_seconds=last * clip.frame_time,
                seconds_before=first * clip.frame_time,
                seconds_after=(clip.n_frames - 1 - last) * clip.frame_time,
            )
            for (first, last), clip in zip(part.frames, self.clips, strict=True)
        ]
        names = name_clips(self.clips)
        notes = tuple(Message((name, f": {cut}")) for name, cut in zip(names, cuts, strict=True))
        return self._add_notes(Prepared(tuple(part.cut(self.clips)), "parts", tuple(cuts), notes))

    def _add_notes(self, cut: Prepared) -> Prepared:
        for part, clip in zip(cut.clips, self.clips, strict=True):
            trust_part(part, clip)
        return replace(cut, notes=(*self.notes, *cut.notes), in_place=self.in_place)


def annotate_clips(clips: Sequence[ClipLike], cut: Cut) -> AnnotatedClips:
    """Mend glitches, annotate clips and give gaits in place their travel, as a way of cutting needs them."""
    captured = check_clips(clips)
    # A glitch of one clip would be a glitch of every blend.
    given = tuple(map(_mend, captured))
    # Someone who asks for a way of cutting also gets annotations that are missing, such as strikes in a clip
    # that has plants.
    annotated = [ensure_annotated(clip) if cut == "auto" else annotate(clip) for clip in given]
    in_place = tuple(map(is_in_place, annotated))
    annotated, notes = _recover_travel(annotated)
    for clip, before in zip(annotated, given, strict=True):
        trust_part(clip, before)
    notes += _note_annotated(given, annotated) + note_without_plants(annotated)
    notes += [
        Message(("glitches of ", name, " were mended"))
        for name, before, after in zip(name_clips(captured), captured, given, strict=True)
        if before is not after
    ]
    return AnnotatedClips(tuple(annotated), tuple(notes), in_place)


def _mend(clip: Clip) -> Clip:
    """Mend spikes and flips, and those that they hid."""
    for _ in range(N_PASSES):
        mended = mend_glitches(clip)
        if mended is clip:
            break
        clip = mended
    return clip


def _recover_travel(clips: Sequence[Clip]) -> tuple[list[Clip], list[str]]:
    """Give gaits in place their travel, and say so."""
    moving = [recover_if_in_place(clip) for clip in clips]
    notes: list[str] = [
        Message(
            (name, f" walks in place: its travel of {np.hypot(steady.x, steady.z):.2f} m/s was recovered")
        )
        for name, (_, steady) in zip(name_clips(clips), moving, strict=True)
        if steady is not None
    ]
    return [clip for clip, _ in moving], notes


def _cut_clips(clips: list[Clip], cut: Cut) -> Prepared:
    """Cut annotated clips to the same strides or to one cycle each, or leave them whole."""
    names = name_clips(clips)
    if cut == "strides":
        strides = match_strides(clips)
        notes = [Message((name, f": {own.report}")) for name, own in zip(names, strides, strict=True)]
        kept = tuple(own.clip for own in strides)
        return Prepared(kept, cut, tuple(own.report for own in strides), tuple(notes))
    if cut == "loops":
        loops = [None if clip.cyclic else cyclify(clip, cycles=1) for clip in clips]
        cuts = [None if loop is None else loop.report for loop in loops]
        # The first line says what the loop is; the seam is judged in the clip's own report.
        found = [(n, str(report).splitlines()[0]) for n, report in enumerate(cuts) if report is not None]
        notes = [Message((names[n], f": closed to a loop, {loop}")) for n, loop in found]
        closed = [clip if loop is None else loop.clip for loop, clip in zip(loops, clips, strict=True)]
        return Prepared(tuple(closed), cut, tuple(cuts), tuple(notes))
    return Prepared(tuple(clips), cut, (None,) * len(clips))


def _note_annotated(given: Sequence[Clip], annotated: Sequence[Clip]) -> list[str]:
    both = zip(name_clips(given), given, annotated, strict=True)
    found = [name for name, before, after in both if not before.constraints and after.constraints]
    return [Message(("foot plants were detected in ", *join_parts(found)))] if found else []


def ensure_annotated(clip: Clip) -> Clip:
    """Return the clip itself if it has constraints, else annotate it; events that it has are kept.

    Plants and events are looked for in the clip without its glitches, which would break them up.

    >>> from motionloom.synthesis import walk
    >>> annotated = ensure_annotated(walk(duration=2.0, fps=30).clip)
    >>> len(annotated.constraints) > 0, ensure_annotated(annotated) is annotated
    (True, True)
    """
    if clip.constraints:
        return clip
    mended = _mend(clip)
    annotated = annotate(mended)
    if mended is clip:
        return annotated
    return replace(clip, constraints=annotated.constraints, events=annotated.events)


def check_clips(clips: Sequence[ClipLike]) -> tuple[Clip, ...]:
    """Return the clips as a tuple; refuse anything but clips with a skeleton."""
    if isinstance(clips, Clip | PointClip | Result | str) or not isinstance(clips, Iterable):
        raise ParameterError(f"give a list of clips, such as [walk, jog], not one {type(clips).__name__}")
    listed = tuple(map(unwrap, clips))
    if not listed:
        raise ParameterError("there are no clips", remedy="give two or more")
    for n, clip in enumerate(listed):
        if isinstance(clip, PointClip):
            raise ParameterError(
                f"clip {n} has points and no skeleton, so its feet cannot be planted",
                remedy=(
                    "register and blend such clips with ",
                    Operation("motionloom.register"),
                    " and ",
                    Operation("motionloom.blend"),
                ),
            )
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {n} is a {type(clip).__name__}, not a clip",
                remedy=("use ", Operation("motionloom.load")),
            )
    return listed


class ClipLengthError(ParameterError):
    """Clips last so differently long that they cannot correspond from end to end."""


def _check_frames(clips: Sequence[Clip]) -> None:
    """Refuse clips without motion."""
    for called, clip in zip(name_clips(clips), clips, strict=True):
        if clip.n_frames < 2:
            raise ParameterError(
                f"{called} has {clip.n_frames} frames, but blending needs two: was the file cut short?"
            )


def _check_lengths(clips: Sequence[Clip]) -> None:
    """Refuse clips without motion, and clips of which none lasts about as long as all the others."""
    _check_frames(clips)
    durations = np.array([clip.duration for clip in clips])
    ratios = np.minimum(durations[:, None] / durations, durations / durations[:, None])
    if ratios.min(axis=1).max() < DEFAULT_MIN_RATE:
        short, long = int(durations.argmin()), int(durations.argmax())
        names = name_clips(clips)
        raise ClipLengthError(
            f"{names[short]} is too short: it lasts {durations[short]:.2f} s and {names[long]} "
            f"{durations[long]:.2f} s, more than {1.0 / DEFAULT_MIN_RATE:g} times as long, and no part of it "
            "shows the same action; use a longer clip, or other ones"
        )
