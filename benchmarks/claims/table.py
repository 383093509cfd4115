"""What a row of the table is, and how it is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import wrap

WIDTHS = (3, 12, 46, 60, 24)
HEADS = ("", "source", "claim", "measured here", "verdict")


@dataclass(frozen=True)
class Finding:
    """What was measured, in words and figures, and whether the claim holds here."""

    figure: str
    verdict: str


@dataclass(frozen=True)
class Claim:
    """A claim of one of the papers and how it is tried."""

    number: int
    source: str
    text: str
    measure: Callable[[], Finding]


def holds(figure: str, right: bool) -> Finding:
    return Finding(figure, "holds" if right else "fails")


def holds_for(figure: str, groups: Mapping[str, bool]) -> Finding:
    """Return a finding about several groups of clips: the claim holds, fails, or holds for some of them."""
    right = [name for name, own in groups.items() if own]
    if len(right) in (0, len(groups)):
        return holds(figure, bool(right))
    wrong = [name for name, own in groups.items() if not own]
    return Finding(figure, f"holds for {', '.join(right)}; fails for {', '.join(wrong)}")


def print_row(cells: tuple[str, ...]) -> None:
    """Cells side by side, each folded to its width."""
    columns = [wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS, strict=True)]
    for n in range(max(map(len, columns))):
        lines = [column[n] if n < len(column) else "" for column in columns]
        print("  ".join(f"{line:<{width}}" for line, width in zip(lines, WIDTHS, strict=True)).rstrip())


def print_head() -> None:
    print_row(HEADS)
    print_row(tuple("-" * width for width in WIDTHS))
