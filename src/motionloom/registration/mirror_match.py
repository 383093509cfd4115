"""Compare corresponding moments with their mirror images, to tell clips that lead with opposite sides.

Of a jump off the left foot and one off the right, or of cartwheels to both sides, the trunks move alike, and
frames correspond. But the blend takes off with neither foot. The clips tell by themselves: they differ much
from their own mirror images, and at many moments one is nearer to the mirror image of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.registration.distance import cloud_distance
from motionloom.registration.point_cloud import point_clouds
from motionloom.registration.timewarp import TimewarpCurve

MIN_ASYMMETRY = 0.4
"""Squared distance of a clip from its mirror image, over that of two of its moments, from which its sides do
different things. Jumps with both feet have 0.1, runs 1, a cartwheel 0.5."""

MIN_MIRRORED = 0.35
"""Fraction of moments at which the mirror image is nearer, from which clips may lead with opposite sides.
Gaits on the same feet have 0, on opposite feet half."""

MIN_DIFFERENCE, MAX_DIFFERENCE = 0.5, 2.0
"""Squared distance of corresponding moments over that of a clip from its mirror image: below the first, sides
agree; beyond the second, clips differ in more than sides, such as reaches to a high and a low shelf."""

EVEN_MATCH = 0.95
"""Distance of corresponding moments over that of mirrored ones from which the image is as good a match."""

COMPARED_FRAMES = 60
"""Moments, spread evenly over a curve, that are compared."""


@dataclass(frozen=True)
class MirrorMatch:
    """How much clips correspond to their mirror images.

    ``suspect`` tells whether clips lead with opposite sides at times, ``even`` whether the mirror image of
    one is as good a match.
    """

    suspect: bool = False
    even: bool = False


def compare_with_mirror_images(clips: Sequence[Clip], timewarp: TimewarpCurve, reference: int) -> MirrorMatch:
    """Compare corresponding moments of clips with the reference, and mirrored; for the worst pair.

    Loops are cut to the same strides, and clips of points or without pairs of limbs have no mirror images;
    clips of different joints are not compared.
    """
    if timewarp.periods is not None or not all(isinstance(clip, Clip) for clip in clips):
        return MirrorMatch()
    first = clips[reference].skeleton
    same = all(
        clip.skeleton.names == first.names and len(clip.skeleton.tips) == len(first.tips) for clip in clips
    )
    if not same or not find_anatomy(first).pairs:
        return MirrorMatch()
    frames = np.rint(timewarp(np.linspace(*timewarp.domain, COMPARED_FRAMES)))
    moments = [_pick_frames(clip, frames[:, k]) for k, clip in enumerate(clips)]
    found = [_compare(moments[reference], own) for k, own in enumerate(moments) if k != reference]
    return MirrorMatch(any(each.suspect for each in found), any(each.even for each in found))


def _pick_frames(clip: Clip, frames: FloatArray) -> Clip:
    """Return a clip of some frames (N,) of another."""
    rows = np.clip(frames, 0, clip.n_frames - 1).astype(np.int64)
    return replace(
        clip,
        root_positions=clip.root_positions[rows],
        rotations=clip.rotations[rows],
        translations=None if clip.translations is None else clip.translations[rows],
        constraints=(),
        events=(),
    )


def _compare(reference: Clip, other: Clip) -> MirrorMatch:
    one, two, image = point_clouds([reference, other, other.mirrored()])
    own = cloud_distance(one, two, half_width=0).values.diagonal()
    mirrored = cloud_distance(one, image, half_width=0).values.diagonal()
    asymmetry = float(cloud_distance(two, image, half_width=0).values.diagonal().mean())
    spread = float(cloud_distance(two, two, half_width=0).values.mean())
    distance = float(own.mean())
    suspect = (
        asymmetry > MIN_ASYMMETRY * spread
        and MIN_DIFFERENCE * asymmetry < distance < MAX_DIFFERENCE * asymmetry
        and float((mirrored < own).mean()) > MIN_MIRRORED
    )
    return MirrorMatch(suspect, suspect and distance > EVEN_MATCH * float(mirrored.mean()))
