"""One call that turns clips into a picture, an animation or a video."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.atomic_write import atomic_output
from motionloom.display.gif import write_gif
from motionloom.display.mp4 import write_mp4
from motionloom.display.strip import render_strip
from motionloom.errors import ParameterError
from motionloom.motion import Clip

KINDS = {".png": "a pose strip", ".gif": "an animation", ".mp4": "a video"}
"""What each suffix gives."""


def render(
    clips: Clip | Sequence[Clip],
    path: str | PathLike[str],
    *,
    width: int | None = None,
    height: int | None = None,
    fps: float | None = None,
    view: str = "auto",
    n_poses: int = 8,
    title: str = "",
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Draw one clip, or several in one scene, into a file whose suffix says what it becomes.

    ``.png`` gives a strip of poses (:func:`render_strip`), ``.gif`` an animation (:func:`write_gif`) and
    ``.mp4`` a video (:func:`write_mp4`); animation and video play in real time.

    Parameters
    ----------
    clips
        One clip, or several; several get a colour each.
    path
        The file to make.
    width, height
        Pixels; what suits the kind when None.
    fps
        Frames per second of an animation or a video; what suits the kind when None.
    view
        "auto" (three-quarter), "side", "front" or "top".
    n_poses
        How many poses a strip shows.
    title
        A line for the upper left corner.
    overwrite
        Whether an existing file may be replaced.
    progress
        Called with the frames done and the number of frames; a strip counts as one.

    Returns
    -------
    Path
        The file that was made.

    >>> import tempfile
    >>> import numpy as np
    >>> from motionloom.motion import Skeleton
    >>> pole = Skeleton(["foot", "top"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> clip = Clip(pole, 0.1, [[0, 0, 0], [1, 0, 0]], np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    >>> render(clip, Path(tempfile.mkdtemp()) / "pole.png", width=128, height=96).name
    'pole.png'
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in KINDS:
        known = ", ".join(f"{end} for {kind}" for end, kind in KINDS.items())
        raise ParameterError(f"cannot tell what to draw from the name {target.name!r}: end it in {known}")
    given = {"width": width, "height": height, "fps": fps}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if suffix == ".png":
        chosen.pop("fps", None)
        return _write_strip(
            target, overwrite, progress, clips, n_poses=n_poses, view=view, title=title, **chosen
        )
    write = write_gif if suffix == ".gif" else write_mp4
    return write(clips, target, view=view, title=title, overwrite=overwrite, progress=progress, **chosen)


def _write_strip(
    path: Path,
    overwrite: bool,
    progress: Callable[[int, int], None] | None,
    clips: Clip | Sequence[Clip],
    **settings: Any,
) -> Path:
    with atomic_output(path, overwrite) as temporary:
        render_strip(clips, **settings).save(temporary, "PNG", optimize=True)
    if progress is not None:
        progress(1, 1)
    return path
