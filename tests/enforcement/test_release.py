from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.blending import blend
from motionloom.cycles import cyclify
from motionloom.enforcement import enforce
from motionloom.enforcement.release import ReleasedPlant, find_fast_frames, note_fast_frames
from motionloom.enforcement.targets import find_limbs
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.synthesis import stand, walk
from motionloom.synthesis.biped import HEEL_POINT
from motionloom.workflows import plant_blend, prepare

MAX_RATIO = 1.5
"""How much faster than without planting a joint may be."""


def slid(way: float, target: FloatArray | None = None, fps: float = 60.0) -> Clip:
    """Somebody who stands, moved sideways by ``way`` metres within a second, with a heel to be held."""
    clip = stand(duration=3.0, fps=fps).clip
    path = way * np.clip(np.arange(clip.n_frames) / fps - 1.0, 0.0, 1.0)[:, None] * [1.0, 0.0, 0.0]
    plant = Constraint("LeftFoot", "heel", 0, clip.n_frames - 1, HEEL_POINT, target)
    return replace(clip, root_positions=clip.root_positions + path, constraints=(plant,))


def swung() -> Clip:
    """A walk whose plants come late by a quarter of a second, so that they last into the swing."""
    motion = walk(duration=3.0, fps=60)
    late = [
        replace(plant, start=plant.start + 15, end=plant.end + 15, target=None) for plant in motion.plants
    ]
    inside = [plant for plant in late if plant.end < motion.clip.n_frames]
    return replace(motion.clip, constraints=tuple(inside))


def largest_speeds(clip: Clip) -> FloatArray:
    """The largest speed (J,) of every joint in the world, m/s."""
    steps = np.linalg.norm(np.diff(clip.world_positions(), axis=0), axis=-1)
    return np.asarray(steps.max(axis=0) * clip.fps)


def test_plants_that_fit_are_not_released() -> None:
    motion = walk(duration=2.0, fps=60)
    held = enforce(replace(motion.clip, constraints=motion.plants))
    assert held.report.released == ()
    assert len(held.clip.constraints) == len(motion.plants)


def test_a_foot_that_stands_while_the_body_moves_on_stays() -> None:
    assert enforce(slid(0.3)).report.released == ()


def test_plants_that_last_into_the_swing_are_shortened() -> None:
    clip = swung()
    held = enforce(clip)
    assert held.report.released
    assert (largest_speeds(held.clip) <= MAX_RATIO * largest_speeds(clip)).all()
    kept = {(plant.joint, plant.kind): plant for plant in held.clip.constraints}
    for plant in held.report.released:
        assert str(plant) in str(held.report)
        if plant.kept is not None:
            assert plant.start <= plant.kept[0] < plant.kept[1] <= plant.end
            assert (plant.joint, plant.kind) in kept
    # What is left is on its target, which moved to the mean of what is left.
    assert held.report.unreached == ()


def test_a_target_that_is_given_is_reached_however_fast() -> None:
    clip = slid(0.0)
    (plant,) = clip.constraints
    there = clip.point_positions("LeftFoot", HEEL_POINT)[0] + [0.0, 0.0, 0.3]
    jump = (
        replace(plant, end=60.0, target=there - [0.0, 0.0, 0.3]),
        replace(plant, start=64.0, target=there),
    )
    held = enforce(replace(clip, constraints=jump))
    assert held.report.released == ()
    assert held.report.unreached == ()
    assert any("left leg moves very fast in frames" in note for note in held.report.notes)


def test_a_surface_to_stand_on_is_asked_for() -> None:
    motion = walk(duration=3.0, fps=60)
    clip = replace(motion.clip, constraints=motion.plants)
    held = enforce(clip, ground=lambda x, z: 0.25 * max((z - 0.5) // 0.6, 0.0))
    assert held.report.released == ()


def test_a_cycle_releases_plants_across_its_seam() -> None:
    loop = cyclify(walk(duration=4.0, fps=60).clip, cycles=1)
    late = tuple(
        replace(plant, start=plant.start + 15, end=plant.end + 15) for plant in loop.clip.constraints
    )
    clip = replace(loop.clip, constraints=late)
    held = enforce(clip)
    assert held.clip.cyclic
    assert held.report.released
    limbs, _ = find_limbs(held.clip)
    assert find_fast_frames(clip, held.clip, limbs) == {}


def test_sentences() -> None:
    assert str(ReleasedPlant("LeftToeBase", "toe", 3.0, 9.5, None)) == (
        "dropped: toe (LeftToeBase) in frames 3 to 9.5 is not held: the limb would move too fast"
    )
    assert note_fast_frames({"": np.array([True, False])}) == (
        "the body moves very fast in frames 0 to 0 to reach its targets: check it",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "takes"),
    [
        ("127", (32, 31)),
        ("127", (17, 18)),
        ("82", (7, 6)),
        ("62", (15, 14)),
        ("18", (1, 2)),
        ("16", (54, 53)),
    ],
)
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_planted_takes_are_no_faster_than_their_blend(
    mocap: Path, subject: str, takes: tuple[int, int]
) -> None:
    folder = mocap / "library" / subject
    clips = [load_clip(folder / f"{subject}_{take:02d}.bvh") for take in takes]
    prepared = prepare(clips)
    curve = prepared.register()
    blended = blend(curve, [0.5, 0.5])
    planted = plant_blend(blended, curve, prepared)
    assert (largest_speeds(planted.clip) <= MAX_RATIO * largest_speeds(blended.clip)).all()


def test_the_report_does_not_say_that_released_plants_are_kept() -> None:
    """Plants were dropped, their feet slide by centimetres, and the report said that all are on target."""
    held = enforce(swung())
    report = held.report
    assert report.released
    assert not report.all_kept
    assert "all plants are on their targets" not in str(report)
    assert f"slide by up to {100.0 * report.slide:.1f} cm where they are not held" in str(report)
    farthest = max(report.released, key=lambda plant: plant.slide)
    asked = slice(int(np.ceil(farthest.start)), int(farthest.end) + 1)
    point = next(c.point for c in swung().constraints if c.joint == farthest.joint)
    track = held.clip.point_positions(farthest.joint, point, asked)[:, [0, 2]]
    apart = np.linalg.norm(track[:, None] - track, axis=-1).max()
    assert report.slide == pytest.approx(apart, rel=1e-3)
    assert report.slide > 0.05
    motion = walk(duration=2.0, fps=60)
    kept = enforce(replace(motion.clip, constraints=motion.plants)).report
    assert (kept.all_kept, kept.slide) == (True, 0.0)


def test_a_clip_of_another_skeleton_shows_nothing() -> None:
    motion = walk(duration=1.0, fps=30)
    clip = replace(motion.clip, constraints=motion.plants)
    with pytest.raises(ParameterError, match="like must have the joints of the clip, "):
        enforce(clip, like=two_joints())


def test_a_single_frame_shows_no_speed() -> None:
    motion = walk(duration=1.0, fps=30)
    clip = replace(motion.clip, constraints=motion.plants)
    np.testing.assert_array_equal(enforce(clip, like=clip[:1]).clip.rotations, enforce(clip).clip.rotations)


def two_joints() -> Clip:
    skeleton = Skeleton(("root", "tip"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    rotations = np.zeros((3, 2, 4))
    rotations[..., 0] = 1.0
    return Clip(skeleton, 1.0 / 30.0, np.zeros((3, 3)), rotations)
