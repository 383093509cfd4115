"""What a benchmark ends with where a figure is beyond its bound."""

from __future__ import annotations


class BoundMissed(SystemExit):
    """A figure is not what it should be; on small inputs that tells nothing."""
