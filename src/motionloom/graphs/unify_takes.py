"""`unify_takes`: clips and segments of a library as nodes of one frame rate, body and floor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from motionloom.annotation.annotate import annotate
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.graphs.node import GraphNode
from motionloom.library.take import SUBJECT, Segment, Take
from motionloom.messages import ClipName, Message, message_of
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, Result
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, unroll
from motionloom.spaces.register_examples import HasClip
from motionloom.transitions.unify_clips import unify_clips
from motionloom.validation import list_names

MIN_STEPS = 6
"""Steps from frame to frame of a take at least: the derivatives that smoothness is measured by need them."""

MIN_CYCLES, MIN_LOOP_DURATION = 3, 6.0
"""Times that a closed loop is repeated at least, and seconds that it lasts then: a transition may lead from
any of its frames to any other, and what lies too close to the ends for one is a small part of it."""

Tags = Sequence[str | Iterable[str]] | Mapping[str, str | Iterable[str]]
"""Labels of each clip, in the order of the clips or by name; one label, or several."""


def unify_takes(
    clips: Sequence[ClipLike | HasClip],
    *,
    names: Sequence[str] | None = None,
    tags: Tags | None = None,
    min_duration: float | None = None,
) -> tuple[tuple[GraphNode, ...], tuple[str, ...]]:
    """Return nodes of all clips, annotated, brought to the first one's body and planted, and notes on that.

    With ``min_duration``, clips that last fewer seconds or have too few frames to measure are left out.

    >>> from motionloom.synthesis import jog, walk
    >>> nodes, _ = unify_takes([walk(duration=3.0).clip, jog(duration=3.0).clip], names=["walk", "jog"])
    >>> [node.name for node in nodes]
    ['walk', 'jog']
    """
    given = _check_takes(clips)
    called = _name_takes(given, names)
    labels = _find_tags(given, called, tags)
    motions, loops = [], []
    for n, item in enumerate(given):
        clip = item if isinstance(item, Clip) else item.clip()
        if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
            cycles = max(MIN_CYCLES, ceil(MIN_LOOP_DURATION / clip.duration))
            clip = unroll(clip, cycles)
            loops.append(Message((ClipName(n), f" is a loop: {cycles} cycles of it are taken")))
        motions.append(replace(clip, cyclic=False) if clip.cyclic else clip)
    notes = fold_notes(loops, called)
    if min_duration is not None:
        kept = _find_long(motions, min_duration)
        notes += _note_short([name for n, name in enumerate(called) if n not in kept], min_duration)
        called, labels = [called[n] for n in kept], [labels[n] for n in kept]
        motions = [motions[n] for n in kept]
    # Planted feet of a gait in place slide: only with its travel can it meet anything, itself included.
    moving = [recover_if_in_place(clip if clip.constraints else annotate(clip)) for clip in motions]
    in_place = (n for n, (_, travel) in enumerate(moving) if travel is not None)
    recovered = " is a gait in place: its travel was recovered"
    notes += fold_notes((Message((ClipName(n), recovered)) for n in in_place), called)
    unified, changes = _unify([clip for clip, _ in moving], called)
    notes += fold_notes(changes, called)
    nodes = tuple(
        GraphNode(name, _forget_whole(_plant(clip)), tag)
        for name, clip, tag in zip(called, unified, labels, strict=True)
    )
    return nodes, tuple(notes)


def _check_takes(clips: object) -> list[Clip | HasClip]:
    if isinstance(clips, Clip | Result | str | Path) or not isinstance(clips, Iterable):
        raise ParameterError(
            f"a motion graph takes a list of clips or of segments of a library, not a {type(clips).__name__}"
        )
    listed = [each.clip if isinstance(each, Result) else each for each in clips]
    if not listed:
        raise ParameterError("a motion graph takes at least one clip: the list is empty")
    for n, item in enumerate(listed):
        if not isinstance(item, Clip) and not callable(getattr(item, "clip", None)):
            hint = ": read it (motionloom.load)" if isinstance(item, str | Path) else ""
            raise ParameterError(
                f"a motion graph takes clips or segments of a library, but item {n} is a "
                f"{type(item).__name__}{hint}"
            )
    return listed


def _name_takes(given: Sequence[Clip | HasClip], names: Sequence[str] | None) -> list[str]:
    """Return a name for each clip: as stated, of its take or file, or its number; no two alike."""
    if names is not None and len(names) != len(given):
        raise ParameterError(f"must name each of the {len(given)} clips, not {len(names)}", parameter="names")
    wanted = [_own_name(item) for item in given] if names is None else [str(name) for name in names]
    called: list[str] = []
    for n, name in enumerate(wanted):
        base, number = name or f"clip {n}", 2
        name = base
        while name in called:
            name, number = f"{base} ({number})", number + 1
        called.append(name)
    return called


def _own_name(item: Clip | HasClip) -> str:
    if isinstance(item, Segment):
        return str(item)
    if isinstance(item, Take):
        return item.name
    segment = getattr(item, "segment", None)
    if isinstance(segment, Segment):
        return str(segment)
    return Path(item.source.path).stem if isinstance(item, Clip) else ""


def _find_tags(
    given: Sequence[Clip | HasClip], names: Sequence[str], tags: Tags | None
) -> list[tuple[str, ...]]:
    """Return the labels of each clip: as stated, or those of its take except who performs it."""
    if tags is None:
        return [_own_tags(item) for item in given]
    if isinstance(tags, str):
        raise ParameterError(f"must hold labels for each clip, not the string {tags!r}", parameter="tags")
    if isinstance(tags, Mapping):
        unknown = [name for name in tags if name not in names]
        if unknown:
            raise ParameterError(
                f"names {unknown[0]!r}, but the clips are called {', '.join(names[:6])}", parameter="tags"
            )
        listed = [tags.get(name, ()) for name in names]
    else:
        listed = list(tags)
        if len(listed) != len(given):
            raise ParameterError(
                f"must hold labels for each of {len(given)} clips, not {len(listed)}", parameter="tags"
            )
    return [(own,) if isinstance(own, str) else tuple(str(tag) for tag in own) for own in listed]


def _own_tags(item: Clip | HasClip) -> tuple[str, ...]:
    segment = getattr(item, "segment", item)
    take = item if isinstance(item, Take) else getattr(segment, "take", None)
    if not isinstance(take, Take):
        return ()
    return tuple(tag for tag in take.tags if not tag.startswith(SUBJECT))


def _find_long(clips: Sequence[Clip], min_duration: float) -> list[int]:
    """Return the numbers of the clips that are long enough, also at the lowest frame rate of these."""

    def is_long(clip: Clip, frame_time: float) -> bool:
        # Half a frame less is a matter of rounding.
        return clip.duration + 0.5 * clip.frame_time >= max(min_duration, MIN_STEPS * frame_time)

    own = [n for n, clip in enumerate(clips) if is_long(clip, clip.frame_time)]
    lowest = max((clips[n].frame_time for n in own), default=0.0)
    kept = [n for n in own if is_long(clips[n], lowest)]
    if not kept:
        best = max(clips, key=lambda clip: clip.duration)
        raise ParameterError(
            f"all takes are too short for a motion graph, which needs {min_duration:g} s and {MIN_STEPS + 1} "
            f"frames: the longest lasts {best.duration:.2g} s and has {best.n_frames} frames"
        )
    return kept


def _note_short(names: Sequence[str], min_duration: float) -> list[str]:
    if not names:
        return []
    are = "is" if len(names) == 1 else "are"
    needed = f"{min_duration:g} s and {MIN_STEPS + 1} frames are needed"
    return [f"{list_names(names)} {are} too short and left out: {needed}"]


def _unify(clips: list[Clip], names: Sequence[str]) -> tuple[tuple[Clip, ...], tuple[str, ...]]:
    if len(clips) == 1:
        return (clips[0].body,), ()
    try:
        return unify_clips(clips)
    except ParameterError as error:
        raise ParameterError(error.message.naming(names)) from None


def _plant(clip: Clip) -> Clip:
    """Plant the feet of a take, so that planting a route changes it about its transitions only.

    Another body's feet slide by centimetres until they are planted. Targets are left out: a plant that a
    transition continues has its place between those of both takes.
    """
    if not clip.constraints:
        return clip
    planted = enforce(clip).clip
    return replace(planted, constraints=tuple(replace(c, target=None) for c in planted.constraints))


def _forget_whole(clip: Clip) -> Clip:
    """Return a body without the clip that it was taken from: each edge would keep it."""
    held = clip.arrangement
    return replace(clip, arrangement=None if held is None else replace(held, whole=None))


def fold_notes(notes: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return notes on clips by number with the names of clips; of those that differ only in the clip, one.

    >>> said = (1, " is a loop"), (2, " is short"), (0, " is a loop")
    >>> fold_notes([Message((ClipName(n), what)) for n, what in said], ["walk", "jog", "run"])
    ['jog is a loop; the same goes for walk', 'run is short']
    """
    alike: dict[str, list[Message]] = {}
    for note in map(message_of, notes):
        first = note.clips[:1]
        alike.setdefault(note.naming({n: "…" if n in first else names[n] for n in note.clips}), []).append(
            note
        )
    folded = []
    for note, *others in alike.values():
        more = [names[other.clips[0]] for other in others if other.clips]
        same = f"; the same goes for {list_names(more)}" if more else ""
        folded.append(Message((note.naming(names), same)))
    return list(map(str, folded))


Progress = Callable[[int, int], object]
"""Called with the number of steps done and the number of all."""
