"""The loop panel: a cycle of the selected clip, where it represents the clip or where the playhead is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.synthesis import walk
from motionloom.workflows import ensure_annotated
from tests.studio.browser.conftest import FPS
from tests.studio.browser.exports import choose, copied
from tests.studio.browser.library_checks import undo_afterwards
from tests.studio.browser.page_checks import find_cut_off, find_nameless
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser


@pytest.fixture
def studio(gaits: RunningStudio) -> Iterator[RunningStudio]:
    """The studio on gaits with the panel open and a walk selected."""
    with undo_afterwards(gaits):
        gaits.select(gaits.item("walk")["id"])
        gaits.tab("Loop")
        yield gaits


def test_a_clip_is_closed_near_the_playhead(studio: RunningStudio, shots: Path) -> None:
    page, clip = studio.page, ensure_annotated(walk(duration=4.0, fps=FPS).clip)
    studio.seek(2.5)
    page.get_by_role("button", name="Use playhead").click()
    assert page.get_by_role("spinbutton", name="Near frame").input_value() == "75"
    studio.wait_for_edit(lambda: page.get_by_role("button", name="Create loop").click())
    loop = studio.item("walk loop")
    assert loop["recipe"] == {"type": "loop", "source": "c1", "near": 75, "cycles": None}
    studio.wait_computed(loop["id"])
    expected = cyclify(clip, near=75)
    assert studio.header(loop["id"])["cyclic"]
    np.testing.assert_allclose(studio.motion(loop["id"]), expected.clip.world_positions(), atol=1e-5)
    page.get_by_text(str(expected.report).splitlines()[0]).wait_for()
    assert (find_cut_off(page), find_nameless(page)) == ([], [])
    page.screenshot(path=shots / "loop.png")

    # Another cycle of the same clip, and back.
    field = page.get_by_role("spinbutton", name="Near frame")
    field.fill("40")
    studio.wait_for_motion(loop["id"], lambda: field.press("Enter"))
    assert studio.item("walk loop")["recipe"]["near"] == 40
    cycles = page.get_by_role("spinbutton", name="Cycles")
    cycles.fill("2")
    studio.wait_for_motion(loop["id"], lambda: cycles.press("Enter"))
    np.testing.assert_allclose(
        studio.motion(loop["id"]), cyclify(clip, near=40, cycles=2).clip.world_positions(), atol=1e-5
    )
    cycles.blur()
    for _ in range(2):
        studio.wait_for_motion(loop["id"], lambda: page.keyboard.press("Control+z"))
    assert studio.item("walk loop")["recipe"] == loop["recipe"]


def test_scripts_close_the_same_loop(studio: RunningStudio) -> None:
    studio.do(
        {"type": "add", "name": "stride", "recipe": {"type": "loop", "source": "c1", "near": 75, "cycles": 1}}
    )
    studio.wait_all()
    studio.tab("Export")
    choose(studio, "stride", "BVH")
    assert "stride = ml.cyclify(walk, near=75, cycles=1)" in copied(studio.page, "Python")
    assert "cyclify made/walk.npz --near=75f --cycles=1" in copied(studio.page, "commands")


def test_a_loop_is_not_closed_again(studio: RunningStudio) -> None:
    page = studio.page
    studio.do({"type": "add", "name": "stride", "recipe": {"type": "loop", "source": "c1"}})
    planted = {"type": "enforce", "source": studio.item("stride")["id"]}
    studio.do({"type": "add", "name": "planted", "recipe": planted})
    studio.wait_all()
    studio.select(studio.item("planted")["id"])
    page.get_by_text("planted is a loop already.").wait_for()
    assert page.get_by_role("button", name="Create loop").is_disabled()


def test_a_frame_that_is_not_there_is_refused_with_a_sentence(studio: RunningStudio) -> None:
    studio.do({"type": "add", "name": "stride", "recipe": {"type": "loop", "source": "c1", "near": 999}})
    studio.page.locator("#panel-loop").get_by_text("near must be from 0 to 120 frames, not 999").wait_for()
