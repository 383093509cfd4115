"""Left and right exchanged: twice is nothing, and once is the mirror image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Skeleton, Tip
from motionloom.motion.anatomy import body_height, facing, find_anatomy
from motionloom.motion.mirror import mirror
from tests.figures import skeleton_of, smooth_clip

SIDE = ("UpLeg", "Leg", "Foot", "Toe", "Shoulder", "Arm", "ForeArm", "Hand")
NAMES = ("Hips", "Spine", "Head", *(f"{side}{part}" for side in ("Left", "Right") for part in SIDE))
PARENTS = np.array([-1, 0, 1, 0, 3, 4, 5, 1, 7, 8, 9, 0, 11, 12, 13, 1, 15, 16, 17])
LEG = ((0.1, 0.0, 0.0), (0.0, -0.4, 0.0), (0.0, -0.4, 0.0), (0.0, -0.05, 0.15))
ARM = ((0.05, 0.3, 0.0), (0.15, 0.0, 0.0), (0.3, 0.0, 0.0), (0.25, 0.0, 0.0))
LEFT = (*LEG, *ARM)
REFLECT_X = np.array([-1.0, 1.0, 1.0])


def body(rest: FloatArray | None = None, longer_right: float = 1.0) -> Skeleton:
    """A symmetric biped; with ``rest`` (4,) every second joint's own axes are turned in the rest pose."""
    right = [np.array(offset) * REFLECT_X * longer_right for offset in LEFT]
    offsets = np.array([(0, 0.9, 0), (0, 0.2, 0), (0, 0.5, 0), *LEFT, *right])
    tips = [Tip(NAMES.index("Head"), np.array([0.0, 0.2, 0.0]))]
    if rest is None:
        return Skeleton(NAMES, PARENTS, offsets, tips=tuple(tips))
    world = np.tile(rot.IDENTITY, (len(NAMES), 1))
    world[1::2] = rest
    local, moved = world.copy(), offsets.copy()
    for joint, parent in enumerate(PARENTS.tolist()):
        if parent >= 0:
            back = rot.inverse(world[parent])
            local[joint], moved[joint] = rot.multiply(back, world[joint]), rot.rotate(back, offsets[joint])
    return Skeleton(NAMES, PARENTS, moved, local)


def random_clip(skeleton: Skeleton, seed: int = 0, n_frames: int = 6, stretch: bool = False) -> Clip:
    random = np.random.default_rng(seed)
    turns = rot.normalize(random.normal(size=(n_frames, skeleton.n_joints, 4)))
    moved = skeleton.offsets + 0.1 * random.normal(size=(n_frames, skeleton.n_joints, 3)) if stretch else None
    return Clip(skeleton, 1 / 30, random.normal(size=(n_frames, 3)), turns, moved)


def swapped(skeleton: Skeleton) -> list[int]:
    return list(find_anatomy(skeleton).partners(skeleton.n_joints))


def assert_same_motion(a: Clip, b: Clip) -> None:
    np.testing.assert_allclose(np.abs(np.einsum("tji,tji->tj", a.rotations, b.rotations)), 1.0, atol=1e-9)
    np.testing.assert_allclose(a.world_positions(), b.world_positions(), atol=1e-9)
    np.testing.assert_allclose(a.root_positions, b.root_positions, atol=1e-9)


def test_a_raised_left_arm_becomes_a_raised_right_arm() -> None:
    skeleton = body()
    turns = np.tile(rot.IDENTITY, (1, skeleton.n_joints, 1))
    turns[0, NAMES.index("LeftArm")] = rot.from_axis_angle([0.0, 0.0, 1.0], np.pi / 2)
    mirrored = mirror(Clip(skeleton, 0.1, np.array([[2.0, 1.0, 3.0]]), turns))
    assert mirrored.root_positions.tolist() == [[-2.0, 1.0, 3.0]]
    places = mirrored.world_positions()[0]
    shoulder, elbow = places[NAMES.index("RightArm")], places[NAMES.index("RightForeArm")]
    np.testing.assert_allclose(elbow - shoulder, [0, 0.3, 0], atol=1e-12)
    left = places[NAMES.index("LeftForeArm")] - places[NAMES.index("LeftArm")]
    np.testing.assert_allclose(left, [0.3, 0, 0], atol=1e-12)


