"""Keys and time keys of a warp as words on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.warping import Key, TimeKeys
    from motionloom.warping.times import TimeCurve

KEY_FORM = "'0.6s LeftKnee rotate x=20' (degrees; or move, reach in metres, scale 1.5; ease=0.4 or hold)"
TIME_FORM = "'0.6s=0.9s', or 'LeftArm 0.6s=0.9s' for one limb"
IN_DEGREES = ("rotate", "orient")
KINDS = (*IN_DEGREES, "move", "reach", "scale")
AXES = ("x", "y", "z")

_TIME = re.compile(r"([0-9.eE+-]+)(s|f)?")
_VALUE = re.compile(r"([a-z]+)=([^=]+)")


def parse_key(line: str, clip: Clip) -> Key:
    """Return a key from one line of text; angles are degrees, lengths metres.

    >>> from motionloom.synthesis import stand
    >>> parse_key("0.5s Head rotate x=90 ease=0.4", stand(duration=1.0).clip).ease
    0.4
    """
    from motionloom.warping import Key

    words = line.split()
    if len(words) < 4 or words[2] not in KINDS:
        raise ParameterError(f"the key {line!r} must look like {KEY_FORM}")
    time, joint, kind, *rest = words
    hold = "hold" in rest
    numbers = _parse_values(line, kind, [word for word in rest if word != "hold"])
    if kind != "scale" and not numbers.keys() & set(AXES):
        raise ParameterError(f"the key {line!r} has no x=, y= or z= for its {kind}: write {KEY_FORM}")
    settings: dict[str, Any] = {kind: numbers.get("scale")}
    if kind != "scale":
        vector = np.array([numbers.get(axis, 0.0) for axis in AXES])
        settings = {kind: np.radians(vector) if kind in IN_DEGREES else vector}
    if hold or "ease" in numbers:
        settings["ease"] = None if hold else numbers["ease"]
    known = joint in clip.skeleton.names or joint != "root"
    return Key(parse_time(time, clip), joint if known else "", **settings)


def _parse_values(line: str, kind: str, words: Sequence[str]) -> dict[str, float]:
    """Return the numbers of a key by name; the one without a name is the factor of a scale."""
    known = ("ease",) if kind == "scale" else (*AXES, "ease")
    numbers: dict[str, float] = {}
    for word in words:
        named = _VALUE.fullmatch(word)
        name, value = (named[1], named[2]) if named else ("scale", word)
        if name not in known and (named or kind != "scale"):
            raise ParameterError(f"the key {line!r} has an unknown word {word!r}: write {KEY_FORM}")
        if name in numbers:
            raise ParameterError(f"the key {line!r} gives {name} twice: leave one out")
        numbers[name] = _parse_number(value, line)
    return numbers


def parse_time_keys(
    texts: Sequence[str],
    clip: Clip,
    *,
    curve: TimeCurve = "pchip",
    tension: float = 0.0,
    reverse: bool = False,
) -> list[TimeKeys]:
    """Return the time keys of the whole body and of single limbs.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=60).clip
    >>> [(keys.joint, keys.pairs) for keys in parse_time_keys(["30f=0.9s", "Head 0.2=0.3"], clip)]
    [('', ((0.5, 0.9),)), ('Head', ((0.2, 0.3),))]
    """
    from motionloom.warping import TimeKeys

    pairs: dict[str, list[tuple[float, float]]] = {}
    for text in texts:
        joint, _, pair = text.strip().rpartition(" ")
        source, equals, new = pair.partition("=")
        if not equals:
            raise ParameterError(f"the time key {text!r} must look like {TIME_FORM}")
        pairs.setdefault(joint.strip(), []).append((parse_time(source, clip), parse_time(new, clip)))
    return [
        TimeKeys(own, joint=joint, curve=curve, tension=tension, reverse=reverse)
        for joint, own in pairs.items()
    ]


def parse_time(text: str, clip: Clip) -> float:
    """Return seconds from text: "0.6s", "0.6", or "72f" for a frame.

    >>> from motionloom.synthesis import stand
    >>> parse_time("30f", stand(duration=1.0, fps=60).clip)
    0.5
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ParameterError(f"{text!r} is not a time: write seconds like 0.6s, or a frame like 72f")
    number = _parse_number(found[1], text)
    return number * clip.frame_time if found[2] == "f" else number


def _parse_number(text: str, line: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{text!r} in {line!r} is not a number") from None
