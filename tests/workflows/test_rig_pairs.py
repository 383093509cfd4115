"""Clips of one rig with clips of another: a result or a sentence, and the same motion with either first."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import motionloom as ml
from benchmarks.rig_pairs import CAPTURED, VERBS, captured_clips, find_outcome, generated_clips
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.retargeting.body_parts import find_body_parts
from tests.conftest import captured
from tests.retargeting.rigs import OTHER_BODY, RIGS, SAME_BODY, angles, bone_ways

STEP = 18
"""How far apart the rigs of a pair are in the list."""

SWAPPED = [rig for rig in SAME_BODY if rig not in ("plain", "feet on the root", "24 frames per second")]
"""Rigs on which the built-in body moves as it does on its own: legs below the hips, at the same rate."""

MAX_APART, MAX_FRAMES = 2e-3, 0.02
"""Metres and frames by which results may differ when rigs swap places. Most agree to 1e-6. Twist joints
divide the weight of a bone otherwise, which moves frames by up to 0.016; and a thigh below another joint in
the same place is planted with another twist, 1 mm at the knee."""

MAX_CAPTURED_FRAMES = 0.5
"""The same for two people, whose bodies are compared in the size of the first."""

MAX_ARM_ANGLE, MAX_LEG_ANGLE = 1e-3, 1.5
"""Degrees by which limbs of bodies of two sizes may differ. Arms do not; legs do by 1.04°, because feet are
planted with distances in metres, and a body of two thirds of the size comes to the ground otherwise."""

DIALECTS = [pattern for pattern in CAPTURED if pattern.startswith(("dialects", "game"))]
"""Captured rigs that differ; the others are CMU's, like one of these."""

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def check_both_orders(one: Clip, other: Clip, same_body: bool = False) -> None:
    """Check that there is no traceback, and a result in both orders or in none.

    The states of a framespace are those of the first body: another one may show none.
    """
    for name, verb in VERBS.items():
        outcomes = [find_outcome(verb, *pair) for pair in ((one, other), (other, one))]
        for outcome, text in outcomes:
            assert outcome in ("result", "sentence"), f"{name}: {text}"
        if same_body or name != "Framespace":
            assert outcomes[0][0] == outcomes[1][0], f"{name} depends on the order: {outcomes}"


def parts_of(clip: Clip) -> dict[str, FloatArray]:
    """World positions (T, 3) of the parts of the body."""
    positions = clip.world_positions()
    return {part: positions[:, joint] for part, joint in find_body_parts(clip.skeleton).joints.items()}


@pytest.mark.parametrize("rig", RIGS)
def test_pairs_of_generated_rigs_have_a_result_or_a_sentence(rig: str) -> None:
    names = list(RIGS)
    other = names[(names.index(rig) + STEP) % len(names)]
    same_body = rig in SAME_BODY and other in SAME_BODY
    check_both_orders(generated_clips()[rig][0], generated_clips()[other][1], same_body)


@pytest.mark.parametrize("rig", [*OTHER_BODY][:-3])
def test_other_bodies_do_the_same_first_and_second(rig: str) -> None:
    """They have missing limbs, or bones without length, which the plain body has."""
    check_both_orders(generated_clips()["plain"][0], generated_clips()[rig][1])


@pytest.mark.parametrize("rig", SWAPPED)
def test_rigs_of_one_body_give_the_same_motion_whichever_is_first(rig: str) -> None:
    (plain, _), (_, other) = generated_clips()["plain"], generated_clips()[rig]
    one, two = ml.mix([plain, other], [0.6, 0.4]), ml.mix([other, plain], [0.4, 0.6])
    assert one.clip.n_frames == two.clip.n_frames
    assert two.frames[:, ::-1] == pytest.approx(one.frames, abs=MAX_FRAMES)
    ours, theirs = parts_of(one.clip), parts_of(two.clip)
    assert ours.keys() == theirs.keys()
    for part, positions in ours.items():
        assert np.abs(theirs[part] - positions).max() < MAX_APART, part


