"""Feet of the target: flat soles on the floor, at the height of the source's, and toes that give way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Character, Clip, Skeleton
from motionloom.motion.kinematics import world_points
from motionloom.motion.mesh_soles import clip_soles, find_mesh_soles
from motionloom.retargeting.feet import HIGH, LOW, MAX_BEND, TOES_HIGH, bend_toes, level_soles
from motionloom.retargeting.joint_mapping import joint_mapping
from motionloom.retargeting.reference_pose import BodyPair, reference_poses
from motionloom.retargeting.transfer_motion import transfer_motion
from motionloom.synthesis import jog, kick, make_character, stand, walk
from motionloom.synthesis.biped import biped
from tests.retargeting.rigs import angles, rerigged


def with_long_shins() -> Skeleton:
    """The built-in body with 4 cm of its thighs given to its shins."""
    offsets = np.array(biped().offsets)
    for side in ("Left", "Right"):
        offsets[biped().index(f"{side}Leg")] += [0, 0.04, 0]
        offsets[biped().index(f"{side}Foot")] -= [0, 0.04, 0]
    return replace(biped(), offsets=offsets)


def lowest(clip: Clip, side: str) -> FloatArray:
    """Height (T,) of the lowest planted point of a foot, in all frames."""
    own = {(c.joint, tuple(c.point.tolist())) for c in clip.constraints if side in c.joint}
    joints, points = [clip.skeleton.index(name) for name, _ in own], [point for _, point in own]
    places = world_points(clip.world_positions(), clip.world_rotations(), joints, points)
    return np.asarray(places[..., 1].min(axis=1))


@pytest.mark.parametrize("annotated", [True, False])
def test_soles_are_as_high_as_the_source_s(annotated: bool) -> None:
    clip = walk(duration=2.0, fps=30).clip
    clip = annotate(clip) if annotated else clip
    made = transfer_motion(clip, with_long_shins())
    marked = clip if annotated else annotate(clip)
    seen = replace(made.clip, constraints=marked.constraints)
    for side in ("Left", "Right"):
        low = lowest(marked, side) < LOW
        assert low.sum() > 30
        assert lowest(seen, side)[low] == pytest.approx(lowest(marked, side)[low], abs=0.002)


def test_feet_keep_how_they_are_turned() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    made = transfer_motion(clip, with_long_shins())
    for name in ("LeftFoot", "RightToeBase"):
        joint = biped().index(name)
        likeness = np.einsum(
            "ti,ti->t", made.clip.world_rotations()[:, joint], clip.world_rotations()[:, joint]
        )
        assert np.abs(likeness).min() > 1 - 1e-9


def test_the_body_rises_rather_than_the_knees_bend() -> None:
    """Soles 3 cm thicker: the whole body stands higher, and the knees bend as before."""
    clip = annotate(walk(duration=2.0, fps=30).clip)
    raised = replace(clip, root_positions=clip.root_positions + np.array([0, 0.03, 0]), constraints=())
    made = transfer_motion(
        clip, replace(raised, skeleton=replace(biped(), names=tuple(f"b{n}" for n in range(22))))
    )
    rises = made.clip.root_positions[:, 1] - clip.root_positions[:, 1]
    assert rises == pytest.approx(np.full(clip.n_frames, 0.03), abs=0.004)
    knee = biped().index("LeftLeg")
    assert np.abs(made.clip.rotations[:, knee] - clip.rotations[:, knee]).max() < 0.03


def test_feet_high_in_the_air_are_left_alone() -> None:
    clip = annotate(kick(fps=30).clip)
    made = transfer_motion(clip, with_long_shins())
    chain = [biped().index(name) for name in ("RightUpLeg", "RightLeg", "RightFoot")]
    high = lowest(clip, "Right") > HIGH + 0.05
    assert high.any()
    for a, b in pairwise(chain):
        ways = [c.world_positions()[high, b] - c.world_positions()[high, a] for c in (clip, made.clip)]
        assert angles(*ways).max() < 1e-6


FEET = ("LeftFoot", "RightFoot")
PITCH = 0.4

LEG = 0.95
"""Length of the built-in body's leg with its sole, metres, rounded up."""


@pytest.fixture(scope="module")
def hero() -> Clip:
    """A character whose clip knows the soles of its mesh."""
    character = make_character(footwear="shoes", joint_names="mixamo")
    clip, mesh = character.clips["idle"], character.mesh
    own = Character("hero.glb", mesh.skeleton, find_mesh_soles(mesh))
    return replace(clip, source=replace(clip.source, character=own))


def standing(pitch: float = 0.0) -> Clip:
    """Somebody who stands; the feet of the skeleton rest with their toes this much lower, radians."""
    motion = stand(duration=0.5, fps=30)
    clip = replace(motion.clip, constraints=motion.plants)
    down = rot.from_axis_angle([1.0, 0.0, 0.0], pitch)
    toes = ("LeftToeBase", "RightToeBase")
    return rerigged(clip, dict.fromkeys((*FEET, *toes), down)) if pitch else clip


