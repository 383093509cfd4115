"""The head of the MOTION section: how many frames, and how long each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from motionloom.files.text import TextFile, decoded, number, shown

BLANKS = re.compile(rb"\s*")
UNITS_OF_TIME = ("s", "sec", "secs", "second", "seconds")
MOST_FRAMES = 10**9
"""Frames that a file may announce: a year at 30 frames per second."""


@dataclass(frozen=True)
class Settings:
    """Announced frames and seconds per frame, None where unsaid, and the byte at which the rows begin."""

    n_frames: int | None
    frame_time: float | None
    body: int


def read_settings(file: TextFile, start: int) -> Settings:
    """Read ``Frames:`` and ``Frame Time:``, in either order, on lines of their own or on one."""
    stated: dict[str, float] = {}
    while True:
        start = _first_word(file, start)
        end = file.content.find(b"\n", start)
        end = len(file.content) if end < 0 else end
        words = decoded(file.content[start:end].replace(b":", b" ")).split()
        if not _setting(words)[0]:
            break
        try:
            _take_line(words, stated)
        except ValueError as error:
            raise file.error(str(error), start) from None
        start = end
    count = stated.get("Frames")
    return Settings(None if count is None else int(count), stated.get("Frame Time"), start)


def _first_word(file: TextFile, start: int) -> int:
    blanks = BLANKS.match(file.content, start)
    return start if blanks is None else blanks.end()


def _setting(words: list[str]) -> tuple[str, list[str]]:
    """The setting that the words begin with, "" for none, and the words after its name."""
    lower = [word.lower() for word in words[:2]]
    if lower == ["frame", "time"]:
        return "Frame Time", words[2:]
    if lower[:1] == ["frametime"]:
        return "Frame Time", words[1:]
    return ("Frames", words[1:]) if lower[:1] == ["frames"] else ("", words)


def _take_line(words: list[str], stated: dict[str, float]) -> None:
    """Take all settings of one line; a ValueError says what is wrong with it."""
    while words:
        name, rest = _setting(words)
        if name in stated:
            raise ValueError(f"{name} is stated twice")
        if not rest or _setting(rest)[0]:
            raise ValueError(f"{name} needs a number, and none stands there")
        value, words = rest[0], rest[1:]
        stated[name] = _READINGS[name](value)
        if name == "Frame Time" and words and words[0].lower() in UNITS_OF_TIME:
            words = words[1:]
        if words and not _setting(words)[0]:
            raise ValueError(f"{name} takes one number, not {shown(' '.join(rest))}")


def _frame_count(word: str) -> float:
    count = _value("Frames", word)
    if count != int(count) or not 0 <= count <= MOST_FRAMES:
        raise ValueError(f"Frames: {shown(word)} is not a count")
    return count


def _frame_time(word: str) -> float:
    return _value("Frame Time", word)


def _value(name: str, word: str) -> float:
    try:
        return number(word.replace(",", "."))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


_READINGS: dict[str, Callable[[str], float]] = {"Frames": _frame_count, "Frame Time": _frame_time}
