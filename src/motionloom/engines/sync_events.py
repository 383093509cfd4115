"""Sync markers and phase tracks: what game engines need to play clips of different length in step.

An engine that blends two clips by sync markers plays them so that both pass markers of the same name at the
same time. That needs the same sequence of names in all clips: :func:`common_sync_events` gives it for
registered clips, from their contacts, and :func:`even_markers` for clips without contacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from motionloom.annotation.events import foot_contacts, gait_events
from motionloom.annotation.labels import LIFT, STRIKE
from motionloom.annotation.signals import Interval
from motionloom.annotation.strides import gait_phase
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.anatomy import Side, find_anatomy
from motionloom.motion.result import ClipLike, check_clip

DEFAULT_LABELS = (STRIKE, LIFT)
"""Labels of the events that are sync markers by default."""


class SyncEvent(NamedTuple):
    """A named point in time of a clip: ``left_strike`` at a fractional frame."""

    name: str
    frame: float


class CommonSyncEvent(NamedTuple):
    """A sync marker that all registered clips have: its name, its ``u``, and its frame (K,) in each clip."""

    name: str
    u: float
    frames: FloatArray


@dataclass(frozen=True, eq=False)
class PhaseTrack:
    """The gait phase of a clip, frame by frame, and its foot contacts.

    Attributes
    ----------
    phase
        (T,) cycles, rising: whole at left strikes, half-way between at right ones.
    contacts
        For each side the intervals, in fractional frames, in which that foot is on the floor.
    """

    phase: FloatArray
    contacts: dict[Side, list[Interval]]


class TimewarpLike(Protocol):
    """The timewarp of registered clips, such as :class:`motionloom.TimewarpCurve`."""

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last ``u``."""

    @property
    def periods(self) -> FloatArray | None:
        """Frames per cycle (K,) of cyclic clips, else None."""

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Frames (..., K) at ``u``."""

    def inverse(self, k: int, frame: npt.ArrayLike) -> FloatArray:
        """The ``u`` at which clip ``k`` is at a frame."""


class RegistrationLike(Protocol):
    """Clips that correspond in time, such as :class:`motionloom.RegistrationCurve`."""

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The K clips."""

    @property
    def timewarp(self) -> TimewarpLike:
        """Which frames correspond."""


def sync_events(clip: ClipLike, labels: Sequence[str] = DEFAULT_LABELS) -> tuple[SyncEvent, ...]:
    """Return the sync markers of an annotated clip, in order of time.

    They are its events with these labels, named by side and label ("left_strike"), or by joint and label
    where the joint is not an ankle. Without such events they follow from the foot plants.

    Parameters
    ----------
    clip
        A clip with constraints or events.
    labels
        Labels of the events to use, from :data:`motionloom.annotation.labels.EVENT_LABELS`.

    Returns
    -------
    tuple of SyncEvent
        The markers: names and frames.

    Raises
    ------
    ParameterError
        The clip has no such events: annotate it first.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> [marker.name for marker in sync_events(annotate(walk(duration=1.5).clip))][:3]
    ['right_lift', 'right_strike', 'left_lift']
    """
    clip = check_clip("sync_events", clip)
    events = [event for event in clip.events if event.label in labels]
    if not events:
        events = [event for event in gait_events(clip) if event.label in labels]
    if not events:
        raise ParameterError(
            f"the clip has no {' or '.join(labels)} events",
            remedy=("annotate it first, or pass ", Argument("labels"), " of its events"),
        )
    sides = _sides(clip)
    named = [
        SyncEvent(f"{sides.get(e.joint, e.joint)}_{e.label}".replace(" ", "_").strip("_"), e.frame)
        for e in events
    ]
    return tuple(sorted(named, key=lambda marker: (marker.frame, marker.name)))


