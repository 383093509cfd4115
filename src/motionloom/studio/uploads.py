"""Files that are dropped onto the page: read once to check them, and then kept in the project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.project.folder import CLIPS, ProjectFolder
from motionloom.studio.responses import UploadedFile

if TYPE_CHECKING:  # opening a project imports this module, before anything says which packages are missing
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

MAX_BYTES = 256 * 1024 * 1024
"""Size of the largest file that is taken: hours of motion. Files are held in memory while they come in."""

MAX_AT_ONCE = 2
"""Files that are checked and stored at one time; others wait."""

MAX_INCOMING = 4
"""Files that come in at one time, held in memory; others wait."""

MAX_SILENCE = 10.0
"""Seconds without a byte after which a file is given up: one that never comes would keep others waiting."""

MIN_RATE = 1_000_000
"""Bytes per second that a file must come in with after the first seconds, since it comes from this machine:
one that drips would keep others waiting as well."""

TOO_LARGE, TOO_SLOW = 413, 408


def store_upload(folder: ProjectFolder, name: str, pieces: list[bytes]) -> UploadedFile:
    """Check a file that came in pieces, put it into the project and say what it holds."""
    content = b"".join(pieces)
    pieces.clear()
    found = check_content(folder, name, content)
    return replace(found, path=store_file(folder, name, content))


async def receive_file(request: Request, name: str) -> list[bytes]:
    """Receive the body of a request in pieces, up to the size limit."""
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > MAX_BYTES:
        raise _too_large(name)
    pieces, size, start = [], 0, monotonic()
    stream = request.stream()
    while (piece := await _next(stream, name)) is not None:
        size += len(piece)
        if size > MAX_BYTES:
            raise _too_large(name)
        if monotonic() - start > MAX_SILENCE + size / MIN_RATE:
            raise _too_slow(name)
        pieces.append(piece)
    return pieces


async def _next(stream: AsyncIterator[bytes], name: str) -> bytes | None:
    """Return the next piece of a body, or None at its end."""
    try:
        return await asyncio.wait_for(anext(stream, None), MAX_SILENCE)
    except TimeoutError:
        raise _too_slow(name) from None


def _too_slow(name: str) -> HTTPException:
    from starlette.exceptions import HTTPException

    return HTTPException(TOO_SLOW, f"{name} stopped coming in: send it again")


def _too_large(name: str) -> HTTPException:
    from starlette.exceptions import HTTPException

    megabytes = MAX_BYTES // 1024**2
    return HTTPException(TOO_LARGE, f"{name} is larger than {megabytes} MB: cut it into shorter takes first")


MOTION, SKELETON = ".amc", ".asf"
"""Endings of motion that finds its skeleton by name, and of such skeletons."""

_STORING = Lock()
"""One file is stored at a time, so that nobody takes a name between the look at it and the use of it."""


def check_suffix(name: str) -> str:
    """Return the suffix of a file name in lower case, if such files can be read.

    >>> check_suffix("walk.BVH")
    '.bvh'
    """
    from motionloom.files.formats import upload_suffixes

    known = upload_suffixes()
    ending = PurePosixPath(name).suffix.lower()
    if ending not in known:
        raise ParameterError(
            f"{name or 'a file without a name'} cannot be read: supported file types are {', '.join(known)}"
        )
    return ending


def check_content(folder: ProjectFolder, name: str, content: bytes) -> UploadedFile:
    """Read a file once, apart from the project, and say what it holds or what is wrong with it.

    Motion in ``.amc`` files is read with the skeletons that the project has; a skeleton alone cannot be read.
    """
    ending = check_suffix(name)
    if ending == SKELETON:
        return UploadedFile(path="", has_motion=False, has_character=False)
    from motionloom.files import load_clip
    from motionloom.files.formats import character_suffixes

    with TemporaryDirectory() as scratch:
        trial = ProjectFolder(scratch)
        place = trial.resolve(trial.add(name, content))
        if ending == MOTION:
            _bring_skeletons(folder, trial, name)
        try:
            clip = load_clip(place)
            character = clip.source.character
            if ending not in character_suffixes() or character is None or not character.has_mesh:
                return UploadedFile(path="", has_motion=True, has_character=False)
            return _check_character(place, has_motion=clip.n_frames > 1)
        except MotionloomError as error:
            raise MotionloomError(error.message.replacing(str(place), name)) from None


def _check_character(place: Path, has_motion: bool) -> UploadedFile:
    """Say whether a file with a mesh is a character; one that is none and has no motion is refused."""
    from motionloom.studio.characters import check_character

    try:
        mesh = check_character(place)
    except MotionloomError as error:
        if not has_motion:
            raise
        left_out = f"{error}; only its motion was added".replace(str(place), place.name)
        return UploadedFile(path="", has_motion=True, has_character=False, notes=(left_out,))
    return UploadedFile(path="", has_motion=has_motion, has_character=True, notes=mesh.notes)


def store_file(folder: ProjectFolder, name: str, content: bytes) -> str:
    """Put a file into the project and return its path there.

    The same file is not kept twice, and another one of the same name gets a number; but not motion and
    skeletons that find each other by their names, of which another one is refused.
    """
    with _STORING:
        if check_suffix(name) in (MOTION, SKELETON):
            _check_free(folder, name, content)
        return folder.add(name, content)


def skeletons_beside(path: Path) -> list[Path]:
    """Find the skeleton file that an ``.amc`` file needs; empty where it is missing, or for other formats."""
    from motionloom.files.acclaim.read import find_skeleton

    if path.suffix.lower() != MOTION:
        return []
    try:
        return [find_skeleton(path)]
    except FileFormatError:
        return []  # reading the motion says so


def _bring_skeletons(folder: ProjectFolder, trial: ProjectFolder, name: str) -> None:
    """Put the skeletons of a project beside motion that is to be checked."""
    found = [path for path in folder.resolve(CLIPS).glob("*") if path.suffix.lower() == SKELETON]
    if not found:
        raise ParameterError(
            f"{name} needs its skeleton", remedy=f"add its {SKELETON} file first, or both together"
        )
    for path in found:
        trial.add(path.name, folder.resolve(f"{CLIPS}/{path.name}").read_bytes())


def _check_free(folder: ProjectFolder, name: str, content: bytes) -> None:
    """Refuse a name that another file of the project has."""
    with TemporaryDirectory() as scratch:
        wanted = ProjectFolder(scratch).add(name, b"")
    place = folder.resolve(wanted)
    if place.exists() and place.read_bytes() != content:
        raise ParameterError(
            f"the project has another file that is called {name}", remedy="rename motion and skeleton alike"
        )
