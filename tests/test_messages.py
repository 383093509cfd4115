from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy

import pytest

from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.notes import Note, override
from motionloom.messages import Argument, ClipName, Message, Operation, Words, join_parts, render
from motionloom.validation import check_choice, check_count, check_names, check_number, check_positive


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (Message("the clip ends"), "the clip ends"),
        (Message("the clip ends", remedy="use a longer one"), "the clip ends: use a longer one"),
        (Message("it ends: early", remedy="use another"), "it ends: early; use another"),
        (Message("must be 1", parameter="knots", value=0), "knots must be 1"),
        (Message("has no rate", subject="walk.bvh"), "walk.bvh: has no rate"),
        (
            Message("no rate", subject="a.bvh", remedy=("state ", Argument("fps"))),
            "a.bvh: no rate: state fps=",
        ),
        (Message((Argument("loop", True), " is for cycles")), "loop=True is for cycles"),
        (Message(("use ", Operation("motionloom.cyclify"))), "use motionloom.cyclify"),
        (Message(("of ", ClipName(1), " and ", ClipName(2, "jog"))), "of clip 1 and jog"),
    ],
)
def test_a_message_is_a_sentence_for_callers_of_the_library(message: Message, sentence: str) -> None:
    assert message == sentence
    assert message.render() == sentence
    assert f"{message}" == sentence


class Silent(Words):
    """A surface that has neither arguments nor functions."""

    def name_argument(self, argument: Argument) -> str | None:
        return None

    def name_operation(self, operation: Operation) -> str | None:
        return None


def test_a_remedy_that_cannot_be_followed_is_left_out_and_a_problem_never() -> None:
    words = Silent()
    assert Message("no rate", remedy=("state ", Argument("fps"))).render(words) == "no rate"
    assert Message(("", Argument("fps"), " is wrong")).render(words) == "fps is wrong"
    assert render("a plain sentence", words) == "a plain sentence"


def test_messages_tell_what_they_mention() -> None:
    message = Message(
        ("must suit ", ClipName(3)),
        parameter="window",
        remedy=("see ", Argument("points"), Argument("window")),
    )
    assert (message.arguments, message.clips) == (("window", "points"), (3,))


def test_messages_within_messages_keep_their_parts() -> None:
    inner = Message((ClipName(0), " ends"), remedy=("state ", Argument("duration")))
    outer = Message(("in the middle, ", inner))
    assert outer == "in the middle, clip 0 ends: state duration="
    assert (outer.clips, outer.arguments) == ((0,), ("duration",))


def test_clips_and_files_get_other_names() -> None:
    message = Message((ClipName(0), " and ", ClipName(2), " differ"))
    assert message.naming(["walk", "jog", "run"]) == "walk and run differ"
    assert Message("/tmp/1 is empty", subject="/tmp/1").replacing("/tmp/1", "a") == "a: a is empty"
    assert Message("is empty", subject="key 1").about("a.json") == "a.json: key 1: is empty"
    assert join_parts([]) == ()


@pytest.mark.parametrize("copy", [deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
def test_messages_survive_copies_and_other_processes(copy: object) -> None:
    assert callable(copy)
    note = Note("unit", ("cm in ", ClipName(1)), "in cm", remedy=override("unit"))
    same = copy(note)
    assert (same, same.kind, same.short, same.clips) == (note, "unit", note.short, (1,))
    assert same.remedy == note.remedy


def test_values_that_no_process_can_be_sent_are_sent_as_text() -> None:
    error = ParameterError("must be a number, not a function", parameter="speed", value=lambda: 3)
    same = pickle.loads(pickle.dumps(error))
    assert (str(same), same.parameter) == (str(error), "speed")
    assert "lambda" in same.value


def test_checks_of_values_name_parameter_and_value() -> None:
    calls: list[tuple[Callable[[], object], str, object]] = [
        (lambda: check_number("speed", 9, min=0, max=2), "speed", 9),
        (lambda: check_positive("fps", -1), "fps", -1),
        (lambda: check_count("cycles", 0), "cycles", 0),
        (lambda: check_choice("side", "up", ["left"]), "side", "up"),
        (lambda: check_names("names", 3), "names", 3),  # type: ignore[arg-type]
    ]
    for call, parameter, value in calls:
        with pytest.raises(ParameterError) as caught:
            call()
        assert (caught.value.parameter, caught.value.value) == (parameter, value)


def test_errors_of_files_keep_the_cause_as_data() -> None:
    error = FileFormatError("walk.bvh", "states no rate", 3, remedy=("state it with ", Argument("fps")))
    assert str(error) == "walk.bvh, line 3: states no rate: state it with fps="
    assert error.message.arguments == error.cause.arguments == ("fps",)
    assert error.message.subject == "walk.bvh, line 3"


def test_errors_take_messages_as_they_are() -> None:
    message = Message("the clip ends", remedy="use a longer one")
    assert MotionloomError(message).message is message
    assert ParameterError(message).message is message
    assert not ParameterError(message).parameter
