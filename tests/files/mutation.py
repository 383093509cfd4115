"""Broken variants of files: bytes cut, repeated, exchanged, and words put where they do not belong."""

from __future__ import annotations

import random

WORDS = [
    *b"ROOT JOINT End { } OFFSET CHANNELS MOTION Frames: HIERARCHY nan -inf 1e400 1e-400 - . +".split(),
    *b"e5 1e 0x10 1_000 999999999999 123456789012345678901234567890 0.1234567890123456789 , 1,5 #".split(),
    *b":units begin end root dof axis rx XYZ :bonedata :hierarchy".split(),
    *[b"End Site", b"Frame Time:", b"axis 0 0 0 XYZ", b"\x00", b"\xff\xfe", b"\r", b"\n", b"\t", b" "],
]


def mutated(content: bytes, seed: int, most: int = 6) -> bytes:
    """The content after one to ``most`` random changes; the same seed gives the same bytes."""
    rng = random.Random(seed)
    data = bytearray(content)
    for _ in range(rng.randint(1, most)):
        at = rng.randint(0, len(data))
        span = min(rng.choice([1, 1, 2, 5, 20, 200, 2000]), max(len(data) - at, 0))
        kind = rng.randrange(7)
        if kind == 0:
            del data[at : at + span]
        elif kind == 1:
            data[at:at] = data[at : at + span] * rng.choice([1, 2, 30])
        elif kind == 2:
            data[at : at + span] = rng.randbytes(span)
        elif kind == 3:
            data[at:at] = rng.choice(WORDS)
        elif kind == 4:
            del data[at:]
        elif kind == 5 and data:
            data[at % len(data)] = rng.choice(b"0123456789.-+eE \n{}")
        else:
            lines = bytes(data).split(b"\n")
            a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            data = bytearray(b"\n".join(lines))
    return bytes(data)
