from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.errors import PluginWarning
from motionloom.plugins import load_plugins
from tests.fake_package import install_package

GROUP = "motionloom.test_numbers"


def test_plugins_are_loaded_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install_package(
        monkeypatch,
        tmp_path,
        "fake_numbers",
        "TWO, ONE = 2, 1",
        {GROUP: "b = fake_numbers:TWO\na = fake_numbers:ONE"},
    )
    assert list(load_plugins(GROUP, check=lambda found: found).items()) == [("a", 1), ("b", 2)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("bad = fake_broken:MISSING", "AttributeError"),
        ("bad = no_such_module:THING", "ModuleNotFoundError"),
        ("bad = fake_broken:WORD", "ValueError: invalid literal"),
    ],
)
def test_a_broken_plugin_is_named_and_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, reason: str
) -> None:
    lines = f"{line}\ngood = fake_broken:THREE"
    install_package(monkeypatch, tmp_path, "fake_broken", "THREE, WORD = '3', 'three'", {GROUP: lines})
    with pytest.warns(PluginWarning, match=rf"skipped the plugin 'bad' \(.*, group '{GROUP}'\): {reason}"):
        assert load_plugins(GROUP, check=lambda found: int(str(found))) == {"good": 3}
