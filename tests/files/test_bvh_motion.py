"""The head of the MOTION section: spellings that are read, and sentences for those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.errors import FileFormatError
from motionloom.files.bvh.motion import read_motion_header
from motionloom.files.text import TextFile
from tests.files.bvh_texts import PLAIN, read


def settings_of(text: str) -> tuple[int | None, float | None, str]:
    file = TextFile("clip.bvh", text.encode())
    found = read_motion_header(file, 0)
    return found.n_frames, found.frame_time, text[found.body :]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nFrames: 3 (total)\n", r"line 2: Frames takes one number, not '3 \(total\)'"),
        ("Frames: 3 Frame Time: 0.1 1 2\n", "line 1: Frame Time takes one number, not '0.1 1 2'"),
        ("Frames:\n3\n", "line 1: Frames needs a number"),
        ("Frames: Frame Time: 0.1\n", "line 1: Frames needs a number"),
        ("Frames: 3\nFrames: 4\n", "line 2: Frames is stated twice"),
        ("Frames: 3 Frames: 4\n", "line 1: Frames is stated twice"),
        ("Frames: 2.5\n", "Frames: '2.5' is not a count"),
        ("Frames: 1_0\n", "Frames: '1_0' is not a number"),
        ("Frames: ٣\n", "Frames: '٣' is not a number"),
        ("Frame Time: nan\n", "Frame Time: 'nan' stands for no value"),
        ("Frame Time: 1e400\n", "Frame Time: '1e400' is too large"),
    ],
)
def test_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        settings_of(text)


@pytest.mark.parametrize("frame_time", ["1e-320", "1e-9", "1e8", "-0.1"])
def test_frame_times_beyond_all_sense_are_refused_with_the_file(tmp_path: Path, frame_time: str) -> None:
    message = r"clip\.bvh: its Frame Time of .* s is not from 1e-06 s to 1e\+06 s: state it with fps="
    with pytest.raises(FileFormatError, match=message):
        read(tmp_path, PLAIN.replace("0.4", frame_time))
    assert read(tmp_path, PLAIN.replace("0.4", frame_time), fps=25).fps == 25.0


@pytest.mark.parametrize(
    "text",
    [
        "\nFrames: 3\nFrame Time: 0.1\n",
        "Frame Time: 0.1\n\n\nFrames: 3\n",
        "Frames: 3 Frame Time: 0.1\n",
        "frames 3\nFRAME TIME .1 s\n",
        "Frames :3\nFrameTime:0,1 seconds\n",
        "  Frames:\t3  \n\fFrame  Time : 0.1",
    ],
)
def test_spellings_that_are_read(text: str) -> None:
    assert settings_of(text + "\n1 2 3\n") == (3, 0.1, "1 2 3\n")


def test_what_is_not_said_is_none() -> None:
    assert settings_of("1 2 3\n") == (None, None, "1 2 3\n")
    assert settings_of("") == (None, None, "")


def test_long_runs_of_blanks_take_no_time() -> None:
    """A reader that tries every way to share the blanks among its parts never ends here."""
    with pytest.raises(FileFormatError, match="Frames takes one number, not '3 x'"):
        settings_of("Frames" + " " * 100_000 + "3 x\n")
    assert settings_of("\n \t" * 100_000 + "Frames: 1\n")[0] == 1
