"""Motion as an interactive page: one HTML file that plays it in any browser, to look at and to pass on.

Pages are written and never read: they hold positions to half a millimetre, not the motion itself.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.files.formats import Format
from motionloom.files.options import WriteOptions
from motionloom.motion import Clip, PointClip


def _write(clip: Clip | PointClip, path: Path, options: WriteOptions) -> None:
    from motionloom.viewer import view

    view(clip, path, overwrite=options.overwrite)


FORMAT = Format(
    id="html",
    name="Viewer page",
    suffixes=(".html",),
    media_types=("text/html",),
    write=_write,
    write_points=_write,
    prescribes_metres=True,
    prescribes_up="y",
)
