from __future__ import annotations

import json
from pathlib import Path

import pytest

from motionloom.annotation import annotate
from motionloom.errors import FileExistsRefusal, FileFormatError
from motionloom.files import load_annotations, save_annotations
from motionloom.synthesis import walk


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    clip = walk(duration=1, fps=30).clip
    path = tmp_path / "notes.json"
    with pytest.raises(FileFormatError, match=r"notes\.json: there is no such file"):
        load_annotations(path, clip)
    path.write_text('{"a":\n nonsense}')
    with pytest.raises(FileFormatError, match=r"notes\.json, line 2: is not JSON"):
        load_annotations(path, clip)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match=r"notes\.json: is not JSON text"):
        load_annotations(path, clip)
    path.write_text("[]")
    with pytest.raises(FileFormatError, match=r"^[^:]*notes\.json: "):
        load_annotations(path, clip)


def test_annotations_come_back_and_can_be_edited(tmp_path: Path) -> None:
    clip = annotate(walk(duration=2, fps=30).clip)
    path = save_annotations(clip, tmp_path / "walk.json")
    bare = walk(duration=2, fps=30).clip
    again = load_annotations(path, bare)
    assert again.constraints == clip.constraints
    assert again.events == clip.events
    data = json.loads(path.read_text())
    assert "events" in data
    with pytest.raises(FileExistsRefusal):
        save_annotations(clip, path)
