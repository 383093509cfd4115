"""One descriptor per format: what load, save, the documents and other packages rely on."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, NoSkeletonError, ParameterError, PluginWarning
from motionloom.files import load_clip, load_points, load_registration
from motionloom.files.formats import (
    GROUP,
    Format,
    Kept,
    Requirement,
    all_formats,
    formats_of,
    formats_reading,
    own_formats,
    plugin_formats,
    points_only,
    readable_suffixes,
    upload_suffixes,
)
from motionloom.files.normalize import scale_clip
from motionloom.files.notes import Note, group_notes
from motionloom.files.options import Layout, ReadOption, ReadOptions, WriteOption, WriteOptions
from motionloom.messages import Operation
from motionloom.motion import Clip, PointClip, Skeleton, Source
from motionloom.studio.exports import DESCRIPTIONS
from tests.figures import smooth_clip
from tests.files.bvh_texts import save_unmarked

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS = own_formats()
UNTYPED: Any = ml
HIPS = Skeleton(("Hips",), np.array([-1]), np.array([[0.0, 1.0, 0.0]]))
TOE = PointClip(("toe",), 0.1, np.zeros((1, 1, 3)))


def rows(text: str, head: str) -> list[list[str]]:
    """The cells of the table whose first line begins with these words."""
    table = text[text.index(head) :].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


@pytest.mark.parametrize("format", FORMATS, ids=repr)
def test_descriptors_are_whole(format: Format) -> None:
    assert format.write or format.write_points
    if format.id != "html":  # a page is to look at
        assert format.read or format.read_points
        assert bool(format.read) == bool(format.write)
    assert set(format.read_options) <= set(get_args(ReadOption))
    assert set(format.write_options) <= set(get_args(WriteOption))
    assert format.keeps <= set(get_args(Kept))
    assert ("animation" in format.read_options) == format.several_animations
    assert ("layout" in format.write_options) == bool(format.layouts)
    assert all(re.fullmatch(r"\w+/[\w.+-]+", format.media_type(suffix)) for suffix in format.suffixes)


def test_identifiers_and_layouts_are_unique() -> None:
    assert len({format.id for format in FORMATS}) == len(FORMATS)
    assert sorted(layout for format in FORMATS for layout in format.layouts) == sorted(get_args(Layout))


def test_every_option_applies_to_some_format() -> None:
    assert all(formats_reading(option) for option in get_args(ReadOption))
    assert all(any(option in each.write_options for each in FORMATS) for option in get_args(WriteOption))


def test_load_and_save_take_the_options_of_the_descriptors() -> None:
    from inspect import signature

    points = signature(load_points).parameters
    assert {*get_args(ReadOption), "path", "expected", "fps", "cyclic", "clips", "max_memory"} == {
        *signature(ml.load).parameters,
        *points,
    }
    assert "forces" in points
    assert {*get_args(WriteOption), "motion", "path", "overwrite"} == set(signature(ml.save).parameters)


def test_the_page_lists_every_format() -> None:
    listed = rows(PAGE, "| format | suffix |")[2:]
    assert {row[0]: set(re.findall(r"`(\.\w+)`", row[1])) for row in listed} == {
        format.name: set(format.suffixes) for format in FORMATS
    }
    for row, format in zip(listed, FORMATS, strict=True):
        needs = format.requires.install if format.requires else ""
        assert row[-1].strip("`") == needs
        assert ("points" in row[2]) == bool(format.read_points)
        assert ("animation" in row[2]) == format.several_animations


KEPT_ROWS: dict[str, Kept] = {
    "bone lengths": "bone_lengths",
    "bones that stretch": "stretch",
    "rest rotations": "rest_rotations",
    "tips": "tips",
    "constraints, events, `cyclic`": "annotations",
    "unit and axes of the source": "source_units",
    "channels of the source": "channels",
}


def test_the_page_says_what_each_format_keeps() -> None:
    head, _, *body = rows(PAGE, "| | Motionloom |")
    found = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in body}
    assert KEPT_ROWS.keys() <= found.keys()
    assert set(KEPT_ROWS.values()) == set(get_args(Kept))
    columns = {"CSV": "CSV rotations"}
    for format in FORMATS:
        if format.write:
            for name, kept in KEPT_ROWS.items():
                cell = found[name][columns.get(format.name, format.name)]
                assert cell.startswith("yes") == (kept in format.keeps), (format, name)


def test_the_page_says_which_reading_option_concerns_what() -> None:
    listed = {row[0].strip("`"): row[1] for row in rows(PAGE, "| option | formats |")[2:]}
    assert listed == {
        option: ", ".join(format.name for format in formats_reading(option))
        for option in get_args(ReadOption)
    }


def test_the_readme_lists_every_suffix_and_what_to_install() -> None:
    listed = rows(README, "| format | what is kept |")[2:]
    suffixes = {suffix for row in listed for suffix in re.findall(r"`(\.\w+)`", row[0])}
    assert suffixes == set(upload_suffixes()) | {s for f in FORMATS for s in f.suffixes}
    for format in FORMATS:
        if format.requires:
            (line,) = [row for row in listed if f"`{format.suffixes[0]}`" in row[0]]
            assert f"`{format.requires.install}`" in line[1]


def test_what_the_studio_exports_can_be_written() -> None:
    drawn = {"gif", "mp4", "png"}
    for name in set(DESCRIPTIONS) - drawn:
        assert any(format.write for format in formats_of(f".{name}")), name


def test_the_studio_page_has_no_list_of_its_own() -> None:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "studio/client/src").rglob("*.ts"))
    assert [match for text in texts for match in re.findall(r'"\.bvh,[^"]*"', text)] == []


@pytest.mark.slow
def test_importing_files_imports_no_format() -> None:
    code = (
        "import sys, motionloom.files\n"
        "names = ('bvh', 'acclaim', 'gltf', 'usd', 'fbx', 'csv', 'points', 'native', 'body_models')\n"
        "found = [m for m in sys.modules if m.startswith(tuple(f'motionloom.files.{n}' for n in names))]\n"
        "print([*found, *({'pxr', 'c3d', 'bpy', 'numba'} & set(sys.modules))])\n"
        "motionloom.files.formats.readable_suffixes()\n"
        "files = [m for m in sys.modules if m.startswith('motionloom.files.')]\n"
        "print([m for m in files if m.endswith(('read', 'write', 'amass', 'clips'))])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["[]", "[]"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c, p: UNTYPED.save(p, c), "a path must be a string or a Path, not Clip"),
        (
            lambda c, p: UNTYPED.save("walk.bvh", p),
            "save takes a clip or a registration curve, then the path",
        ),
        (lambda c, p: UNTYPED.save([c], p), "save takes a clip or a registration curve, then the path"),
        (lambda c, p: UNTYPED.save(c, p, overwrite="yes"), "overwrite must be True or False, not 'yes'"),
        (lambda c, p: UNTYPED.save(c, p, template=3), "a path must be a string or a Path, not 3"),
        (lambda c, p: UNTYPED.load(3), "a path must be a string or a Path, not 3"),
        (lambda c, p: UNTYPED.load(c), "a path must be a string or a Path, not Clip"),
        (lambda c, p: UNTYPED.load(p, keep_rest_rows=1), "keep_rest_rows must be True or False, not 1"),
        (lambda c, p: UNTYPED.load(p, root=3), "root must be a string, not 3"),
        (lambda c, p: UNTYPED.load("x.glb", animation=1.5), "animation must be a name or a number, not 1.5"),
        (lambda c, p: UNTYPED.load(c, ml.PointClip), "a path must be a string or a Path, not Clip"),
        (lambda c, p: load_registration("x.npz", [p]), r"clips\[0\] must be a clip, not "),
        (lambda c, p: UNTYPED.load_annotations(c, p), "a path must be a string or a Path, not Clip"),
        (lambda c, p: UNTYPED.load_annotations("x.json", p), "annotations belong to a clip with a skeleton"),
        (lambda c, p: UNTYPED.save_annotations(p, c), "a path must be a string or a Path, not Clip"),
        (
            lambda c, p: UNTYPED.engines.save_sync_events(p, "x.json"),
            "save_sync_events takes a clip or a registration curve",
        ),
    ],
)
def test_wrong_types_are_named(tmp_path: Path, call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ParameterError, match=message):
        call(smooth_clip(3), str(tmp_path / "walk.bvh"))


def test_layouts_need_a_clip(tmp_path: Path) -> None:
    for suffix, layout in ((".npz", "amass"), (".csv", "rotations")):
        with pytest.raises(ParameterError, match=f"layout='{layout}' is for clips with a skeleton"):
            ml.save(TOE, tmp_path / f"x{suffix}", layout=layout)  # type: ignore[arg-type]


def test_wrong_descriptors_are_refused() -> None:
    with pytest.raises(ParameterError, match="needs suffixes, and a media type for each"):
        Format(id="x", name="X", suffixes=(".x", ".y"), media_types=("text/plain",))
    for suffix in ("x", ".X", "."):
        with pytest.raises(ParameterError, match=r"a suffix is like '\.bvh', in small letters"):
            Format(id="x", name="X", suffixes=(suffix,), media_types=("text/plain",))


# A toy format of another package: frame time and root positions of one joint, one frame per line.


def read_toy(path: Path, options: ReadOptions) -> Clip:
    lines = path.read_text(encoding="utf-8").splitlines()
    roots = np.array([[float(word) for word in line.split()] for line in lines[1:]])
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(roots), 1, 1))
    frame_time = options.frame_time or float(lines[0])
    source = Source(str(path), "toy")
    return Clip(HIPS, frame_time, roots, rotations, source=source)


def write_toy(clip: Clip, path: Path, options: WriteOptions) -> None:
    if path.exists() and not options.overwrite:
        raise ml.MotionloomError(f"{path} already exists")
    lines = [repr(clip.frame_time), *(" ".join(map(repr, row)) for row in clip.root_positions.tolist())]
    path.write_text("\n".join(lines), encoding="utf-8")


TOY = Format(
    id="toy", name="Toy", suffixes=(".toy",), media_types=("text/plain",), read=read_toy, write=write_toy
)
NO_FORMAT = "not a format"
TAKEN = Format(id="mine", name="Mine", suffixes=(".bvh",), media_types=("text/plain",), read=read_toy)


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """Entry points that are found instead of those of installed packages; tests add theirs."""
    listed: list[EntryPoint] = []
    installed = importlib.metadata.entry_points

    def found(**wanted: str) -> object:
        return listed if wanted.get("group") == GROUP else installed(**wanted)

    monkeypatch.setattr("importlib.metadata.entry_points", found)
    plugin_formats.cache_clear()
    yield listed
    plugin_formats.cache_clear()


def add(plugins: list[EntryPoint], *names: str, module: str = __name__) -> None:
    plugins += [EntryPoint(name.lower(), f"{module}:{name}", GROUP) for name in names]


def test_a_package_adds_a_format(plugins: list[EntryPoint], tmp_path: Path) -> None:
    add(plugins, "TOY")
    clip = smooth_clip(5, skeleton=HIPS)
    path = ml.save(clip, tmp_path / "walk.toy")
    again = ml.load(path)
    assert np.array_equal(again.root_positions, clip.root_positions)
    assert again.frame_time == clip.frame_time
    assert ml.load(path, fps=50).fps == 50.0
    ml.save(again, tmp_path / "walk.bvh", unit="m")
    assert np.allclose(ml.load(tmp_path / "walk.bvh").root_positions, clip.root_positions, atol=1e-6)
    assert TOY in all_formats()
    assert ".toy" in readable_suffixes()
    with pytest.raises(ParameterError, match=r"unit does not apply to \.toy files"):
        ml.load(path, unit="cm")
    with pytest.raises(ParameterError, match="points without a skeleton are written to"):
        ml.save(TOE, tmp_path / "points.toy")


def test_the_command_line_converts_formats_of_packages(plugins: list[EntryPoint], tmp_path: Path) -> None:
    from click.testing import CliRunner

    from motionloom.cli.main import commands

    add(plugins, "TOY")
    ml.save(smooth_clip(4, skeleton=HIPS), tmp_path / "walk.npz")
    words = [str(tmp_path / "walk.npz"), "--format", "toy", "-o", str(tmp_path / "out")]
    ended = CliRunner().invoke(commands, ["convert", *words], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    assert ml.load(tmp_path / "out" / "walk.toy").n_frames == 4


def test_plugins_are_not_looked_for_while_suffixes_are_known(
    plugins: list[EntryPoint], tmp_path: Path
) -> None:
    add(plugins, "Broken", module="no_such_package")
    ml.save(smooth_clip(3), tmp_path / "walk.bvh")
    ml.load(tmp_path / "walk.bvh")
    with (
        pytest.warns(PluginWarning, match=r"skipped the plugin 'broken' \(no_such_package:Broken"),
        pytest.raises(ParameterError, match=r"files ending in '\.xyz' cannot be read"),
    ):
        ml.load(tmp_path / "walk.xyz")


def test_broken_plugins_are_named_and_skipped(plugins: list[EntryPoint], tmp_path: Path) -> None:
    add(plugins, "NO_FORMAT", "TOY")
    with pytest.warns(
        PluginWarning, match=r"'no_format'.*a format is a motionloom\.files\.Format, not a str"
    ):
        assert plugin_formats() == (TOY,)


def test_own_formats_keep_their_suffixes(plugins: list[EntryPoint]) -> None:
    add(plugins, "TAKEN")
    assert TAKEN in all_formats()
    assert [format.id for format in formats_of(".bvh")] == ["bvh"]


def test_missing_packages_say_what_to_install() -> None:
    needy = Format(
        id="needy",
        name="Needy",
        suffixes=(".needy",),
        media_types=("text/plain",),
        requires=Requirement("no_such_module", "needy-package", "pip install needy-package"),
    )
    with pytest.raises(ml.MotionloomError, match="install it with `pip install needy-package`"):
        needy.check_installed()


def test_points_only() -> None:
    assert [suffix for suffix in (".c3d", ".trc", ".csv", ".npz", ".bvh", "") if points_only(suffix)] == [
        ".c3d",
        ".trc",
    ]
    with pytest.raises(
        NoSkeletonError, match=r"without a skeleton: read it with motionloom\.load$"
    ) as caught:
        load_clip("walk.c3d")
    assert caught.value.message.remedy == ("read it with ", Operation("motionloom.load"))
    with pytest.raises(FileFormatError, match=r"walk\.c3d: there is no such file"):
        ml.load("walk.c3d")


def test_notes_have_a_kind_and_stay_strings(tmp_path: Path) -> None:
    import copy
    import pickle

    from motionloom.synthesis import walk

    clips = {}
    for name, height in (("a", 1.0), ("b", 1.03)):
        clip = scale_clip(walk(duration=1.5, fps=30).clip, height)
        clips[name] = ml.load(save_unmarked(clip, tmp_path / f"{name}.bvh"))
    (first,), (second,) = (clip.source.notes for clip in clips.values())
    assert isinstance(first, str)
    assert isinstance(first, Note)
    assert isinstance(second, Note)
    assert first != second
    assert (first.kind, first.short) == (second.kind, second.short)
    assert first.kind == "unit"
    assert "lengths read as cm" in first.short
    for twin in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert (twin, twin.kind, twin.short) == (first, first.kind, first.short)
    grouped = group_notes({name: clip.source.notes for name, clip in clips.items()})
    assert grouped == {first.short: ["a", "b"]}
