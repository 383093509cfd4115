"""Other packages that benchmarks measure against; a run without one leaves its rows out, and says so."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def find_peer(name: str) -> ModuleType | None:
    """Import a module of a peer, None where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        print(f"left out: {name} is not installed (pip install -e '.[bench]')")
        return None
