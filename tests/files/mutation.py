"""Broken variants of files: bytes cut, repeated, exchanged, and words put where they do not belong."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

WORDS = [
    *b"ROOT JOINT End { } OFFSET CHANNELS MOTION Frames: HIERARCHY nan -inf 1e400 1e-400 - . +".split(),
    *b"e5 1e 0x10 1_000 999999999999 123456789012345678901234567890 0.1234567890123456789 , 1,5 #".split(),
    *b":units begin end root dof axis rx XYZ :bonedata :hierarchy".split(),
    *[b"End Site", b"Frame Time:", b"axis 0 0 0 XYZ", b"\x00", b"\xff\xfe", b"\r", b"\n", b"\t", b" "],
]

COUNTS = [0, 1, 2, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1]
"""Whole numbers that counts, lengths and indices in files had better not be."""

HEADER_BYTES = 20_000
"""How far into a file its counts are looked for."""


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


def cut_short(content: bytes, seed: int) -> bytes:
    """The content up to a random byte."""
    return content[: random.Random(seed).randrange(len(content))]


def bits_flipped(content: bytes, seed: int) -> bytes:
    """The content with one to twenty bits the other way; half of the time they lie in its first kilobyte."""
    rng = random.Random(seed)
    data = bytearray(content)
    reach = min(len(data), rng.choice([1024, len(data)]))
    for _ in range(rng.randint(1, 20)):
        data[rng.randrange(reach)] ^= 1 << rng.randrange(8)
    return bytes(data)


def miscounted(content: bytes, seed: int) -> bytes:
    """The content with one to three whole numbers, in digits or in bytes, replaced by others."""
    rng = random.Random(seed)
    data = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        written = list(re.finditer(rb"(?<![\w.])\d{1,9}(?![\w.])", data[:HEADER_BYTES]))
        if written and rng.random() < 0.5:
            found = rng.choice(written)
            data[found.start() : found.end()] = str(rng.choice(COUNTS)).encode()
        else:
            width = rng.choice([1, 2, 4, 8])
            at = rng.randrange(min(len(data), rng.choice([512, HEADER_BYTES])))
            number = rng.choice(COUNTS) % (1 << 8 * width)
            data[at : at + width] = number.to_bytes(width, rng.choice(["little", "big"]))
    return bytes(data)


Damage = Callable[[bytes, int], bytes]
"""Takes the content of a file and a seed, and gives the content of a damaged one."""


def in_archive(damage: Damage) -> Damage:
    """The same damage to one member of a zip archive, whose check sums are right again."""

    def damaged(content: bytes, seed: int) -> bytes:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        name = random.Random(seed).choice(list(members))
        members[name] = damage(members[name], seed)
        stored = io.BytesIO()
        with zipfile.ZipFile(stored, "w") as archive:
            for each, data in members.items():
                archive.writestr(each, data)
        return stored.getvalue()

    return damaged


DAMAGES: dict[str, Damage] = {
    "cut short": cut_short,
    "bits flipped": bits_flipped,
    "wrong counts": miscounted,
    "scrambled": mutated,
}
"""Ways to damage a file, by name."""
