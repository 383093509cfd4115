"""Write the table of README.md from docs/results.md.

Run with `python -m benchmarks.readme` after `make bench`. A test compares the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.__main__ import RESULTS, ROOT

README = ROOT / "README.md"
BEGIN, END = "<!-- from docs/results.md: python -m benchmarks.readme -->", "<!-- end of results -->"

RUN = re.compile(
    r"printed on (?P<day>[\d-]+)[^:\n]*: Motionloom (?P<version>[^\s,]+),(?: commit (?P<commit>[^,\n]+),)?"
)
"""What the results say of their run; runs before version 0.2.0 did not name their commit."""

NUMBER = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True)
class Row:
    """A line of the table: where its figures stand in the results.

    ``ours`` and ``theirs`` are patterns of one group, a number, in the part called ``section``; ``unit`` is
    that of both, ``peer`` is what the reference says, with ``{}`` for its number.
    """

    task: str
    section: str
    ours: str
    unit: str = "ms"
    theirs: str | None = None
    peer: str = ""


ROWS = (
    Row(
        "read a BVH file, 20,000 frames × 22 joints",
        "files",
        rf"^  motionloom load +{NUMBER} ms$",
        theirs=rf"^  pybvh read_bvh_file\(\)\.to_quat\(\) +{NUMBER} ms",
        peer="pybvh 0.9.0: {}",
    ),
    Row(
        "compute world positions and rotations of these",
        "kinematics",
        rf"^  motionloom, positions and rotations +{NUMBER} ms$",
        theirs=rf"^  upc-pymotion fk +{NUMBER} ms",
        peer="upc-pymotion: {}",
    ),
    Row(
        "register 18 clips of 300 frames, all pairs",
        "registration",
        rf"^  register, all pairs +{NUMBER} ms$",
        peer="Kovar's thesis (2004): 3.3 s",
    ),
    Row(
        "average 18 clips, some 275 frames × 22 joints",
        "blending",
        rf"^  motionloom, sampling and averaging +{NUMBER} ms$",
        theirs=rf"^  scipy Rotation\.mean of given samples +{NUMBER} ms",
        peer="SciPy `Rotation.mean`: {}",
    ),
    Row("one pose of a live blend of nine clips", "control", rf"^  s16 +step +{NUMBER} µs", unit="µs"),
    Row(
        "plant the feet in a minute of motion at 120 Hz",
        "enforcement",
        rf"^  motionloom, enforce +{NUMBER} ms$",
        peer="real time: 60 s",
    ),
)


def main() -> None:
    before = README.read_text(encoding="utf-8")
    README.write_text(replace_table(before, RESULTS.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote the table of {README.name}")


def replace_table(readme: str, results: str) -> str:
    """Return the text of README.md with the table that the results give."""
    first, last = readme.index(BEGIN), readme.index(END)
    return readme[:first] + BEGIN + "\n" + write_table(results) + "\n" + readme[last:]


def write_table(results: str) -> str:
    """Return the sentence above the table, and the table."""
    found = RUN.search(results)
    if found is None:
        raise SystemExit(f"{RESULTS.name} does not say of which version and day it is")
    commit = f", commit {found['commit']}," if found["commit"] else ""
    lines = [
        f"From one run of `make bench` with version {found['version']}{commit} on {found['day']} "
        "([all results](docs/results.md)):",
        "",
        "| task | Motionloom | reference |",
        "| --- | --- | --- |",
    ]
    for row in ROWS:
        ours = f"{find_number(results, row.section, row.ours)}"
        theirs = "" if row.theirs is None else find_number(results, row.section, row.theirs)
        reference = row.peer.format(format_time(theirs, row.unit)) if theirs else row.peer
        lines.append(f"| {row.task} | {format_time(ours, row.unit)} | {reference} |".replace("|  |", "| |"))
    return "\n".join(lines)


def find_number(results: str, section: str, pattern: str) -> str:
    """Return the number that a pattern finds in a part of the results."""
    part = re.search(rf"^## {re.escape(section)}$(.*?)(?=^## |\Z)", results, re.DOTALL | re.MULTILINE)
    found = None if part is None else re.search(pattern, part[1], re.MULTILINE)
    if found is None:
        raise SystemExit(f"{RESULTS.name} holds no such line under {section!r}: {pattern}")
    return found[1]


def format_time(number: str, unit: str) -> str:
    """Return a time with two digits that count.

    >>> format_time("43.62", "ms"), format_time("0.71", "ms"), format_time("1415.4", "ms")
    ('44 ms', '0.71 ms', '1.4 s')
    """
    value = float(f"{float(number):.2g}")
    return f"{value:g} {unit}" if value < 1000 else f"{value / 1000:g} s"


if __name__ == "__main__":
    main()