def phase_track(clip: ClipLike) -> PhaseTrack:
    """Return the phase and the contacts of a gait, for engines that blend by phase.

    Raises
    ------
    ParameterError
        When the clip shows no gait; the message says what is missing.

    Parameters
    ----------
    clip
        An annotated gait.

    Returns
    -------
    PhaseTrack
        The phase of every frame, and the contacts of both feet.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> track = phase_track(annotate(walk(duration=2.0).clip))
    >>> bool((track.phase[1:] > track.phase[:-1]).all()), sorted(track.contacts)
    (True, ['left', 'right'])
    """
    clip = check_clip("phase_track", clip)
    return PhaseTrack(gait_phase(clip), contacts_by_side(clip))


def contacts_by_side(clip: Clip) -> dict[Side, list[Interval]]:
    """Return for each side the intervals (fractional frames) in which that foot is on the floor."""
    return {leg.side: foot_contacts(clip, leg) for leg in find_anatomy(clip.skeleton).legs}


def common_sync_events(
    curve: RegistrationLike, labels: Sequence[str] = DEFAULT_LABELS
) -> tuple[CommonSyncEvent, ...]:
    """Return the sync markers that all registered clips share, in the same order, at each clip's own frame.

    A marker of the first clip is matched in every other clip with the marker of the same name that is nearest
    in ``u``, if that one has none nearer. Markers outside the registered range are dropped, and so are
    markers whose order differs between clips; labels given first have priority. So a walk and a run share
    their strikes but not their lifts, which come before the other foot's strike only in the run.

    Parameters
    ----------
    curve
        Clips that correspond, from :func:`motionloom.register`.
    labels
        Labels of the events to use; those given first have priority.

    Returns
    -------
    tuple of CommonSyncEvent
        The markers in order, each with its frame in every clip.

    Raises
    ------
    ParameterError
        A clip has no such events.

    >>> import motionloom as ml
    >>> from motionloom.synthesis import jog, walk
    >>> clips = ml.match_strides([ml.annotate(walk(duration=3.0).clip), ml.annotate(jog(duration=3.0).clip)])
    >>> common = common_sync_events(ml.register(clips))
    >>> len(common) > 1 and all(len(marker.frames) == 2 for marker in common)
    True
    """
    found = [_markers_in_u(curve, k, labels) for k in range(len(curve.clips))]
    common = []
    for name, u, frame in found[0]:
        group = [(u, frame)]
        for others in found[1:]:
            partner = _find_partner(name, u, found[0], others, _cycle(curve))
            if partner is None:
                break
            group.append(partner)
        if len(group) == len(found):
            common.append(CommonSyncEvent(name, u, freeze(np.array([frame for _, frame in group]))))
    return _keep_common_order(curve, common, labels)


def even_markers(curve: RegistrationLike, count: int) -> tuple[CommonSyncEvent, ...]:
    """Return ``count`` evenly spaced sync markers, for clips whose contacts do not match.

    They are named ``sync_0``, ``sync_1`` and so on. The first is at the start; the last at the end or, in
    cycles, one step before the first comes round again.

    >>> import motionloom as ml
    >>> from motionloom.synthesis import kick
    >>> curve = ml.register([kick(duration=1.2).clip, kick(duration=2.0).clip])
    >>> [marker.name for marker in even_markers(curve, 3)]
    ['sync_0', 'sync_1', 'sync_2']
    """
    if count < 2:
        raise ParameterError(f"at least 2 markers are needed to keep clips in step, not {count}")
    warp = curve.timewarp
    steps = np.linspace(*warp.domain, count, endpoint=warp.periods is None)
    return tuple(
        CommonSyncEvent(f"sync_{n}", float(u), freeze(_wrap_frames(curve, warp(u))))
        for n, u in enumerate(steps)
    )


