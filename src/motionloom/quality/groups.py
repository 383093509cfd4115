"""The figures of :func:`motionloom.quality.measure`, group by group, each with its unit and its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.annotation.labels import PLANT_KINDS
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality import balance, capsules, feet, mass, nearness, paths, plants, seams, speeds
from motionloom.quality.derivatives import magnitudes, window_peaks
from motionloom.quality.feet import Feet, GroundLike
from motionloom.quality.results import Figure, Group

CM, PERCENT = 100.0, 100.0


def path_group(clip: Clip) -> Group:
    """Where the body goes and how it turns."""
    path = paths.path_measures(clip)
    return Group(
        "path",
        (
            Figure("path length", path.length, "m", "way of the root over the ground"),
            Figure("mean speed", path.mean_speed, "m/s", "of the root over the ground"),
            Figure(
                "heading change", degrees(path.heading_change), "°", "from first to last frame, left is +"
            ),
            Figure("path curvature", path.curvature, "1/m", "heading change over path length"),
            Figure(
                "heading rate",
                degrees(path.largest_heading_rate),
                "°/s",
                "largest departure from the median rate of turning",
            ),
        ),
    )


def smoothness_group(clip: Clip) -> Group:
    """Accelerations and jerks that are usual in the clip."""
    width = round(2.0 * seams.REACH / clip.frame_time) + 1

    def usual(order: int) -> float:
        sizes = magnitudes(clip.world_positions(), clip.frame_time, order).values.max(axis=1)
        return float(np.percentile(window_peaks(sizes, width), seams.USUAL))

    return Group(
        "smoothness",
        (
            Figure("peak acceleration", usual(seams.ACCELERATION), "m/s²", "of any joint, usual in 0.5 s"),
            Figure("peak jerk", usual(seams.JERK), "m/s³", "of any joint, usual in 0.5 s"),
        ),
    )


def feet_group(standing: Feet) -> Group:
    """Sliding and sinking of heels and toes, labelled or not."""
    sunk = feet.depths(standing)
    skate = feet.skate_speeds(standing)
    if not len(skate):
        raise ParameterError("sliding needs two frames or more")
    return Group(
        "feet",
        (
            Figure(
                "skate speed",
                CM * float(skate.mean()),
                "cm/s",
                "sliding of heels and toes, less with their height",
            ),
            Figure(
                "skate ratio",
                PERCENT * feet.skate_ratio(standing),
                "%",
                "frames at 20 Hz in which a foot slides",
            ),
            Figure("mean penetration", CM * float(sunk.mean()), "cm", "heels and toes below the ground"),
            Figure("largest penetration", CM * float(sunk.max()), "cm", "heel or toe below the ground"),
        ),
    )


def plants_group(clip: Clip, ground: Floor | GroundLike) -> Group:
    """What the points of labelled plants do while they should stay put."""
    if not clip.constraints:
        raise ParameterError("the clip has no constraints; annotate it first")
    found = plants.plant_measures(clip, ground)
    if not found.constraints:
        raise ParameterError("no constraint of the clip lasts two frames")
    figures = [
        Figure("plants", float(len(found.constraints)), "", "constraints of two frames or more"),
        Figure("mean slide", CM * float(found.travel.mean()), "cm", "ground distance a plant travels"),
        Figure("largest slide", CM * float(found.travel.max()), "cm", "ground distance a plant travels"),
        Figure("plant speed", CM * float(found.speed.mean()), "cm/s", "mean ground speed within plants"),
    ]
    of_feet = np.array([c.kind in PLANT_KINDS for c in found.constraints])
    if of_feet.any():
        high, low = found.highest[of_feet], found.lowest[of_feet]
        figures += [
            Figure(
                "largest float",
                CM * max(float(high.max()), 0.0),
                "cm",
                "planted heel or toe above the ground",
            ),
            Figure(
                "largest sink", CM * max(float(-low.min()), 0.0), "cm", "planted heel or toe below the ground"
            ),
        ]
    if np.isfinite(found.miss).any():
        figures.append(
            Figure("largest miss", CM * float(np.nanmax(found.miss)), "cm", "plant off its target")
        )
    return Group("plants", tuple(figures))


def body_group(clip: Clip) -> Group:
    """Speeds of joints, and stretch of bones."""
    figures = [
        Figure("fastest joint", float(speeds.joint_speeds(clip).max()), "m/s", "as seen from the body"),
        Figure(
            "largest stretch", PERCENT * float(speeds.stretches(clip).max()), "%", "bone against the skeleton"
        ),
    ]
    knees = [leg.knee for leg in find_anatomy(clip.skeleton).legs]
    if knees:
        fastest = float(speeds.turning_speeds(clip)[knees].max())
        figures.insert(1, Figure("knee speed", degrees(fastest), "°/s", "largest angular speed of a knee"))
    return Group("body", tuple(figures))


def limbs_group(clip: Clip) -> Group:
    """Limbs that pass through each other."""
    deepest = np.max(list(capsules.self_penetration(clip).values()), axis=0)
    return Group(
        "limbs",
        (
            Figure(
                "limb overlap",
                CM * max(float(deepest.max()), 0.0),
                "cm",
                "deepest that limbs pass into each other",
            ),
            Figure(
                "overlap time", PERCENT * float((deepest > 0.0).mean()), "%", "frames in which limbs overlap"
            ),
        ),
    )


def gravity_group(clip: Clip, standing: Feet) -> Group:
    """Free fall in flight, and the centre of mass over the feet that stand."""
    centre = mass.centre_of_mass(clip)
    spans = balance.flights(clip, standing)
    errors = balance.flight_errors(centre, clip.frame_time, spans)
    figures = [Figure("flights", float(len(spans)), "", "spans with all feet in the air")]
    if len(errors):
        figures.append(
            Figure("fall error", float(errors.mean()), "m/s²", "acceleration in flight off gravity")
        )
    away = balance.support_distances(clip, centre)
    away = away[np.isfinite(away)]
    if len(away):
        figures += [
            Figure(
                "support distance",
                CM * float(away.mean()),
                "cm",
                "centre of mass outside the planted feet, mean",
            ),
            Figure("largest support distance", CM * float(away.max()), "cm", "the same at its largest"),
        ]
    return Group("gravity", tuple(figures))


def seams_group(clip: Clip, frames: FloatArray, sources: Sequence[Clip]) -> Group:
    """Whether seams show."""
    smooth = seams.seam_smoothness(clip, frames, sources)
    path = paths.path_seams(clip, frames)
    return Group(
        "seams",
        (
            Figure(
                "seam acceleration",
                smooth.acceleration,
                "",
                "peak about a seam over usual peak of the sources",
            ),
            Figure("seam jerk", smooth.jerk, "", "peak about a seam over usual peak of the sources"),
            Figure(
                "seam turning",
                smooth.heading_acceleration.score,
                "",
                "the same for the heading's acceleration",
            ),
            Figure(
                "seam heading rate",
                degrees(_largest(path.heading_rate)),
                "°/s",
                "largest departure from the median about it",
            ),
            Figure(
                "seam speed change",
                _largest(_either_way(path.speed_ratio)),
                "",
                "speeds before and after, larger over smaller",
            ),
            Figure(
                "seam curvature change",
                _largest(np.abs(path.curvature_change)),
                "1/m",
                "turn per metre after less before",
            ),
        ),
    )


def sources_group(clip: Clip, sources: Sequence[Clip]) -> Group:
    """The clip against the clips it was made of."""
    ratios = speeds.speed_ratios(clip, sources)
    near = nearness.nearest_source_distances(clip, sources)
    return Group(
        "sources",
        (
            Figure(
                "joint speed ratio",
                float(ratios.max()),
                "",
                "fastest joint over the fastest source, worst joint",
            ),
            Figure(
                "mean pose distance", CM * float(near.mean()), "cm", "to the nearest source pose and velocity"
            ),
            Figure(
                "largest pose distance",
                CM * float(near.max()),
                "cm",
                "to the nearest source pose and velocity",
            ),
        ),
    )


def _either_way(ratios: FloatArray) -> FloatArray:
    """Ratios as those of the larger to the smaller; infinite where one is zero."""
    with np.errstate(divide="ignore"):
        return np.maximum(ratios, 1.0 / ratios)


def _largest(values: FloatArray) -> float:
    """The largest of the values that are numbers, NaN without any."""
    known = values[~np.isnan(values)]
    return float(known.max()) if len(known) else float("nan")
