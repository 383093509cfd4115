"""Markers without a skeleton: plants, a cycle, a transition, and points that stay where they are planted."""

import numpy as np

import motionloom as ml
from motionloom.annotation import annotate_points_and_report
from motionloom.synthesis import jog, walk


def markers(body: ml.Clip) -> ml.PointClip:
    """The joints of a clip as if they were markers; load_points reads C3D, TRC and CSV files."""
    return ml.PointClip(body.skeleton.names, body.frame_time, body.world_positions())


def slide(clip: ml.PointClip) -> float:
    tracks = [
        clip.positions[c.whole_frames(clip.n_frames), clip.names.index(c.joint)] for c in clip.constraints
    ]
    return 1000.0 * max(float(np.ptp(track, axis=0).max()) for track in tracks if len(track))


feet = ["LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"]
walking = ml.annotate(markers(walk(duration=4.0, fps=30).clip), points=feet)
jogging = ml.annotate(markers(jog(duration=4.0, fps=30).clip), points=feet)
print(annotate_points_and_report(markers(walk(duration=4.0, fps=30).clip), feet).report)

# Without bones a held point is shifted to its target, and all points go along with what they share.
planted = ml.enforce(walking)
print(f"planted markers slide by {slide(walking):.1f} mm, held by {slide(planted.clip):.3f} mm")

loop = ml.cyclify(walking)
seam = 100.0 * loop.report.seam
print(f"a cycle of {loop.clip.n_frames} frames: {loop.report.cycles} repetitions, seam {seam:.1f} cm")

joined = ml.transition(walking, jogging)
print(f"from the walk to the jog in {joined.clip.n_frames} frames with {len(joined.clip.constraints)} plants")
