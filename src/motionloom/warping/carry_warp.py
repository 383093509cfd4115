"""Carrying a warp over to a registered clip: the timewarp maps its times, the alignment its positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, check_clips
from motionloom.registration.curve import RegistrationCurve
from motionloom.validation import check_count
from motionloom.warping.keys import Key
from motionloom.warping.resolve_warp import resolve_warp
from motionloom.warping.time_keys import TimeKeys
from motionloom.warping.warp_data import Warp


def carry_warp(
    warp: Warp,
    curve: RegistrationCurve,
    *,
    source: int = 0,
    target: int = 1,
    takes: Sequence[ClipLike] | None = None,
) -> Warp:
    """Return a warp that was made for one clip of a registration as it applies to another of them.

    Keys go to the moments that correspond to theirs, moves and reaches to the place on the ground that does.
    Between two time keys the target is stretched by the same factor as the source.

    Parameters
    ----------
    warp
        A warp for clip ``source``; moments in words are found in it first.
    curve
        Clips that are registered, both of them among these.
    source, target
        Numbers of the two clips, from 0.
    takes
        The clips before they were cut for the registration (by :func:`motionloom.prepare`, say): the warp is
        then for the whole take ``source``, and the result for ``target``. None for the registered clips.

    Returns
    -------
    Warp
        The warp for clip ``target``, in seconds.

    Raises
    ------
    ParameterError
        When a key lies where the clips do not correspond; the message names it.

    >>> import motionloom as ml
    >>> from motionloom.synthesis import kick
    >>> quick, slow = kick(duration=1.0).clip, kick(duration=2.0).clip
    >>> nod = Warp.of([Key(0.5, "Head", rotate=(0.3, 0, 0))])
    >>> bool(abs(carry_warp(nod, ml.register([quick, slow])).keys[0].time - 1.0) < 0.1)
    True
    """
    for name, number in (("source", source), ("target", target)):
        check_count(f"{name} of a warp to carry over", number, min=0, max=curve.n_clips - 1)
    whole = tuple(curve.clips if takes is None else check_clips("carry_warp", takes))
    if len(whole) != curve.n_clips:
        raise ParameterError(f"there are {len(whole)} takes, but {curve.n_clips} registered clips")
    carrier = _Carrier(curve, source, target, whole)
    resolved = resolve_warp(whole[source], replace(warp, obstacle=None)).warp
    layers = tuple(
        replace(layer, keys=tuple(carrier.carry_key(key) for key in layer.keys)) for layer in resolved.layers
    )
    return replace(warp, layers=layers, times=tuple(carrier.carry_times(keys) for keys in resolved.times))


class _Carrier:
    """Maps times and positions of one registered clip to another."""

    def __init__(self, curve: RegistrationCurve, source: int, target: int, takes: tuple[Clip, ...]) -> None:
        self.curve, self.source, self.target = curve, source, target
        self.takes = takes
        self.cuts = [
            clip.provenance.relative_to(take.provenance)
            for clip, take in zip(curve.clips, takes, strict=True)
        ]

    def carry_key(self, key: Key) -> Key:
        """Return a key at the moment and the place that correspond to its own."""
        u = self._find_u(str(key), key.seconds)
        time = self._time_at(u)
        if key.kind not in ("move", "reach") and key.channel != "position scale":
            return replace(key, time=time)
        transform = self.curve.alignment.transform(u, self.target).inverse() @ self.curve.alignment.transform(
            u, self.source
        )
        if key.kind == "move":
            return replace(key, time=time, move=transform.apply_to_directions(key.vector))
        if key.kind == "reach":
            orient = None if key.orient is None else transform.apply_to_rotations(np.asarray(key.orient))
            return replace(key, time=time, reach=transform.apply(key.vector), orient=orient)
        return replace(key, time=time, zero=transform.apply(np.asarray(key.zero)))

    def carry_times(self, keys: TimeKeys) -> TimeKeys:
        """Return time keys that stretch the parts of the target by the factors of the source's."""
        pairs: list[tuple[float | str, float]] = []
        given = list(keys.seconds)
        at_start = given[0][0] <= 0.0 or abs(given[0][0] - given[0][1]) < 1e-9
        anchored = given if at_start else [(0.0, 0.0), *given]
        before = (0.0, 0.0, 0.0, 0.0)
        for n, (old, new) in enumerate(anchored):
            mapped = self._time_at(self._find_u(f"the time key at {old:g} s", old))
            if n == 0:
                result = mapped + new - old
            else:
                factor = (new - before[1]) / (old - before[0])
                result = before[3] + factor * (mapped - before[2])
            before = (old, new, mapped, result)
            pairs.append((mapped, result))
        return replace(keys, pairs=pairs)

    def _find_u(self, what: str, time: float) -> float:
        take, cut = self.takes[self.source], self.cuts[self.source]
        frame = float(cut.clip_frames(time / take.frame_time))
        first, last = self.curve.domain
        ends = self.curve.timewarp(np.array([first, last]))[:, self.source]
        if self.curve.timewarp.periods is None and not ends[0] - 0.5 <= frame <= ends[1] + 0.5:
            low, high = cut.frames(ends) * take.frame_time
            raise ParameterError(
                f"{what} cannot be carried over: the clips correspond from {low:.2f} to {high:.2f} s of the "
                "source; move it there"
            )
        return float(np.clip(self.curve.timewarp.inverse(self.source, frame), first, last))

    def _time_at(self, u: float) -> float:
        take = self.takes[self.target]
        frame = float(self.cuts[self.target].frames(self.curve.timewarp(u)[self.target]))
        return float(np.clip(frame * take.frame_time, 0.0, take.duration))
