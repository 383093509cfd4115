"""`render`: draw clips as an image, an animation or a video."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

from motionloom.atomic_write import atomic_output
from motionloom.display.camera import View
from motionloom.display.gif import write_gif
from motionloom.display.mp4 import write_mp4
from motionloom.display.strip import render_strip
from motionloom.errors import ParameterError
from motionloom.motion.result import ClipLike
from motionloom.validation import check_path

FORMATS = {".png": "a pose strip", ".gif": "an animation", ".mp4": "a video"}
"""What each suffix gives."""

STRIP_WIDTH = 1600
MOVIE_DEFAULTS = {".gif": (640, 360, 25.0), ".mp4": (1280, 720, 30.0)}
"""Width, height and frame rate of movies by default."""


def render(
    clips: ClipLike | Sequence[ClipLike],
    path: str | PathLike[str],
    *,
    width: int | None = None,
    height: int | None = None,
    fps: float | None = None,
    view: View = "auto",
    n_poses: int = 8,
    title: str = "",
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Draw one clip, or several in one scene, into a file; its suffix decides the format.

    ``.png`` gives a strip of poses (:func:`render_strip`), ``.gif`` an animation (:func:`write_gif`) and
    ``.mp4`` a video (:func:`write_mp4`); animation and video play in real time.

    Parameters
    ----------
    clips
        One clip, or several; several get a colour each.
    path
        File to write.
    width, height
        Pixels; by default 1600 wide for a strip, 640 x 360 for an animation, 1280 x 720 for a video.
    fps
        Frame rate of an animation or a video; by default 25 and 30.
    view
        "auto" (three-quarter), "side", "front" or "top".
    n_poses
        Number of poses in a strip.
    title
        A line of text in the upper left corner.
    overwrite
        Whether an existing file may be replaced.
    progress
        Called with the number of finished frames and the number of all frames; a strip counts as one.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    ParameterError
        The name has another suffix, or there is nothing to draw.
    FileExistsRefusal
        The file exists, and ``overwrite`` is not set.

    >>> import tempfile
    >>> import numpy as np
    >>> from motionloom.motion import Clip, Skeleton
    >>> pole = Skeleton(["foot", "top"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    >>> clip = Clip(pole, 0.1, [[0, 0, 0], [1, 0, 0]], np.tile([1.0, 0, 0, 0], (2, 2, 1)))
    >>> render(clip, Path(tempfile.mkdtemp()) / "pole.png", width=128, height=96).name
    'pole.png'
    """
    target = check_path(path)
    suffix = target.suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(f"{end} for {kind}" for end, kind in FORMATS.items())
        raise ParameterError(f"cannot tell what to draw from the name {target.name!r}: end it in {known}")
    if suffix == ".png":
        with atomic_output(target, overwrite) as temporary:
            image = render_strip(
                clips,
                width=STRIP_WIDTH if width is None else width,
                height=height,
                view=view,
                n_poses=n_poses,
                title=title,
            )
            image.save(temporary, "PNG", optimize=True)
        if progress is not None:
            progress(1, 1)
        return target
    write = write_gif if suffix == ".gif" else write_mp4
    usual_width, usual_height, usual_fps = MOVIE_DEFAULTS[suffix]
    return write(
        clips,
        target,
        width=usual_width if width is None else width,
        height=usual_height if height is None else height,
        fps=usual_fps if fps is None else fps,
        view=view,
        title=title,
        overwrite=overwrite,
        progress=progress,
    )
