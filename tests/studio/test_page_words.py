from __future__ import annotations

import pytest

from motionloom.files.notes import Note, override
from motionloom.messages import Argument, Message, Operation
from motionloom.studio.page_words import in_page_words
from motionloom.transitions.plan import TooShortError


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        (Note("unit", "the unit is cm", remedy=override("unit")), "the unit is cm"),
        (
            Message(
                "3 rows repeat the rest pose", remedy=("keep them with ", Argument("keep_rest_rows", True))
            ),
            "3 rows repeat the rest pose",
        ),
        (
            Message("must be at least 1, not 0", parameter="slope_limit", value=0),
            "slope limit must be at least 1, not 0",
        ),
        (
            Message("the clip ends", remedy=("close it with ", Operation("motionloom.cyclify"))),
            "the clip ends: close it with New > Loop",
        ),
        (
            Message("joints jump", remedy=("mend them with ", Operation("motionloom.repair"))),
            "joints jump: mend them with Clean up",
        ),
        (
            Message("holds points", remedy=("read it with ", Operation("motionloom.load_points"))),
            "holds points",
        ),
        (
            Message("the clips do not match", remedy=("blend anyway with ", Argument("allow_unfit", True))),
            "the clips do not match: blend anyway with “Blend even if the clips do not match”",
        ),
        (
            TooShortError(2.0, 0.5).message,
            "a transition of 2.00 s does not fit: 0.50 s of motion are missing; use a smaller “Half width”, "
            "choose another centre with “Meeting frames”, or let cyclic clips repeat with “Loop clips "
            "that are too short”",
        ),
        (Message((Argument("fps"), " and ", Argument("up"), " differ")), "fps and up differ"),
        ("walk.bvh has 120 frames at 30 fps (4.0 s)", "walk.bvh has 120 frames at 30 fps (4.0 s)"),
        ("is `motionloom studio` still running?", "is `motionloom studio` still running?"),
    ],
)
def test_no_sentence_names_what_a_page_does_not_have(sentence: str, shown: str) -> None:
    words = in_page_words(sentence)
    assert words == shown
    assert "motionloom." not in words
    assert "=" not in words
    assert "--" not in words