@pytest.mark.parametrize("rig", SWAPPED)
def test_rigs_of_one_body_register_alike_whichever_is_first(rig: str) -> None:
    (plain, _), (_, other) = generated_clips()["plain"], generated_clips()[rig]
    one, two = ml.register([plain, other]), ml.register([other, plain])
    u = np.linspace(*one.domain, 40)
    # Each curve may be parametrised by either clip: frames of the first tell where to look in the second.
    frames = one.timewarp(u)
    found = two.timewarp(two.timewarp.inverse(1, frames[:, 0]))
    assert found[:, ::-1] == pytest.approx(frames, abs=MAX_FRAMES)


def test_another_size_gives_the_same_motion_in_that_size() -> None:
    """Limbs point where they do on the first body, and the way over the ground is scaled by the legs."""
    (plain, _), (_, small) = generated_clips()["plain"], generated_clips()["small with other names"]
    one, two = ml.mix([plain, small], [0.6, 0.4]), ml.mix([small, plain], [0.4, 0.6])
    assert two.frames[:, ::-1] == pytest.approx(one.frames, abs=MAX_FRAMES)
    ours, theirs = bone_ways(one.clip), bone_ways(two.clip)
    for bone, way in ours.items():
        largest = MAX_ARM_ANGLE if "arm" in bone else MAX_LEG_ANGLE
        assert angles(way, theirs[bone]).max() < largest, bone
    travels = [np.ptp(result.clip.root_positions[:, 2]) for result in (one, two)]
    assert travels[1] == pytest.approx(0.6 * travels[0], rel=0.01)


@pytest.mark.parametrize(
    "rig", ["still joint above the hips", "Z up below an armature", "helper joints", "Unreal"]
)
@pytest.mark.parametrize("other", ["names of Mixamo", "fingers"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_rig_with_a_joint_above_the_hips_is_first_or_second(rig: str, other: str, verb: str) -> None:
    for first, second in ((rig, other), (other, rig)):
        result = VERBS[verb](generated_clips()[first][0], generated_clips()[second][1])
        if isinstance(result, ml.BlendResult):
            joints = set(generated_clips()[first][0].skeleton.names)
            assert joints <= set(result.clip.skeleton.names), "it is on the whole rig of the first clip"


def test_clips_of_one_take_with_and_without_end_sites_register() -> None:
    for rig in ("no end sites", "end sites without length", "feet and hands without length"):
        for first, second in (("plain", rig), (rig, "plain")):
            curve = ml.register([generated_clips()[first][0], generated_clips()[second][1]])
            assert len(curve.clips) == 2


@pytest.mark.parametrize("rig", [*OTHER_BODY][-3:])
def test_clips_too_short_for_anything_are_refused_in_a_sentence(rig: str) -> None:
    """They have none, one or two frames."""
    for verb in ("mix", "register", "Framespace"):
        for first, second in (("plain", rig), (rig, "plain")):
            outcome, text = find_outcome(
                VERBS[verb], generated_clips()[first][0], generated_clips()[second][1]
            )
            assert outcome == "sentence"
            assert "frame" in text or "short" in text


@pytest.mark.parametrize("file", [path.name for pattern in DIALECTS for path in captured(pattern)])
def test_captured_rigs_have_a_result_or_a_sentence_with_generated_ones(file: str) -> None:
    clips = captured_clips()
    if file not in clips:
        pytest.skip(f"{file} cannot be read here")
    other = [*RIGS][sorted(clips).index(file) % len(RIGS)]
    check_both_orders(clips[file][0], generated_clips()[other][1])


@pytest.mark.parametrize(
    ("one", "other"),
    list(combinations(("16_15.amc", "walk_straight_16_15.bvh", "walk01_24hz_exponents.bvh"), 2)),
)
def test_captured_rigs_register_alike_whichever_is_first(one: str, other: str) -> None:
    """Walks of two people on rigs with other names, axes and joints, at 24 and 30 frames per second."""
    clips = captured_clips()
    if one not in clips or other not in clips:
        pytest.skip("the files are not here")
    first, second = (ml.register([clips[a][0], clips[b][0]]) for a, b in ((one, other), (other, one)))
    assert first.report.verdict == second.report.verdict
    frames = first.timewarp(np.linspace(*first.domain, 40))
    found = second.timewarp(second.timewarp.inverse(1, frames[:, 0]))
    assert found[:, ::-1] == pytest.approx(frames, abs=MAX_CAPTURED_FRAMES)
