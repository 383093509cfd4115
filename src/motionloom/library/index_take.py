"""Read a file and work out all that a library keeps of it; this runs in worker processes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.files.content_hash import hash_content
from motionloom.files.load_save import load
from motionloom.library.body_points import N_POINTS, map_points, sample_points
from motionloom.library.signatures import SampleRate, Singles, make_windows, sign_windows, stride_of
from motionloom.library.stored_clip import StoredClip, store_clip
from motionloom.motion import Clip

MIN_SECONDS = 0.2
"""A take shorter than this has hardly a window, and is stored without being searched."""


@dataclass(frozen=True, eq=False)
class IndexedTake:
    """What a library keeps of a clip.

    Attributes
    ----------
    name
        The file's name without its suffix.
    content
        Hash of the motion: copies have the same.
    clip
        The clip with its annotations, taken apart.
    n_frames, frame_time
        Of the clip.
    points
        (N, 17, 3) at 30 Hz; none where the take cannot be searched.
    scale
        Factor from the body's size to that of the standard body.
    signatures
        By sample rate, (27, n) each.
    not_searchable
        Why the take cannot be searched, or None.
    notes
        What was noted when the file was read.
    """

    name: str
    content: str
    clip: StoredClip
    n_frames: int
    frame_time: float
    points: Singles
    scale: float
    signatures: dict[SampleRate, Singles]
    not_searchable: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class IndexedFile:
    """A file that was looked at: its take, or the reason why it has none.

    It has no hash of its content where the reason may pass, such as lack of memory: then it is to be read
    again even if it does not change.
    """

    path: Path
    size: int
    modified: int
    content: str
    take: IndexedTake | None
    reason: str | None


def index_file(path: Path) -> IndexedFile:
    """Read and index one file; whatever is wrong with it becomes a reason."""
    size, modified, content = 0, 0, ""
    try:
        state = path.stat()
        size, modified, content = state.st_size, state.st_mtime_ns, hash_content(path)
        return IndexedFile(path, size, modified, content, index_clip(load(path), path.stem), None)
    except FileNotFoundError:
        reason, content = "there is no such file", ""
    except OSError as error:
        reason, content = f"cannot be read ({error.strerror})", ""
    except (MissingPackageError, MemoryError) as error:
        reason, content = str(error) or "there is not enough memory to read it", ""
    except MotionloomError as error:
        reason = str(error).removeprefix(f"{path}: ")
    except Exception as error:  # readers that packages add may raise anything
        reason, content = f"its reader failed ({type(error).__name__}: {error})", ""
    return IndexedFile(path, size, modified, content, None, reason)


def index_clip(clip: Clip, name: str) -> IndexedTake:
    """Work out what a library keeps of a clip.

    >>> from motionloom.synthesis import walk
    >>> take = index_clip(walk(duration=2.0, fps=60).clip, "walk")
    >>> take.points.shape, take.signatures[10].shape
    ((61, 17, 3), (27, 19))
    """
    content = clip.content_hash(annotations=False)
    points, scale, reason = np.empty((0, N_POINTS, 3), np.float32), 1.0, None
    try:
        points = sample_points(clip).astype(np.float32)
        scale = map_points(clip.body.skeleton).scale
        if clip.duration < MIN_SECONDS:
            points, reason = points[:0], f"the take is shorter than {MIN_SECONDS} s"
    except MotionloomError as error:
        reason = str(error)
    dense = sign_windows(make_windows(points, 30))
    signatures: dict[SampleRate, Singles] = {30: dense, 10: np.ascontiguousarray(dense[:, :: stride_of(10)])}
    stored = store_clip(annotate(clip) if reason is None else clip)
    return IndexedTake(
        name,
        content,
        stored,
        clip.n_frames,
        clip.frame_time,
        points,
        scale,
        signatures,
        reason,
        tuple(clip.source.notes),
    )
