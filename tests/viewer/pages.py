"""Reading pages again: what they hold, and the motion in them."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import Any

from motionloom.arrays import FloatArray
from motionloom.viewer.packing import PackedTable, unpack_table


def page_data(html: str) -> dict[str, Any]:
    """What a page says about its clips."""
    (text,) = re.findall(r'<script type="application/json" id="page">(.*?)</script>', html)
    data: dict[str, Any] = json.loads(text)
    return data


def page_tables(html: str, clip: int = 0) -> dict[str, FloatArray]:
    """The tables of a clip of a page."""
    pattern = rf'<script type="application/octet-stream" id="clip-{clip}">(.*?)</script>'
    (packed,) = re.findall(pattern, html)
    data, offset, tables = zlib.decompress(b64decode(packed)), 0, {}
    for fields in page_data(html)["clips"][clip]["tables"]:
        how = PackedTable(**{**fields, "shape": tuple(fields["shape"])})
        tables[how.name] = unpack_table(how, data[offset:])
        size = tables[how.name].size
        offset += how.n_bytes * size + (-(-size // 3 // 8) if how.has_gaps else 0)
    assert offset == len(data)
    return tables
