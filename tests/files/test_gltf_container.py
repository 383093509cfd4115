"""The outside of glTF files: chunks, JSON, buffers inside and beside, and nothing from elsewhere."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from motionloom.errors import FileFormatError, FileTooLargeError
from motionloom.files.gltf import container, document
from motionloom.files.gltf.container import read_container, write_container
from motionloom.files.gltf.document import GltfDocument
from motionloom.jobs.budget import Budget
from tests.files.gltf_sketch import leg


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        read_container(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def glb(text: bytes, kind: int = 0x4E4F534A, version: int = 2, length: int | None = None) -> bytes:
    chunk = struct.pack("<II", len(text), kind) + text
    return struct.pack("<4sII", b"glTF", version, length or 12 + len(chunk)) + chunk


BAD = [
    (b"", "its JSON part cannot be read"),
    (b"\xff\xfe", "is not a glTF file: its JSON part cannot be read: it is not UTF-8 text"),
    (b"[1]", "its JSON part is not an object"),
    (b"[" * 100_000, "its JSON part cannot be read"),
    (b'{"asset": {"version": NaN}}', "its JSON part cannot be read: NaN is not a number"),
    (b'{"asset": {"version": "1.0"}}', "is not glTF 2: its asset states version '1.0'"),
    (b"{}", "is not glTF 2: its asset states version None"),
    (b"glTF", "is cut off in its header: the file is damaged"),
    (glb(b"{}", version=1), "is GLB version 1: only version 2 is read"),
    (glb(b"{}", length=10_000), "announces 10000 bytes and has 22"),
    (glb(b"{}")[:12] + struct.pack("<II", 99, 0x4E4F534A) + b"{}", "the chunk at byte 12 is larger than the"),
    (glb(b"{}", kind=7), "has no JSON chunk"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    assert message in refusal(tmp_path / "x.glb", content)


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such file"):
        read_container(tmp_path / "x.glb")


def test_sizes_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_JSON_SIZE", 10)
    assert "its JSON part is larger than 0 MB" in refusal(tmp_path / "x.glb", leg().glb())
    monkeypatch.setattr(container, "MAX_FILE_SIZE", 10)
    assert "is larger than 0 GB" in refusal(tmp_path / "x.glb", leg().glb())


def with_buffer(folder: Path, **buffer: Any) -> GltfDocument:
    path = folder / "x.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": [buffer]}))
    return GltfDocument(read_container(path))


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("https://example.org/x.bin", r"buffers\[0\].uri points to 'https:.*only files beside it"),
        ("file:///etc/passwd", "only files beside it and data: URIs are read"),
        ("/etc/passwd", "only files beside it and data: URIs are read"),
        ("../x.bin", "which lies outside the file's folder"),
        ("a/%2e%2e/%2e%2e/x.bin", "which lies outside the file's folder"),
        ("a%00b", "only files beside it and data: URIs are read"),
        ("missing.bin", "needs the file 'missing.bin' beside it, and there is none"),
        ("data:application/octet-stream,abcd", "is a data: URI that is not base64"),
        ("data:;base64,ab=cd", "is not valid base64: the file is damaged"),
        ("data:;base64,ü", "is not valid base64: the file is damaged"),
        ("data:;base64,YWI=", r"buffers\[0\] announces 4 bytes and has 2: the file is damaged"),
    ],
)
def test_addresses_that_are_not_read(tmp_path: Path, uri: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        with_buffer(tmp_path, byteLength=4, uri=uri).buffer(0)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.bin").write_bytes(b"abcd")
    (tmp_path / "inside" / "x.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(FileFormatError, match="which lies outside the file's folder"):
        with_buffer(tmp_path / "inside", byteLength=4, uri="x.bin").buffer(0)


def test_buffers_beside_and_inside_are_read(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "x.bin").write_bytes(b"abcdefgh")
    assert bytes(with_buffer(tmp_path, byteLength=4, uri="a%20b/x.bin").buffer(0)) == b"abcd"
    data = "data:application/gltf-buffer;base64," + base64.b64encode(b"1234").decode()
    assert bytes(with_buffer(tmp_path, byteLength=4, uri=data).buffer(0)) == b"1234"


def test_a_file_that_many_buffers_name_is_read_and_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.gltf"
    (tmp_path / "x.bin").write_bytes(bytes(10_000))
    entries = [
        {"byteLength": length, "uri": uri} for length in (10_000, 9_000) for uri in ("x.bin", "./x.bin")
    ]
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": entries}))
    read: list[Path] = []

    def count(place: Path) -> bytes:
        read.append(place)
        return container.read_bytes_limited(place)

    monkeypatch.setattr(document, "read_bytes_limited", count)
    budget = Budget(path)
    before = budget.allowed
    found = GltfDocument(read_container(path), budget)
    buffers = [found.buffer(index) for index in range(4)]
    assert [len(each) for each in buffers] == [10_000, 10_000, 9_000, 9_000]
    assert len({id(each.obj) for each in buffers}) == 1, "the bytes are shared, not copied"
    assert read == [(tmp_path / "x.bin").resolve()]
    assert (budget.claimed, budget.allowed - before) == (10_000, 200_000)


def test_bytes_beside_a_file_are_claimed(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(bytes(10_000))
    path = tmp_path / "x.gltf"
    buffers = [{"byteLength": 1, "uri": "x.bin"}]
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": buffers}))
    tight = GltfDocument(read_container(path), Budget(path, max_memory=9_999))
    with pytest.raises(FileTooLargeError, match=r"the file 'x\.bin' beside it: reading it would take"):
        tight.buffer(0)


def test_a_buffer_needs_data(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"buffers\[0\] has no data"):
        with_buffer(tmp_path, byteLength=4).buffer(0)


def test_chunks_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    data = leg().glb()
    extra = struct.pack("<II", 4, 77) + b"more"
    (tmp_path / "x.glb").write_bytes(
        struct.pack("<4sII", b"glTF", 2, len(data) + len(extra)) + data[12:] + extra
    )
    assert read_container(tmp_path / "x.glb").binary == b""


@pytest.mark.parametrize("ending", [".glb", ".gltf"])
def test_what_is_written_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    write_container(path, {"asset": {"version": "2.0"}, "extras": "é"}, [b"abcd", b"efgh"])
    found = read_container(path)
    assert found.content["extras"] == "é"
    assert bytes(GltfDocument(found).buffer(0)) == b"abcdefgh"
    assert ending == ".gltf" or path.stat().st_size % 4 == 0
