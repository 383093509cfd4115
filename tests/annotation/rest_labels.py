"""Rests of hands, knees, elbows and seat, labelled by hand from pictures, heights and speeds of the joints.

The labels were made before the detector was written, from strips of stick figures at every first to sixth
frame and from plots of heights and speeds. Frames are those of the library's takes, at 30 per second. A rest
is labelled from the frame in which the part has come to a stop on what it touches to the last one before it
leaves. Hands on something that moves with them are no plants: in the pushes, the object slides from frame 45
on, and only after it stands still the hands rest. Takes of hands on the way through are not labelled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy

Frames = tuple[tuple[int, int], ...]
"""First and last frames of rests."""


class Take(NamedTuple):
    """A labelled take: its file below the folder of captured clips, and the rests by side and part."""

    file: str
    what: str
    rests: dict[tuple[str, str], Frames]


TAKES = (
    Take(
        "library/90/90_02.bvh",
        "cartwheel",
        {("left", "hand"): ((99, 109),), ("right", "hand"): ((108, 119),)},
    ),
    Take(
        "library/82/82_06.bvh",
        "push",
        {("left", "hand"): ((231, 242),), ("right", "hand"): ((230, 241),)},
    ),
    Take(
        "library/13/13_33.bvh",
        "climb",
        {
            ("left", "hand"): ((60, 120), (139, 168), (180, 327)),
            ("right", "hand"): ((32, 91), (103, 153), (178, 257), (273, 343)),
        },
    ),
    Take(
        "library/111/111_03.bvh",
        "crawl",
        {
            ("left", "hand"): ((72, 78), (95, 139), (158, 321), (330, 380)),
            ("right", "hand"): ((77, 114), (131, 204), (220, 308), (319, 375)),
            ("left", "knee"): ((136, 199), (254, 292)),
            ("right", "knee"): ((136, 150), (170, 179), (196, 263), (288, 312)),
        },
    ),
    Take(
        "library/111/111_06.bvh",
        "get up",
        {
            ("left", "hand"): ((115, 180), (193, 217), (232, 267), (278, 285)),
            ("right", "hand"): ((210, 263),),
            ("left", "elbow"): ((0, 33),),
            ("right", "elbow"): ((0, 33),),
            ("left", "knee"): ((222, 252),),
            ("right", "knee"): ((199, 252),),
            ("", "seat"): ((0, 38), (88, 170)),
        },
    ),
)

HELD_OUT = (
    Take(
        "library/90/90_04.bvh",
        "cartwheel",
        {("left", "hand"): ((109, 116),), ("right", "hand"): ((116, 126),)},
    ),
    Take(
        "library/82/82_07.bvh",
        "push",
        {("left", "hand"): ((46, 75), (89, 102)), ("right", "hand"): ((45, 104),)},
    ),
    Take(
        "library/13/13_34.bvh",
        "climb",
        {
            ("left", "hand"): ((52, 102), (122, 146), (202, 302)),
            ("right", "hand"): ((28, 70), (84, 124), (170, 181), (235, 306)),
        },
    ),
    Take(
        "library/111/111_07.bvh",
        "get up",
        {
            ("left", "hand"): ((2, 40), (150, 212), (314, 378)),
            ("right", "hand"): ((2, 13), (42, 60), (150, 212), (328, 375)),
            ("left", "elbow"): ((90, 214), (254, 278)),
            ("right", "elbow"): ((90, 214),),
            ("", "seat"): ((10, 378),),
        },
    ),
    Take(
        "library/22/22_18.bvh",
        "lean",
        {("left", "hand"): ((48, 118),), ("right", "hand"): ((46, 117),)},
    ),
)
"""Takes labelled in the same way after the detector was written and before it was changed again. They are to
be measured on and not to be tuned on. In the lean, both hands lie on a stool; the get up is captured so badly
that hands sink 10 cm into the floor that the feet stand on later."""


def score_take(take: Take, clip: Clip) -> dict[str, tuple[int, int, int]]:
    """Return for each part how many frames were found, how many of those are labelled, and all labelled ones.

    ``clip`` is the annotated take.
    """
    scores: dict[str, tuple[int, int, int]] = {}
    anatomy = find_anatomy(clip.skeleton)
    joints = {("", "seat"): anatomy.pelvis}
    for arm in anatomy.arms:
        joints |= {(arm.side, "hand"): arm.wrist, (arm.side, "elbow"): arm.elbow}
    for leg in anatomy.legs:
        joints[leg.side, "knee"] = leg.knee
    for (side, kind), joint in joints.items():
        labelled, found = np.zeros((2, clip.n_frames), dtype=np.bool_)
        for first, last in take.rests.get((side, kind), ()):
            labelled[first : last + 1] = True
        for constraint in clip.constraints:
            if (constraint.joint, constraint.kind) == (clip.skeleton.names[joint], kind):
                found[constraint.whole_frames(clip.n_frames)] = True
        n_found, n_right, n_labelled = scores.get(kind, (0, 0, 0))
        scores[kind] = (
            n_found + int(found.sum()),
            n_right + int((found & labelled).sum()),
            n_labelled + int(labelled.sum()),
        )
    return scores
