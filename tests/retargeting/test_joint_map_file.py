"""Joint maps in files: several rigs in one file, corrected by hand, or refused."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.errors import FileFormatError
from motionloom.retargeting.joint_map_file import load_joint_map, save_joint_map
from motionloom.synthesis import biped


def rig(prefix: str) -> ml.Skeleton:
    return replace(biped(), names=tuple(f"{prefix}{name}" for name in biped().names))


def test_maps_of_several_rigs_share_a_file(tmp_path: Path) -> None:
    path, target = tmp_path / "map.json", biped()
    for source in (rig("a:"), rig("b:")):
        save_joint_map(ml.joint_mapping(source, target), path)
    for source in (rig("a:"), rig("b:")):
        found = load_joint_map(path, source, target)
        assert found is not None
        assert found.partners == ml.joint_mapping(source, target).partners
        assert {pair.found_by for pair in found.pairs} == {"given"}
    assert load_joint_map(path, rig("c:"), target) is None


def test_maps_that_are_saved_at_once_are_all_kept(tmp_path: Path) -> None:
    path, target = tmp_path / "map.json", biped()
    mappings = [ml.joint_mapping(rig(f"{n}:"), target) for n in range(16)]
    with ThreadPoolExecutor(8) as executor:
        list(executor.map(lambda mapping: save_joint_map(mapping, path), mappings))
    assert len(json.loads(path.read_text())["joint_maps"]) == 16
    assert [file.name for file in tmp_path.iterdir()] == ["map.json"]


def test_a_map_of_the_same_rigs_is_replaced(tmp_path: Path) -> None:
    path, mapping = tmp_path / "map.json", ml.joint_mapping(biped(), biped())
    save_joint_map(mapping, path)
    save_joint_map(mapping.replaced({"Head": None}), path)
    found = load_joint_map(path, biped(), biped())
    assert found is not None
    assert found.unmapped_targets == ("Head",)
    assert len(json.loads(path.read_text())["joint_maps"]) == 1


def test_damaged_maps_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    with pytest.raises(FileFormatError, match="there is no such file"):
        load_joint_map(path, biped(), biped())
    names = list(biped().names)
    entry = {"source_joints": names, "target_joints": names, "pairs": {"Nose": "Head"}}
    for content, words in (
        ({"joint_maps": {}}, "joint_maps must be a list"),
        ({"joint_maps": [{"pairs": {}}]}, r"joint_maps\[0\] needs source_joints, target_joints, pairs"),
        ({"joint_maps": [{**entry, "pairs": {"Head": 3}}]}, "must name a source joint"),
        ({"joint_maps": [entry]}, "maps the target joint 'Nose', which the rig does not have"),
    ):
        path.write_text(json.dumps(content))
        with pytest.raises(FileFormatError, match=words):
            load_joint_map(path, biped(), biped())
