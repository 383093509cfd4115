from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocket

from motionloom.project.document import MAX_MARKS
from motionloom.studio.error_responses import MAX_ERROR_LENGTH
from motionloom.studio.limits import MAX_CHARACTERS
from motionloom.studio.session import Session
from motionloom.studio.sockets import MAX_QUEUED, Tab, read_message
from tests.studio.conftest import Page, Studio
from tests.studio.running import run_here

TYPES = ("do", "undo", "redo", "live_start", "live_step", "live_stop", "nonsense")
EDITS = ("add", "remove", "rename", "show", "set_recipe", "set_edit", "set_marks")
FIELDS = (
    *("item", "name", "recipe", "weights", "sources", "serial", "dt", "edit", "marks", "u", "visible"),
    *("type", "trim", "speed", "keys", "path", "motion", "options", "source", "plants"),
)
RECIPES = ("file", "motion", "blend", "transition", "enforce", "loop", "warp", "framespace")

words = st.sampled_from([*TYPES, *EDITS, *RECIPES, "c1", "c2", "c3", "c9", "", "../x", "walk", "\ud800", "é"])
numbers = st.one_of(
    st.integers(-(2**70), 2**70), st.floats(allow_nan=True), st.sampled_from([0, 1, -1, 0.5, 1e300])
)
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6)
    ),
    max_leaves=12,
)


@st.composite
def nearly_right(draw: st.DrawFn) -> dict[str, Any]:
    """Messages that begin as a page's do, with fields that may be anything."""
    message = draw(st.dictionaries(st.sampled_from(FIELDS), values, max_size=5))
    message["type"] = draw(st.sampled_from(TYPES))
    if draw(st.booleans()):
        edit = draw(st.dictionaries(st.sampled_from(FIELDS), values, max_size=5))
        edit["type"] = draw(st.sampled_from(EDITS))
        message["edit"], message["serial"] = edit, draw(st.integers(0, 99))
    return message


def code_of(studio: Studio, data: str | bytes) -> int:
    """The code with which a socket is closed that sends this."""
    with studio.page() as socket:
        Page(studio.client, socket)
        if isinstance(data, bytes):
            socket.send_bytes(data)
        else:
            socket.send_text(data)
        while (message := socket.receive())["type"] != "websocket.close":
            pass
    code: int = message["code"]
    return code


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\x01", 1003),
        ("no json", 1007),
        ("", 1007),
        ('{"type": "undo"', 1007),
        ("[" * 100_000, 1007),
        ("9" * 5000, 1007),
        (r'{"type": "\ud800"}', 1007),
        ('"' + "x" * MAX_CHARACTERS + '"', 1009),
    ],
)
def test_what_no_page_sends_closes_the_socket(studio: Studio, data: str | bytes, code: int) -> None:
    assert code_of(studio, data) == code
    with studio.page() as socket:
        assert Page(studio.client, socket).names == ["walk", "jog", "both"]


@pytest.mark.slow
def test_as_many_marks_as_a_clip_may_have_fit_into_a_message() -> None:
    place = [-1.2345678901234567, 0.0012345678901234567, 12.345678901234567]
    plant = {"joint": "mixamorig:RightToeBase", "kind": "heel", "start": 12345.678901234567}
    plant |= {"end": 12456.789012345678, "point": place, "target": place}
    event = {"frame": 12345.678901234567, "label": "strike", "joint": "mixamorig:RightToeBase"}
    marks = {"plants": [plant] * MAX_MARKS, "events": [event] * MAX_MARKS, "edit": None}
    edit = {"type": "set_marks", "item": "c1", "marks": marks}
    read = read_message(json.dumps({"type": "do", "serial": 1, "edit": edit, "gesture": None}))
    assert (read.error, read.serial) == ("", 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("message", "error"),
    [
        (
            "[]",
            "the message.type must be one of do, undo, redo, live_start, live_step, live_stop, stop, "
            "make_again, not None",
        ),
        ('{"type": "bye"}', "the message.type must be one of do, undo, redo, live_start, live_step, live_s"),
        ('{"type": "undo", "x": 1}', "the message has an unknown field 'x': the fields are type"),
        ('{"type": "undo"}', "there is nothing to undo"),
        ('{"type": "redo"}', "there is nothing to redo"),
        ('{"type": "do", "serial": 7}', "the message lacks the field 'edit'"),
        (
            '{"type": "do", "serial": 7, "edit": {"type": "remove", "item": "c1"}}',
            "walk is used by both: remove or change that clip first",
        ),
        ('{"type": "live_step", "serial": 1, "dt": 0.1, "weights": [1]}', "nothing is being steered"),
        ('{"type": "live_step", "serial": 1, "dt": NaN, "weights": [1]}', "the message.dt must be a finite"),
    ],
)
def test_messages_that_make_no_sense_are_refused_with_a_sentence(
    studio: Studio, message: str, error: str
) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        socket.send_text(message)
        refused = page.expect("refused")
        assert refused["error"].startswith(error)
        said = json.loads(message)
        is_edit = isinstance(said, dict) and said.get("type") == "do"
        assert refused["serial"] == (said["serial"] if is_edit else None)