def test_constraints_and_events_change_sides() -> None:
    point, target = np.array([0.03, -0.05, -0.04]), np.array([1.0, 0.0, 2.0])
    clip = Clip(
        body(),
        0.1,
        np.zeros((4, 3)),
        np.tile(rot.IDENTITY, (4, len(NAMES), 1)),
        constraints=(
            Constraint("LeftFoot", "heel", 0, 2, point, target),
            Constraint("RightToe", "toe", 1, 3),
        ),
        events=(Event(1.0, "strike", "LeftFoot"), Event(2.0, "clap"), Event(3.0, "drop", "a ball")),
    )
    mirrored = mirror(clip)
    heel, toe = mirrored.constraints
    assert (heel.joint, heel.kind, heel.start, heel.end) == ("RightFoot", "heel", 0.0, 2.0)
    np.testing.assert_allclose(heel.point, point * REFLECT_X, atol=1e-12)
    assert heel.target is not None
    assert heel.target.tolist() == [-1.0, 0.0, 2.0]
    assert (toe.joint, toe.target) == ("LeftToe", None)
    assert [event.joint for event in mirrored.events] == ["RightFoot", "", "a ball"]


def test_a_skeleton_without_sides_is_reflected_as_it_is() -> None:
    chain = Skeleton(("a", "b", "c"), np.arange(-1, 2), np.tile([0.0, 0.0, 1.0], (3, 1)))
    clip = random_clip(chain)
    places = mirror(clip).world_positions()
    np.testing.assert_allclose(places, clip.world_positions() * REFLECT_X, atol=1e-12)


def test_a_clip_without_frames_stays_empty() -> None:
    assert mirror(random_clip(body(), n_frames=0)).n_frames == 0


def test_the_plane_follows_the_body_that_faces_another_way() -> None:
    quarter = rot.from_yaw(np.pi / 2)
    skeleton = body()
    aside = Skeleton(NAMES, PARENTS, rot.rotate(quarter, skeleton.offsets))
    clip = random_clip(aside)
    expected = clip.world_positions()[:, swapped(aside)] * [1, 1, -1]
    np.testing.assert_allclose(mirror(clip).world_positions(), expected, atol=1e-9)


def test_joint_axes_that_differ_between_sides_without_a_word() -> None:
    """A rig whose right arm has its axes point the other way, so that its rest pose is not symmetric."""
    random = np.random.default_rng(3)
    straight = body()
    right_arm = [NAMES.index(f"Right{part}") for part in ("Shoulder", "Arm", "ForeArm", "Hand")]
    flip = rot.from_axis_angle([0.0, 1.0, 0.0], np.pi)
    offsets = np.array(straight.offsets)
    offsets[right_arm[1:]] = rot.rotate(rot.inverse(flip), offsets[right_arm[1:]])
    # Small motions about the symmetric stance, seen from the turned axes of the right arm.
    small = rot.from_rotation_vector(0.3 * random.normal(size=(40, len(NAMES), 3)))
    natural = Clip(straight, 1 / 30, random.normal(size=(40, 3)), small)
    world = np.array(natural.world_rotations())
    world[:, right_arm] = rot.multiply(world[:, right_arm], flip)
    local = np.array(world)
    local[:, 1:] = rot.multiply(rot.inverse(world[:, PARENTS[1:]]), world[:, 1:])
    rig = Clip(Skeleton(NAMES, PARENTS, offsets), 1 / 30, natural.root_positions, local)
    np.testing.assert_allclose(rig.world_positions(), natural.world_positions(), atol=1e-12)
    mirrored = mirror(rig)
    np.testing.assert_allclose(mirrored.world_positions(), mirror(natural).world_positions(), atol=1e-9)
    assert_same_motion(mirror(mirrored), rig)


