"""What a benchmark ends with where a figure is beyond its bound."""

from __future__ import annotations

MISSED = 3
"""Exit code: the benchmark ran, and what it printed holds."""


class BoundMissed(SystemExit):
    """A figure is not what it should be; on small inputs that tells nothing."""

    def __init__(self, what: str) -> None:
        super().__init__(MISSED)
        print(f"missed: {what}")
