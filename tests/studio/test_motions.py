from __future__ import annotations

from motionloom.studio.motions import list_motions
from motionloom.synthesis import MOTIONS
from motionloom.synthesis.motions import option_names
from tests.studio.conftest import Studio


def test_every_motion_is_offered_with_every_option() -> None:
    offered = {motion.name: [option.name for option in motion.options] for motion in list_motions().motions}
    assert list(offered) == list(MOTIONS)
    for name, options in offered.items():
        assert sorted(options) == sorted(option_names(name))


def test_the_page_is_told_what_is_usual(studio: Studio) -> None:
    motions = {motion["name"]: motion for motion in studio.get("/api/motions").json()["motions"]}
    kick = {option["name"]: option for option in motions["kick_front"]["options"]}
    assert motions["kick_front"]["heading"] == "Kicks and punches"
    assert (kick["side"]["default"], kick["side"]["choices"]) == ("right", ["left", "right"])
    turn = {option["name"]: option["default"] for option in motions["turn_right"]["options"]}
    assert turn["turn"] == -90.0
    assert turn["duration"] is None
