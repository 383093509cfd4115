"""H.264 videos, written through ffmpeg."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from os import PathLike
from pathlib import Path
from types import ModuleType

from motionloom.atomic_write import atomic_output
from motionloom.display.camera import View, check_view
from motionloom.display.canvas import check_size
from motionloom.display.movie import check_fps, plan_movie
from motionloom.display.scene import build_scene
from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.motion.result import ClipLike

ENCODING = ("-preset", "superfast", "-crf", "21")
"""How H.264 is encoded: 52 dB and about 4 MB for ten seconds in which the camera follows a figure. ffmpeg's
own preset takes three times as long for the same quality."""


def write_mp4(
    clips: ClipLike | Sequence[ClipLike],
    path: str | PathLike[str],
    *,
    width: int = 1280,
    height: int = 720,
    fps: float = 30.0,
    view: View = "auto",
    title: str = "",
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write one clip or several as an MP4 video that plays in real time.

    Needs the package imageio-ffmpeg (``pip install 'motionloom[video]'``).

    Parameters
    ----------
    clips
        One clip, or several in one scene.
    path
        File to write.
    width, height
        Pixels; odd numbers are made even, as the format requires.
    fps
        Frame rate.
    view
        "auto" (three-quarter), "side", "front" or "top".
    title
        A line of text in the upper left corner.
    overwrite
        Whether an existing file may be replaced.
    progress
        Called with the number of finished frames and the number of all frames.

    >>> import tempfile
    >>> from motionloom.synthesis import walk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_mp4(walk(duration=0.1).clip, f"{folder}/walk.mp4", width=160, height=90).name
    'walk.mp4'
    """
    ffmpeg = _ffmpeg()
    width, height = check_size(width, height)
    size, rate = (width + width % 2, height + height % 2), check_fps(fps)
    movie = plan_movie(build_scene(clips), rate, size, check_view(view), title)
    with atomic_output(path, overwrite) as temporary:
        try:
            with closing(_writer(ffmpeg, temporary, size, rate)) as send:
                for done, image in enumerate(movie.paint_frames(range(movie.n_frames)), start=1):
                    send.send(image.tobytes())
                    if progress is not None:
                        progress(done, movie.n_frames)
        except OSError as error:
            raise MotionloomError(f"ffmpeg stopped while writing {path}: {error}") from error
        _check_complete(ffmpeg, temporary, movie.n_frames, path)
    return Path(path)


def _ffmpeg() -> ModuleType:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingPackageError(
            "imageio-ffmpeg", "writing MP4", "pip install 'motionloom[video]'"
        ) from None
    module: ModuleType = imageio_ffmpeg
    return module


def _writer(
    ffmpeg: ModuleType, path: Path, size: tuple[int, int], fps: float
) -> Generator[None, bytes | None, None]:
    """Start an ffmpeg process that takes frames; closing it ends the process and completes the file."""
    writer: Generator[None, bytes | None, None] = ffmpeg.write_frames(
        path,
        size,
        fps=fps,
        codec="libx264",
        pix_fmt_out="yuv420p",
        quality=None,
        macro_block_size=2,
        ffmpeg_log_level="error",
        output_params=[*ENCODING, "-movflags", "+faststart"],
    )
    writer.send(None)
    return writer


def _check_complete(ffmpeg: ModuleType, written: Path, n_frames: int, path: str | PathLike[str]) -> None:
    """Fail unless a video has all its frames: ffmpeg's own failure, on a full disk, is not passed on."""
    try:
        count, _ = ffmpeg.count_frames_and_secs(written)
    except RuntimeError:
        count = 0
    if count != n_frames:
        raise MotionloomError(
            f"cannot write {path}: ffmpeg wrote {count} of {n_frames} frames; the disk may be full"
        )