def test_a_sentence_about_a_long_value_is_short(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.say(type="do", serial=1, edit={"type": "remove", "item": "x" * 4000})
        assert len(page.expect("refused")["error"]) == MAX_ERROR_LENGTH


def test_a_tab_is_shown_everything_when_it_comes(studio: Studio) -> None:
    with studio.page() as socket:
        first = Page(studio.client, socket)
        first.wait_for_all()
        with studio.page() as other:
            second = Page(studio.client, other)
            second.wait_for_all()
    assert second.state == first.state
    assert second.made == first.made
    assert first.state["project"] == str(studio.folder.path.resolve())


@pytest.mark.slow
def test_an_edit_is_seen_by_all_tabs_and_saved(studio: Studio) -> None:
    with studio.page() as one, studio.page() as other:
        first, second = Page(studio.client, one), Page(studio.client, other)
        first.do(type="rename", item="c1", name="stroll")
        for page in (first, second):
            state = page.expect("state")
            assert (state["revision"], state["undo"], state["redo"]) == (1, "rename walk", None)
            assert page.names == ["stroll", "jog", "both"]
        assert second.expect("saved")["revision"] == 1
        assert [item.name for item in studio.folder.load().items] == ["stroll", "jog", "both"]
        second.say(type="undo")
        assert first.expect("state", revision=2)["redo"] == "rename walk"
        assert first.names == ["walk", "jog", "both"]
        second.say(type="redo")
        first.expect("state", revision=3)
        assert first.names == ["stroll", "jog", "both"]


def test_an_edit_that_changes_nothing_is_no_step(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="show", item="c1", visible=True)
        page.do(type="show", item="c1", visible=False)
        assert page.expect("state")["revision"] == 1


def test_every_edit_is_answered_by_its_serial(studio: Studio) -> None:
    """Also one that changes nothing, of which no new state tells; after the state, if there is one."""
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(serial=5, type="show", item="c1", visible=True)
        page.do(serial=6, type="show", item="c1", visible=False)
        page.do(serial=7, type="show", item="c9", visible=False)
        assert page.expect("applied")["serial"] == 5
        assert page.state["revision"] == 0
        assert page.expect("applied")["serial"] == 6
        assert page.state["revision"] == 1
        assert page.expect("refused")["serial"] == 7


@pytest.mark.slow
def test_a_changed_weight_makes_the_blend_again_and_nothing_else(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        before = dict(page.made)
        recipe = page.state["document"]["items"][2]["recipe"]
        page.do(type="set_recipe", item="c3", recipe={**recipe, "weights": [0.2, 0.8]})
        page.expect("finished", item="c3")
        assert page.made["c3"] != before["c3"]
        assert {**page.made, "c3": ""} == {**before, "c3": ""}


def test_a_dropped_socket_comes_back_to_the_same_project(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="rename", item="c1", name="stroll")
        page.expect("state", revision=1)
    with studio.page() as socket:
        page = Page(studio.client, socket)
        assert page.state["revision"] == 1
        assert page.names[0] == "stroll"


@pytest.mark.slow
def test_after_hundreds_of_strange_messages_the_server_still_serves(studio: Studio) -> None:
    """Messages are followed or refused with a sentence; only half surrogates close the socket."""

    @settings(max_examples=250)
    @given(nearly_right())
    def send(message: dict[str, Any]) -> None:
        with studio.page() as socket:
            page = Page(studio.client, socket)
            socket.send_text(json.dumps(message))
            if "\\ud" in json.dumps(message):
                return
            page.do(serial=12345, type="remove", item="none")
            assert "no clip 'none'" in page.expect("refused", serial=12345)["error"]

    send()
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="add", name="last", recipe={"type": "motion", "motion": "stand", "options": {}})
        page.expect("state")
        assert page.names[-1].startswith("last")
        page.expect("finished", item=page.state["document"]["items"][-1]["id"])
        page.expect("saved")
    assert studio.folder.load().items[-1].name == page.names[-1]


def test_a_tab_that_reads_nothing_is_cut_off() -> None:
    class Deaf:
        """A socket into which nothing more fits."""

        code: int | None = None

        async def send_text(self, _: str) -> None:
            await asyncio.sleep(60.0)

        async def close(self, code: int, _: str) -> None:
            self.code = code

    async def code_after(n_messages: int) -> int | None:
        deaf = Deaf()
        tab = Tab(cast(WebSocket, deaf), cast(Session, None))
        writing = asyncio.create_task(tab.write())
        for _ in range(n_messages):
            tab.say("news")
        await asyncio.sleep(0.01)
        assert len(tab._waiting) <= MAX_QUEUED
        writing.cancel()
        return deaf.code

    assert run_here(code_after(MAX_QUEUED)) is None
    assert run_here(code_after(3 * MAX_QUEUED)) == 1013
