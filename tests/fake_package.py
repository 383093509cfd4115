"""A package from outside with plugins, as an installer would put it on the path."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest


def install_package(
    monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, code: str, entry_points: Mapping[str, str]
) -> None:
    """Put a module ``name`` with its ``code`` into a folder and the folder on the path.

    ``entry_points`` maps groups to lines such as "sway = my_package:measure_sway".
    """
    (folder / f"{name}.py").write_text(dedent(code), encoding="utf-8")
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"[{group}]\n{line}\n" for group, line in entry_points.items())
    (facts / "entry_points.txt").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
