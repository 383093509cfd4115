"""`GraphReport`: what a motion graph keeps of its takes, and how well it is connected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GraphReport:
    """Report on how a motion graph was made.

    Attributes
    ----------
    notes
        What was done to the takes, in sentences.
    """

    notes: tuple[str, ...] = ()