@pytest.mark.slow
@given(
    seed=st.integers(0, 1000),
    stretch=st.booleans(),
    rest=st.sampled_from([None, rot.from_yaw(0.4), rot.normalize([1.0, 2.0, -1.0, 0.5])]),
)
def test_mirrored_positions_are_the_reflected_ones(seed: int, stretch: bool, rest: FloatArray | None) -> None:
    skeleton = body(rest)
    clip = random_clip(skeleton, seed, stretch=stretch)
    mirrored = mirror(clip)
    assert mirrored.skeleton is skeleton
    expected = clip.world_positions()[:, swapped(skeleton)] * REFLECT_X
    np.testing.assert_allclose(mirrored.world_positions(), expected, atol=1e-9)
    assert_same_motion(mirror(mirrored), clip)


@pytest.mark.slow
@given(seed=st.integers(0, 1000), stretch=st.booleans(), longer=st.floats(0.8, 1.2))
def test_mirroring_twice_changes_nothing_even_on_uneven_legs(seed: int, stretch: bool, longer: float) -> None:
    clip = random_clip(body(longer_right=longer), seed, stretch=stretch)
    assert_same_motion(clip.mirrored().mirrored(), clip)


@pytest.mark.slow
@given(seed=st.integers(0, 1000))
def test_points_of_constraints_lie_where_the_mirror_shows_them(seed: int) -> None:
    skeleton = body(rot.normalize([1.0, 0.3, 0.2, -0.4]))
    clip = random_clip(skeleton, seed, n_frames=3)
    point = np.random.default_rng(seed).normal(size=3)
    constraint = Constraint("LeftHand", "grip", 0, 2, point)
    mirrored = mirror(Clip(skeleton, 0.1, clip.root_positions, clip.rotations, constraints=(constraint,)))
    (held,) = mirrored.constraints

    def place(of: Clip, which: Constraint) -> FloatArray:
        joint = skeleton.index(which.joint)
        return of.world_positions()[:, joint] + rot.rotate(of.world_rotations()[:, joint], which.point)

    np.testing.assert_allclose(place(mirrored, held), place(clip, constraint) * REFLECT_X, atol=1e-9)


@pytest.mark.slow
@given(yaw=st.floats(-3.0, 3.0))
def test_the_heading_is_negated(yaw: float) -> None:
    turns = np.tile(rot.IDENTITY, (2, len(NAMES), 1))
    turns[:, 0] = rot.from_yaw(yaw)
    clip = Clip(body(), 0.1, np.zeros((2, 3)), turns)
    np.testing.assert_allclose(facing(mirror(clip)), -facing(clip), atol=1e-9)


@pytest.mark.parametrize(
    ("file", "largest"),
    [
        ("locomotion/s16/walk_left_16_11.bvh", 0.03),
        ("actions/kicks/kick_74_03.bvh", 0.05),
        ("dialects/bvh/anim_utils_custom_rig.bvh", 1e-3),
        ("dialects/bvh/neuron_6ch_125hz_cut.bvh", 1e-9),
        ("dialects/bvh/animdrawings_dab_zup.bvh", 1e-3),
    ],
)
def test_captured_motion_is_mirrored_up_to_uneven_bones(mocap: Path, file: str, largest: float) -> None:
    """Left and right bones of captured people differ by a few millimetres to centimetres."""
    clip = ml.load(mocap / file)
    mirrored = clip.mirrored()
    assert_same_motion(mirrored.mirrored(), clip)
    expected = clip.world_positions()[:, swapped(clip.skeleton)] * REFLECT_X
    height = body_height(clip.skeleton)
    assert height is not None
    assert np.abs(mirrored.world_positions() - expected).max() < largest * height
    np.testing.assert_allclose(facing(mirrored), -facing(clip), atol=np.radians(0.5))


def test_a_body_without_lengths_is_mirrored() -> None:
    """No bone tells how the axes of partners differ, so none do."""
    flat = skeleton_of(("root", "left", "left end", "right", "right end"), [-1, 0, 1, 0, 3], np.zeros((5, 3)))
    clip = smooth_clip(5, skeleton=flat)
    assert np.isfinite(clip.mirrored().rotations).all()
    twice = clip.mirrored().mirrored()
    assert twice.world_positions() == pytest.approx(clip.world_positions(), abs=1e-12)
