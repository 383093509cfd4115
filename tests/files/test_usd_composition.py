"""What a stage is composed of is looked at before the USD library composes it."""

import os
import time
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.errors import FileFormatError

pytest.importorskip("pxr")

from motionloom.files.usd.composition import find_fault, find_foreign_layer

ALLOWED = 1000
"""Prims that the stages of these tests may have."""


def write(folder: Path, name: str, body: str, layer: str = "") -> str:
    path = folder / name
    path.write_text(f"#usda 1.0\n(\n{layer}\n)\n{body}\n")
    return str(path)


def write_doubled(folder: Path, levels: int) -> str:
    """A stage whose every prim refers twice to the one before: levels double the prims, not the text."""
    lines = ['def "L0" {\ndef "a" {}\n}']
    for level in range(1, levels):
        twice = "\n".join(f'def "{name}" (references = </L{level - 1}>) {{}}' for name in "ab")
        lines.append(f'def "L{level}" {{\n{twice}\n}}')
    return write(folder, "doubled.usda", "\n".join(lines))


def test_arguments_of_the_format_hide_no_file(tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.usda"
    write(tmp_path, "inner.usda", "", f"subLayers = [@{outside}@]")
    path = write(tmp_path, "a.usda", "", "subLayers = [@./inner.usda:SDF_FORMAT_ARGS:x=1@]")
    assert "outside.usda', which lies outside the file's folder" in (find_fault(path, ALLOWED) or "")


@pytest.mark.parametrize("prim", ["variant", "prim in a variant"])
def test_value_clips_in_a_variant_are_seen(tmp_path: Path, prim: str) -> None:
    clips = "(clips = { dictionary default = { asset[] assetPaths = [@/etc/hosts.usda@] } })"
    variant = f'"x" {clips} {{}}' if prim == "variant" else f'"x" {{\ndef "B" {clips} {{}}\n}}'
    head = '(variants = { string v = "x" }\nprepend variantSets = "v")'
    path = write(tmp_path, "a.usda", f'def "A" {head} {{\nvariantSet "v" = {{\n{variant}\n}}\n}}')
    assert find_fault(path, ALLOWED) == "refers to '/etc/hosts.usda', which lies outside the file's folder"


def test_files_that_a_template_of_value_clips_names(tmp_path: Path) -> None:
    folder = tmp_path / "stages"
    folder.mkdir()
    (folder / "clip.001.usda").symlink_to(write(tmp_path, "secret.usda", ""))
    clips = 'string templateAssetPath = "./clip.###.usda"'
    path = write(folder, "a.usda", f'def "A" (clips = {{ dictionary default = {{ {clips} }} }}) {{}}')
    assert ", which lies outside" in str(find_fault(path, ALLOWED))


def test_layers_that_a_stage_uses_are_checked_again(tmp_path: Path) -> None:
    from pxr import Usd

    folder = tmp_path / "stages"
    folder.mkdir()
    outside = write(tmp_path, "outside.usda", 'def "A" {}')
    path = write(folder, "a.usda", "", f"subLayers = [@{outside}@]")
    fault = find_foreign_layer(Usd.Stage.Open(path), path)
    assert fault == "is composed of 'outside.usda', which lies outside the file's folder"
    inside = write(folder, "b.usda", 'def "A" (references = @./c.usda@</B>) {}')
    write(folder, "c.usda", 'def "B" {}')
    assert find_foreign_layer(Usd.Stage.Open(inside), inside) is None


def test_references_that_double_prims_are_counted_before_they_are_composed(tmp_path: Path) -> None:
    assert find_fault(write_doubled(tmp_path, 7), ALLOWED) is None
    assert find_fault(write_doubled(tmp_path, 5), 10) is None, "twenty for each of the 14 it holds"
    start = time.perf_counter()
    fault = find_fault(write_doubled(tmp_path, 60), 16_000)
    assert time.perf_counter() - start < 1.0
    assert "it would have more than 16000 of them" in str(fault)


def test_arcs_across_files_in_circles_and_into_variants_are_counted(tmp_path: Path) -> None:
    for level in range(1, 20):
        twice = "\n".join(f'def "{name}" (payload = @./f{level - 1}.usda@) {{}}' for name in "ab")
        write(tmp_path, f"f{level}.usda", f'def "R" {{\n{twice}\n}}', 'defaultPrim = "R"')
    write(tmp_path, "f0.usda", 'def "R" {}', 'defaultPrim = "R"')
    assert find_fault(str(tmp_path / "f4.usda"), ALLOWED) is None
    assert "more than 1160 of them" in (find_fault(str(tmp_path / "f19.usda"), ALLOWED) or "")
    circle = write(tmp_path, "circle.usda", 'def "A" (inherits = </B>) {}\ndef "B" (specializes = </A>) {}')
    assert "more than 1000" in (find_fault(circle, ALLOWED) or "")


@pytest.mark.slow
def test_loading_says_what_to_do_about_repeated_prims(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"repeats prims by references.*max_memory=") as caught:
        ml.load(write_doubled(tmp_path, 40))
    assert caught.value.message.arguments == ("max_memory",)
    assert os.listdir(tmp_path) == ["doubled.usda"]
