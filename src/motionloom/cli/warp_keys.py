"""Keys, time keys and obstacles of a warp as words on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.warping import Key, Obstacle, TimeKeys
    from motionloom.warping.time_keys import TimeCurve

KEY_FORM = "'0.6s LeftKnee rotate x=20' (degrees; or move, reach in metres, scale 1.5; ease=0.4 or hold)"
MOMENT_FORM = (
    "'left strike 2, left knee rotate x=20 body' (a moment, a comma, a role; body: axes of the body)"
)
TIME_FORM = "'0.6s=0.9s', or 'LeftArm 0.6s=0.9s' for one limb"
STRETCH_FORM = "'every left strike, left lift, 0.75'"
OBSTACLE_FORM = "hurdle, 'hurdle,0.5' or 'hurdle,0.5,0.07'"
IN_DEGREES = ("rotate", "orient")
KINDS = (*IN_DEGREES, "move", "reach", "scale")
AXES = ("x", "y", "z")
FLAGS: dict[str, dict[str, Any]] = {
    "hold": {"ease": None},
    "body": {"frame": "body"},
    "ground": {"frame": "ground"},
    "solve=scale": {"solve": "scale"},
}
"""Words of a key that are not numbers, and what they set."""

_TIME = re.compile(r"([0-9.eE+-]+)(s|f)?")
_VALUE = re.compile(r"([a-z]+)=([^=]+)")


def parse_key(line: str, clip: Clip) -> Key:
    """Return a key from one line of text; angles are degrees, lengths metres.

    >>> from motionloom.synthesis import stand
    >>> parse_key("0.5s Head rotate x=90 ease=0.4", stand(duration=1.0).clip).ease
    0.4
    >>> parse_key("left strike 2, left knee rotate x=90 body", stand(duration=1.0).clip).joint
    'left knee'
    """
    from motionloom.warping import Key

    time, joint, kind, rest = _split_key(line, clip)
    flags = [word for word in rest if word in FLAGS]
    numbers = _parse_values(line, kind, [word for word in rest if word not in FLAGS])
    if kind != "scale" and not numbers.keys() & set(AXES):
        raise ParameterError(
            f"the key {line!r} has no x=, y= or z= for its {kind}", remedy=f"write {KEY_FORM}"
        )
    usual = 1.0 if kind == "scale" else 0.0
    vector = np.array([numbers.get(axis, usual) for axis in AXES])
    settings: dict[str, Any] = {kind: np.radians(vector) if kind in IN_DEGREES else vector}
    if "scale" in numbers and numbers.keys() & set(AXES):
        raise ParameterError(f"the key {line!r} gives one factor and factors by axis", remedy="leave one out")
    if kind == "scale" and not numbers.keys() & set(AXES):
        settings = {kind: numbers.get("scale")}
    if "ease" in numbers:
        settings["ease"] = numbers["ease"]
    for word in flags:
        settings |= FLAGS[word]
    known = joint in clip.skeleton.names or joint != "root"
    return Key(time, joint if known else "", **settings)


def _split_key(line: str, clip: Clip) -> tuple[float | str, str, str, list[str]]:
    """Split a key into its time, joint and kind, and the words after them."""
    moment, comma, after = line.partition(",")
    words = after.split()
    if comma:
        n = next((n for n, word in enumerate(words) if word in KINDS), 0)
        if n:
            return parse_moment_or_time(moment, clip), " ".join(words[:n]), words[n], words[n + 1 :]
        raise ParameterError(f"the key {line!r} must look like {MOMENT_FORM}")
    words = line.split()
    if len(words) < 4 or words[2] not in KINDS:
        raise ParameterError(f"the key {line!r} must look like {KEY_FORM}, or {MOMENT_FORM}")
    is_named = words[0] in ("start", "end") or words[0].endswith("%")
    return words[0] if is_named else parse_time(words[0], clip), words[1], words[2], words[3:]


def _parse_values(line: str, kind: str, words: Sequence[str]) -> dict[str, float]:
    """Return the numbers of a key by name; the one without a name is the factor of a scale."""
    known = (*AXES, "ease")
    numbers: dict[str, float] = {}
    for word in words:
        named = _VALUE.fullmatch(word)
        name, value = (named[1], named[2]) if named else ("scale", word)
        if name not in known and (named or kind != "scale"):
            raise ParameterError(f"the key {line!r} has an unknown word {word!r}", remedy=f"write {KEY_FORM}")
        if name in numbers:
            raise ParameterError(f"the key {line!r} gives {name} twice", remedy="leave one out")
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


def parse_stretch(text: str, clip: Clip) -> tuple[float | str, float | str, float]:
    """Return a stretch of time from text: where it starts and ends, and its factor.

    >>> from motionloom.synthesis import stand
    >>> parse_stretch("every left strike, left lift, 0.75", stand(duration=1.0).clip)
    ('every left strike', 'left lift', 0.75)
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ParameterError(f"the stretch {text!r} must look like {STRETCH_FORM}")
    start, end, factor = parts
    ends = parse_moment_or_time(start, clip), parse_moment_or_time(end, clip)
    return (*ends, _parse_number(factor, text))


def parse_obstacle(text: str) -> Obstacle:
    """Return an obstacle from text: its kind, a fraction of the steps, and its height in body heights.

    >>> parse_obstacle("hurdle,0.25").at
    0.25
    """
    from motionloom.warping import Obstacle

    kind, *numbers = [part.strip() for part in text.split(",")]
    if len(numbers) > 2:
        raise ParameterError(f"the obstacle {text!r} must look like {OBSTACLE_FORM}")
    values = [_parse_number(number, text) for number in numbers]
    return Obstacle(cast(Any, kind), *values)


def parse_moment_or_time(text: str, clip: Clip) -> float | str:
    """Return seconds, or a moment in words as it is.

    >>> from motionloom.synthesis import stand
    >>> parse_moment_or_time("left strike 2", stand(duration=1.0).clip)
    'left strike 2'
    """
    words = text.strip()
    is_time = _TIME.fullmatch(words) or (words[:1].isdigit() and "%" not in words)
    return parse_time(words, clip) if is_time else words


def parse_time(text: str, clip: Clip) -> float:
    """Return seconds from text: "0.6s", "0.6", or "72f" for a frame.

    >>> from motionloom.synthesis import stand
    >>> parse_time("30f", stand(duration=1.0, fps=60).clip)
    0.5
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ParameterError(f"{text!r} is not a time", remedy="write seconds like 0.6s, or a frame like 72f")
    number = _parse_number(found[1], text)
    return number * clip.frame_time if found[2] == "f" else number


def _parse_number(text: str, line: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{text!r} in {line!r} is not a number") from None
