from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from motionloom.errors import PluginWarning
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.retargeting.rig_dialects import BUILT_IN, rig_dialects
from motionloom.synthesis.biped import biped
from tests.fake_package import install_package

LATIN = {
    "Hips": "Coxae",
    "Head": "Caput",
    **{
        f"{side}{part}": f"{latin}-{side[0]}"
        for side in ("Left", "Right")
        for part, latin in zip(
            ("UpLeg", "Leg", "Foot", "ToeBase", "Arm", "ForeArm", "Hand"),
            ("femur", "crus", "pes", "digiti", "brachium", "antebrachium", "manus"),
            strict=True,
        )
    },
}


@pytest.fixture(autouse=True)
def _forget_dialects() -> Iterator[None]:
    for cached in (rig_dialects, find_body_parts):
        cached.cache_clear()
    yield
    for cached in (rig_dialects, find_body_parts):
        cached.cache_clear()


def test_packages_add_dialects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    skeleton = replace(biped(), names=tuple(LATIN.get(name, f"os {name}") for name in biped().names))
    before = find_body_parts(skeleton)
    assert before.dialect is None
    find_body_parts.cache_clear()
    rig_dialects.cache_clear()
    code = """
        from motionloom.retargeting import RigDialect

        LATIN = RigDialect(
            "Latin",
            ("L", "R"),
            {"pelvis": "Coxae", "head": "Caput"},
            {
                "thigh": "femur-{}",
                "shin": "crus-{}",
                "foot": "pes-{}",
                "toes": "digiti-{}",
                "upper arm": "brachium-{}",
                "forearm": "antebrachium-{}",
                "hand": "manus-{}",
            },
        )
    """
    entry = {"motionloom.rig_dialects": "latin = fake_latin:LATIN"}
    install_package(monkeypatch, tmp_path, "fake_latin", code, entry)
    found = find_body_parts(skeleton)
    assert found.dialect is not None
    assert found.dialect.name == "Latin"
    assert skeleton.names[found.joints["left forearm"]] == "antebrachium-L"
    assert "right toes" in found.named


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("LATIN = {'thigh': 'femur'}", "a rig dialect is a RigDialect, not a dict"),
        (
            "from motionloom.retargeting import RigDialect\n"
            "LATIN = RigDialect('Latin', ('L', 'R'), {'pelvis': 'Coxae'}, {'tail': 'cauda'})",
            "unknown body parts 'tail'",
        ),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_broken_dialect_is_named_and_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, reason: str
) -> None:
    entry = {"motionloom.rig_dialects": f"latin = fake_{len(code)}:LATIN"}
    install_package(monkeypatch, tmp_path, f"fake_{len(code)}", code, entry)
    with pytest.warns(PluginWarning, match=f"skipped the plugin 'latin'.*{reason}"):
        assert rig_dialects() == BUILT_IN
