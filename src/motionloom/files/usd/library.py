"""Whether the USD library is there."""

from __future__ import annotations

from importlib.util import find_spec

from motionloom.errors import MissingPackageError


def check_installed() -> None:
    """Fail with a sentence where the USD library is not installed."""
    if find_spec("pxr") is None:
        raise MissingPackageError(
            "usd-core", "reading and writing USD files", "pip install 'motionloom[usd]'"
        )
