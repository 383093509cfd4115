from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom import load
from motionloom.synthesis import MOTIONS, reach_out
from motionloom.synthesis.motions import make_motion, option_names
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (["--duration", "0"], "--duration must be a positive number of seconds, not 0"),
        (["--duration", "nan"], "--duration must be a positive number of seconds, not nan"),
        (["--duration", "1e9"], "a duration of 1e+09 s at 60 frames per second gives 60000000001 frames"),
        (["--duration", "long"], "invalid value for '--duration': 'long' is not a number"),
        (["--fps", "-5"], "--fps must be a positive number"),
        (["--speed", "100"], "--speed must be from 0.4 to 2.1 m/s for a walk, not 100"),
        (["--curvature", "50"], "curvature at 1.4 m/s"),
        (["--phase", "nan"], "--phase must be from"),
        (["--side", "up"], "invalid value for '--side': 'up' is not one of 'left', 'right'"),
        (["--turn", "90"], "walk takes no turn: it takes speed, curvature, gait, duration"),
        (["--turn", "200"], "invalid value for '--turn': 200.0 is not between -180 and 180"),
        (["--target", "0,1,0"], "walk takes no target"),
        (["--energy", "1"], "walk takes no energy"),
        (["--gait", "x"], "a gait is NAME=VALUE,…, such as crouch=0.1, not 'x'"),
        (["--gait", ""], "a gait is NAME=VALUE,…, such as crouch=0.1, not ''"),
        (["--gait", "hop=1"], "a gait has no 'hop': it has arm_swing, bounce"),
        (["--gait", "crouch=9"], "style crouch must be from 0 to 0.2 m, not 9"),
        (["--plants"], "--plants needs an .npz file: other formats cannot store them"),
    ],
)
def test_wrong_values_for_a_walk(run: Run, tmp_path: Path, words: list[str], start: str) -> None:
    ended = run("synthesize", "walk", "-o", tmp_path / "walk.bvh", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.complaint.startswith(start)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (["--target", "1,2"], "a target is X,Y,Z in metres, such as 0.2,1.2,0.5, not '1,2'"),
        (["--target", "9,9,9"], "target (9, 9, 9) is out of reach of the right hand"),
        (["--gait", "crouch=0.1"], "reach takes no gait: it takes target, side, duration, fps"),
    ],
)
def test_wrong_values_for_a_reach(run: Run, tmp_path: Path, words: list[str], start: str) -> None:
    ended = run("synthesize", "reach", "-o", tmp_path / "reach.bvh", *words)
    assert ended.code == 2
    assert ended.complaint.startswith(start)


@pytest.mark.parametrize("words", [[], ["walk"], ["-o", "walk.bvh"]])
def test_motion_and_file_are_both_needed(run: Run, words: list[str]) -> None:
    ended = run("synthesize", *words)
    assert (ended.code, ended.complaint) == (2, "name a motion and a file (-o), or use --list")


def test_an_unknown_motion(run: Run, tmp_path: Path) -> None:
    ended = run("synthesize", "fly", "-o", tmp_path / "fly.bvh")
    assert ended.code == 2
    assert ended.complaint.startswith("there is no built-in motion 'fly': choose from walk, walk_left,")


def test_replacing_needs_force(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "stand.bvh"
    words = ["synthesize", "stand", "-o", target, "--duration", "0.5"]
    assert run(*words).code == 0
    ended = run(*words)
    assert ended.code == 1
    assert ended.complaint.endswith("already exists: choose another name, or replace it with --force")
    assert run(*words, "--force").code == 0


def test_a_walk(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "walk.npz"
    timing = ["--duration", "2", "--fps", "30", "--phase", "0.25"]
    manner = ["--speed", "1", "--curvature", "0.1", "--gait", "crouch=0.05, arm_swing=1.5"]
    facts = run("synthesize", "walk", "-o", target, "--json", *timing, *manner).json()
    assert facts == {"written": [str(target)], "frames": 61, "fps": 30.0, "duration_s": 2.0, "plants": 0}
    assert load(target).constraints == ()


def test_plants_are_stored_on_request(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "walk.npz"
    facts = run("synthesize", "walk", "-o", target, "--plants", "--json").json()
    assert facts["plants"] == len(load(target).constraints) > 4


def test_turns_are_in_degrees() -> None:
    made = make_motion("turn_left", {"turn": 180.0, "fps": None})
    np.testing.assert_allclose(made.clip.rotations, make_motion("turn_back", {}).clip.rotations, atol=1e-12)


def test_targets_are_in_metres() -> None:
    made = make_motion("reach", {"target": "0.3, 1.2, 0.4", "side": "left"})
    wanted = reach_out(target=[0.3, 1.2, 0.4], side="left")
    np.testing.assert_array_equal(made.clip.rotations, wanted.clip.rotations)


def test_the_list_names_motions_and_their_options(run: Run) -> None:
    lines = [line.split() for line in run("synthesize", "--list").out.splitlines()]
    assert [line[0] for line in lines] == list(MOTIONS)
    assert ["kick_front", "--side", "--duration", "--fps"] in lines


def test_the_list_as_json(run: Run) -> None:
    listed = run("synthesize", "--list", "--json").json()
    assert list(listed) == list(MOTIONS)
    assert listed["idle"] == ["energy", "duration", "fps"]


@pytest.mark.parametrize("name", MOTIONS)
def test_every_listed_option_is_an_option_of_the_command(run: Run, name: str) -> None:
    shown = run("synthesize", "--help").out
    assert [option for option in option_names(name) if f"--{option} " not in shown] == []
