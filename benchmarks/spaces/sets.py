"""Sets of clips, captured and built in, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.corpus import MOCAP
from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.measures import Parameter
from motionloom.synthesis import kick, reach_out, turn_in_place, walk


@dataclass(frozen=True)
class ClipSet:
    """Clips of one action, with the parameters that they vary in.

    Names end with where clips are from: "captured" are the described clips, with which spaces were built;
    "library" are takes that no setting was chosen by.
    """

    name: str
    clips: Callable[[], list[Clip]]
    parameters: dict[str, Parameter]


def _corpus(pattern: str) -> Callable[[], list[Clip]]:
    return lambda: [load_clip(path).resampled(60) for path in sorted(MOCAP.glob(pattern))]


def _takes(*names: str) -> Callable[[], list[Clip]]:
    return lambda: [load_clip(MOCAP / "library" / name.split("_")[0] / f"{name}.bvh") for name in names]


def _as_loops(clips: Callable[[], list[Clip]]) -> Callable[[], list[Clip]]:
    return lambda: [cyclify(clip, cycles=1).clip for clip in clips()]


def _as_strides(clips: Callable[[], list[Clip]]) -> Callable[[], list[Clip]]:
    return lambda: [own.clip for own in match_strides([annotate(clip) for clip in clips()], strides=1)]


def _built_in_reaches() -> list[Clip]:
    places = [(x, y, 0.45) for x in (-0.4, -0.1, 0.2) for y in (0.8, 1.0, 1.4)]
    return [reach_out(target=place, fps=60).clip for place in places]


def _built_in_walks() -> list[Clip]:
    return [
        walk(speed=speed, curvature=bend, duration=4.0, fps=60).clip
        for speed in (0.8, 1.2, 1.6)
        for bend in (-0.4, 0.0, 0.4)
    ]


GAIT: dict[str, Parameter] = {"speed": parameters.speed(), "turn": parameters.turn_rate()}
LEFT_HAND: dict[str, Parameter] = {"hand": parameters.position("LeftHand", axes="xy")}
TURN: dict[str, Parameter] = {"turn": parameters.turn()}
HIPS_HIGH: dict[str, Parameter] = {"hips": parameters.height("hips")}
HIPS_FAR: dict[str, Parameter] = {"end": parameters.position("hips", "end", axes="z")}
SEAT: dict[str, Parameter] = {"seat": parameters.height("hips", "lowest")}
STEP: dict[str, Parameter] = {"step": parameters.step_length(1)}

CAPTURED = (
    ClipSet("reaches, captured", _corpus("actions/reaches/*.bvh"), LEFT_HAND),
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
    ClipSet("turns, captured", _takes("16_17", "16_18", "16_19", "16_20"), TURN),
    ClipSet("hops, captured", _corpus("actions/jumps/*.bvh"), TURN),
    ClipSet("sits, captured", _corpus("actions/sits/*.bvh"), SEAT),
    ClipSet("gaits, captured", _as_loops(_corpus("locomotion/s16/*.bvh")), GAIT),
    ClipSet("steps, captured", _as_strides(_corpus("locomotion/triples/walk_*_132_*.bvh")), STEP),
)

LIBRARY = (
    ClipSet(
        "jump kicks, library", _takes("90_05", "90_06", "90_07"), {"foot": parameters.height("RightFoot")}
    ),
    ClipSet("brisk turns, library", _takes("16_27", "16_28", "16_29", "16_30"), TURN),
    ClipSet("long jumps, library", _takes("16_05", "16_06", "16_07", "16_09", "16_10"), HIPS_FAR),
    ClipSet("forward jumps, library", _takes("13_11", "13_13", "13_19", "13_32"), HIPS_FAR),
    ClipSet("high jumps, library", _takes("16_01", "16_02", "16_03", "16_04"), HIPS_HIGH),
    ClipSet("jumps, library", _takes("13_39", "13_40", "13_41", "13_42"), HIPS_HIGH),
    ClipSet("sits, library", _takes("75_17", "75_18", "75_20"), SEAT),
    ClipSet("gaits, library", _as_loops(_takes("16_12", "16_14", "16_16", "16_22", "16_24", "16_26")), GAIT),
    ClipSet(
        "walks and runs, library",
        _as_loops(_takes("35_01", "35_05", "35_09", "35_17", "35_19", "35_21")),
        {"speed": parameters.speed()},
    ),
    ClipSet("steps, library", _as_strides(_takes("16_16", "16_22", "16_32", "16_47", "16_58")), STEP),
)

BUILT_IN = (
    ClipSet("reaches, built in", _built_in_reaches, {"hand": parameters.position("RightHand", axes="xy")}),
    ClipSet(
        "kicks, built in",
        lambda: [kick(style=style, fps=60).clip for style in ("front", "side", "high")],
        {"foot": parameters.position("RightFoot", axes="xy")},
    ),
    ClipSet("gaits, built in", _as_loops(_built_in_walks), GAIT),
    ClipSet(
        "steps, built in",
        lambda: [walk(speed=speed, duration=3.0, fps=60).clip for speed in (0.8, 1.2, 1.6)],
        {"step": parameters.step_length(2)},
    ),
    ClipSet("step places, built in", _as_strides(_built_in_walks), {"step": parameters.step_place(1)}),
    ClipSet(
        "turns, built in",
        lambda: [turn_in_place(turn=turn, fps=60).clip for turn in (0.5, 1.0, 1.5)],
        TURN,
    ),
)

SETS = (*CAPTURED, *LIBRARY, *BUILT_IN)
