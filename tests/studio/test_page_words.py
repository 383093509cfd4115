from __future__ import annotations

import pytest

from motionloom.studio.page_words import in_page_words


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("the unit is cm (override with unit= or --unit)", "the unit is cm"),
        (
            "3 rows repeat the rest pose (keep_rest_rows=True or --keep-rest-rows keeps them)",
            "3 rows repeat the rest pose",
        ),
        ("states no Frame Time: state it with fps= or --read-fps", "states no Frame Time"),
        ("what comes later was not used; loops (motionloom.cyclify) go on", None),
        ("joints jump (motionloom.repair or `motionloom repair` mends what it can)", None),
        ("load it first (motionloom.load)", "load it first"),
        ("holds points without a skeleton: read it with motionloom.load_points", None),
        ("walk.bvh has 120 frames at 30 fps (4.0 s)", "walk.bvh has 120 frames at 30 fps (4.0 s)"),
        ("is `motionloom studio` still running?", "is `motionloom studio` still running?"),
    ],
)
def test_no_sentence_names_what_a_page_does_not_have(sentence: str, shown: str | None) -> None:
    words = in_page_words(sentence)
    assert shown is None or words == shown
    assert "motionloom." not in words
    assert "=" not in words
    assert "--" not in words
