from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.errors import FileFormatError
from motionloom.files.json_fields import JsonFields


def test_errors_name_the_part_of_the_file() -> None:
    header = JsonFields(Path("a.npz"), {"fps": "fast", "source": {"unit": 3}})
    with pytest.raises(FileFormatError, match=r"a.npz: the entry 'fps' of header.json must be a number"):
        header.number("fps")
    extras = JsonFields(Path("a.usd"), {"tips": [{"joint": None}]}, "its extras")
    with pytest.raises(FileFormatError, match=r"a.usd: the entry 'joint' of its extras must be a number"):
        extras.objects("tips")[0].number("joint")
    with pytest.raises(FileFormatError, match=r"the entry 'unit' of header.json must be a string"):
        header.object("source").text("unit")