def compared(clip: Clip, hero: Clip) -> BodyPair:
    mapping = joint_mapping(clip.skeleton, hero.skeleton)
    return BodyPair.compare(mapping, *reference_poses(clip, hero.skeleton, hero))


def sole_heights(clip: Clip) -> FloatArray:
    """How high heel and toe of each sole are, metres (4, T)."""
    ends = [end for sole in clip_soles(clip).values() for end in (sole.heel, sole.toe)]
    return np.stack([clip.point_positions(end.joint, end.point)[:, 1] for end in ends])


def with_stiff_toes(clip: Clip) -> Clip:
    """The clip on toes that never bend, which point into the floor when the heel rises."""
    rotations = np.array(clip.rotations)
    for side in ("Left", "Right"):
        joint = clip.skeleton.index(f"{side}ToeBase")
        rotations[:, joint] = clip.skeleton.rest_rotations[joint]
    return replace(clip, rotations=rotations)


def bends(clip: Clip, toes: int) -> FloatArray:
    """Angle (T,) between toes and foot against the rest pose, radians."""
    turns = rot.multiply(rot.inverse(clip.skeleton.rest_rotations[toes]), clip.rotations[:, toes])
    return np.asarray(np.linalg.norm(rot.to_rotation_vector(turns), axis=-1))


def test_feet_that_stand_flat_stand_flat_on_the_mesh(hero: Clip) -> None:
    heights = sole_heights(transfer_motion(standing(), hero).clip)
    assert np.abs(heights).max() < 0.003
    assert np.abs(heights[::2] - heights[1::2]).max() < 1e-3


def test_how_the_feet_of_the_source_rest_does_not_matter(hero: Clip) -> None:
    """Axes of a skeleton at rest are pitched by up to 30° in captures."""
    heights = sole_heights(transfer_motion(standing(PITCH), hero).clip)
    assert np.abs(heights).max() < 0.003
    assert np.abs(heights[::2] - heights[1::2]).max() < 1e-3


def test_without_soles_or_plants_nothing_changes(hero: Clip) -> None:
    clip = standing(PITCH)
    bodies = compared(clip, hero)
    assert np.array_equal(level_soles(clip, bodies, {}).difference, bodies.difference)
    free = replace(clip, constraints=())
    assert np.array_equal(level_soles(free, bodies, clip_soles(hero)).difference, bodies.difference)


def test_a_heel_that_is_planted_alone_does_not_show_what_is_flat(hero: Clip) -> None:
    clip = standing(PITCH)
    heels = replace(clip, constraints=tuple(c for c in clip.constraints if c.kind == "heel"))
    bodies = compared(heels, hero)
    assert np.array_equal(level_soles(heels, bodies, clip_soles(hero)).difference, bodies.difference)


@pytest.mark.parametrize(("down", "expected"), [(0.3, 0.3), (-0.3, 0.0), (1.5, float(MAX_BEND))])
def test_toes_give_way_to_the_floor_and_rise_freely(hero: Clip, down: float, expected: float) -> None:
    bodies = compared(standing(), hero)
    toes = hero.skeleton.index("mixamorig:LeftToeBase")
    foot = int(hero.skeleton.parents[toes])
    rotations = np.repeat(hero.skeleton.rest_rotations[None], 4, axis=0)
    rotations[:, toes] = rot.from_axis_angle([1.0, 0.0, 0.0], down)
    clip = replace(hero[:4], rotations=rotations)
    weights = np.array([0.0, 0.5, 1.0, 1.0])
    bent = bend_toes(clip, bodies.target, foot, clip_soles(hero)[foot], weights)
    turned = rot.multiply(rot.inverse(clip.rotations[:, toes]), bent.rotations[:, toes])
    angles = np.linalg.norm(rot.to_rotation_vector(turned), axis=-1)
    assert angles == pytest.approx(weights * expected, abs=1e-6)
    others = np.arange(hero.skeleton.n_joints) != toes
    assert np.array_equal(bent.rotations[:, others], clip.rotations[:, others])


def test_stiff_toes_bend_on_the_floor_and_stay_in_line_in_the_air(hero: Clip) -> None:
    moved = transfer_motion(with_stiff_toes(annotate(jog(duration=2.0, fps=60).clip)), hero)
    soles = clip_soles(moved.clip)
    assert len(soles) == 2
    for sole in soles.values():
        heights = sole.lowest(moved.clip)[:, 1]
        own = bends(moved.clip, moved.clip.skeleton.index(sole.toe.joint))
        in_the_air = heights > TOES_HIGH * LEG
        assert in_the_air.sum() > 10
        assert own[in_the_air].max() < 1e-6
        assert np.degrees(own[heights < 0.02].max()) > 20.0
        assert own.max() < MAX_BEND + 1e-6
