"""What a USD stage may be composed of is found in its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.files.content_hash import hash_content
from motionloom.files.usd import layers
from motionloom.files.usd.layers import find_layers


def names(path: Path) -> list[str]:
    return [str(layer.relative_to(path.parent.resolve())) for layer in find_layers(path)]


def test_layers_are_followed_and_stay_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "stage" / "rigs").mkdir(parents=True)
    stage = tmp_path / "stage" / "a.usda"
    (tmp_path / "outside.usda").write_text("#usda 1.0")
    stage.write_text(
        "#usda 1.0 (subLayers = [@rigs/b.usda:SDF_FORMAT_ARGS:x=1@, @../outside.usda@, @no.usda@])"
    )
    (tmp_path / "stage" / "rigs" / "b.usda").write_text(
        '#usda 1.0\ndef "A" (clips = { string templateAssetPath = "../c.###.usda" }) {}\n@../a.usda@'
    )
    (tmp_path / "stage" / "c.001.usda").write_text("#usda 1.0")
    assert names(stage) == ["c.001.usda", "rigs/b.usda"]


@pytest.mark.parametrize(
    "content", [b"", b"PXR-USDC", b"PXR-USDC" + b"\xff" * 80, b"#usda @", b"other @b.usda@"]
)
def test_a_damaged_layer_names_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "b.usda").write_text("#usda 1.0")
    (tmp_path / "a.usdc").write_bytes(content)
    assert names(tmp_path / "a.usdc") == []


@pytest.mark.parametrize("count", [1, 400])
def test_a_binary_layer_names_its_sublayers(tmp_path: Path, count: int) -> None:
    usd = pytest.importorskip("pxr")
    assert usd
    from pxr import Sdf

    (tmp_path / "deep").mkdir()
    for place in ("rig.usdc", "deep/motion.usdc", "other.usdc"):
        Sdf.Layer.CreateNew(str(tmp_path / place)).Save()
    layer = Sdf.Layer.CreateNew(str(tmp_path / "stage.usdc"))
    layer.subLayerPaths.append("./rig.usdc")
    for n in range(count):  # many tokens that begin alike, so that copies overlap
        prim = Sdf.CreatePrimInLayer(layer, f"/world/joint_{n:04}")
        if n == count - 1:
            prim.referenceList.Append(Sdf.Reference("deep/motion.usdc"))
    layer.Save()
    assert names(tmp_path / "stage.usdc") == ["deep/motion.usdc", "rig.usdc"]
    tokens = layers._read_tokens((tmp_path / "stage.usdc").read_bytes())
    assert {b"joint_%04d" % n for n in range(count)} <= set(tokens)


def test_the_hash_of_a_stage_changes_with_its_sublayer(tmp_path: Path) -> None:
    stage, rig = tmp_path / "stage.usda", tmp_path / "rig.usda"
    stage.write_text("#usda 1.0 (subLayers = [@rig.usda@])")
    rig.write_text("#usda 1.0")
    before = hash_content(stage)
    rig.write_text('#usda 1.0\ndef "A" {}')
    assert hash_content(stage) != before
