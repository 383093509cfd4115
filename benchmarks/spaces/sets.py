"""Sets of clips, captured and built in, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.corpus import MOCAP
from motionloom.cycles import cyclify
from motionloom.files import load
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.measures import Parameter
from motionloom.synthesis import reach_out, turn_in_place, walk


@dataclass(frozen=True)
class ClipSet:
    """Clips of one action, with the parameters that they vary in."""

    name: str
    clips: Callable[[], list[Clip]]
    parameters: dict[str, Parameter]


def _corpus(pattern: str) -> Callable[[], list[Clip]]:
    return lambda: [load(path).resampled(60) for path in sorted(MOCAP.glob(pattern))]


def _takes(*names: str) -> Callable[[], list[Clip]]:
    return lambda: [load(MOCAP / "library" / name.split("_")[0] / f"{name}.bvh") for name in names]


def _loops(pattern: str) -> Callable[[], list[Clip]]:
    return lambda: [cyclify(clip, cycles=1) for clip in _corpus(pattern)()]


def _built_in_reaches() -> list[Clip]:
    places = [(x, y, 0.45) for x in (-0.4, -0.1, 0.2) for y in (0.8, 1.0, 1.4)]
    return [reach_out(target=place, fps=60).clip for place in places]


def _built_in_gaits() -> list[Clip]:
    return [
        cyclify(walk(speed=speed, curvature=bend, duration=4.0, fps=60).clip, cycles=1)
        for speed in (0.8, 1.2, 1.6)
        for bend in (-0.4, 0.0, 0.4)
    ]


GAIT = {"speed": parameters.speed(), "turn": parameters.turn_rate()}

SETS = (
    ClipSet(
        "reaches, captured",
        _corpus("actions/reaches/*.bvh"),
        {"hand": parameters.position("LeftHand", axes="xy")},
    ),
    ClipSet(
        "punches, captured",
        _corpus("actions/punches/punch_*.bvh"),
        {"hand": parameters.height("RightHand", "apex")},
    ),
    ClipSet(
        "kicks, captured",
        _corpus("actions/kicks/kick_74*.bvh"),
        {"foot": parameters.position("RightFoot", axes="yz")},
    ),
    ClipSet("turns, captured", _takes("16_17", "16_18", "16_19", "16_20"), {"turn": parameters.turn()}),
    ClipSet("hops, captured", _corpus("actions/jumps/*.bvh"), {"turn": parameters.turn()}),
    ClipSet("sits, captured", _corpus("actions/sits/*.bvh"), {"seat": parameters.height("hips", "lowest")}),
    ClipSet("gaits, captured", _loops("locomotion/s16/*.bvh"), GAIT),
    ClipSet(
        "reaches, built in",
        _built_in_reaches,
        {"hand": parameters.position("RightHand", axes="xy")},
    ),
    ClipSet("gaits, built in", _built_in_gaits, GAIT),
    ClipSet(
        "steps, built in",
        lambda: [walk(speed=speed, duration=3.0, fps=60).clip for speed in (0.8, 1.2, 1.6)],
        {"step": parameters.step_length(2)},
    ),
    ClipSet(
        "turns, built in",
        lambda: [turn_in_place(turn=turn, fps=60).clip for turn in (0.5, 1.0, 1.5)],
        {"turn": parameters.turn()},
    ),
)