def curve_phase(curve: RegistrationLike, k: int) -> FloatArray:
    """Return the phase (T,) of clip ``k``, from 0 to 1 over the registered range, equal where clips
    correspond.

    Frames before and after the registered range have phase 0 and 1; in cycles it covers all frames.

    >>> import motionloom as ml
    >>> from motionloom.synthesis import kick
    >>> curve = ml.register([kick(duration=1.2).clip, kick(duration=2.0).clip])
    >>> curve_phase(curve, 1)[[0, -1]].tolist()
    [0.0, 1.0]
    """
    warp, frames = curve.timewarp, np.arange(curve.clips[k].n_frames, dtype=np.float64)
    first, last = warp.domain
    if warp.periods is not None:
        return freeze((warp.inverse(k, frames) - first) / (last - first) % 1.0)
    covered = warp(np.array(warp.domain))[:, k]
    return freeze((warp.inverse(k, np.clip(frames, *covered)) - first) / (last - first))


_Markers = list[tuple[str, float, float]]
"""Markers of one clip: name, u, frame."""


def _sides(clip: Clip) -> dict[str, Side]:
    return {clip.skeleton.names[leg.ankle]: leg.side for leg in find_anatomy(clip.skeleton).legs}


def _cycle(curve: RegistrationLike) -> float | None:
    """Return the length of one cycle in u, or None for a curve with ends."""
    first, last = curve.timewarp.domain
    return None if curve.timewarp.periods is None else last - first


def _markers_in_u(curve: RegistrationLike, k: int, labels: Sequence[str]) -> _Markers:
    """Return the markers of a clip within the registered range, in order of u."""
    warp, cycle = curve.timewarp, _cycle(curve)
    first, last = warp(np.array(warp.domain))[:, k]
    found = []
    for name, frame in sync_events(curve.clips[k], labels):
        if cycle is None and not first <= frame <= last:
            continue
        u = float(warp.inverse(k, frame))
        if cycle is not None:
            u = warp.domain[0] + (u - warp.domain[0]) % cycle
        found.append((name, u, frame))
    return sorted(found, key=lambda marker: marker[1])


def _find_partner(
    name: str, u: float, first: _Markers, others: _Markers, cycle: float | None
) -> tuple[float, float] | None:
    """Find the u and frame of the mutually nearest marker of this name in another clip."""

    def apart(a: float, b: float) -> float:
        away = abs(a - b)
        return away if cycle is None else min(away % cycle, -away % cycle)

    candidates = [marker for marker in others if marker[0] == name]
    if not candidates:
        return None
    nearest = min(candidates, key=lambda marker: apart(marker[1], u))
    back = min((marker[1] for marker in first if marker[0] == name), key=lambda at: apart(at, nearest[1]))
    return nearest[1:] if back == u else None


def _keep_common_order(
    curve: RegistrationLike, markers: Sequence[CommonSyncEvent], labels: Sequence[str]
) -> tuple[CommonSyncEvent, ...]:
    """Keep the markers whose order is the same in all clips; labels given first have priority."""
    kept: list[CommonSyncEvent] = []
    for suffix in (label.replace(" ", "_") for label in labels):
        for marker in markers:
            if marker.name.endswith(suffix) and _same_order(curve, marker, kept):
                kept.append(marker)
    return tuple(sorted(kept, key=lambda marker: marker.u))


def _same_order(curve: RegistrationLike, marker: CommonSyncEvent, kept: Sequence[CommonSyncEvent]) -> bool:
    """Return whether a marker comes before and after the same ones in all clips; cycles count from the
    first.
    """
    periods = curve.timewarp.periods
    for other in kept:
        ahead = marker.frames - other.frames
        if periods is not None:
            ahead = (marker.frames - kept[0].frames) % periods - (other.frames - kept[0].frames) % periods
        if not (ahead > 0.0).all() and not (ahead < 0.0).all():
            return False
    return True


def _wrap_frames(curve: RegistrationLike, frames: FloatArray) -> FloatArray:
    """Wrap the frames (K,) of cycles into the clip."""
    periods = curve.timewarp.periods
    return np.array(frames) if periods is None else frames % periods
