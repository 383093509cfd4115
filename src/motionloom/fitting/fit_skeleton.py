"""`fit_skeleton`: positions of joints in, a clip with a skeleton and rotations out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, as_read_only, freeze
from motionloom.errors import ParameterError
from motionloom.fitting.fit_rotations import RotationFit
from motionloom.fitting.layouts import PointLayout, find_layout, plain_names
from motionloom.messages import Argument
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.filters import low_pass
from motionloom.motion.provenance import Source, derive
from motionloom.motion.result import PointClipLike, Result
from motionloom.motion.sampling import frame_time_of
from motionloom.validation import check_choice, check_positive, list_names

PointAxis = Literal["y", "-y", "z", "-z"]
"""Which axis of points leads up; cameras count downwards."""

_TO_Y_UP: dict[PointAxis, FloatArray] = {
    "y": np.eye(3),
    "-y": np.diag([1.0, -1.0, -1.0]),
    "z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "-z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}

Layout = str | PointLayout | Skeleton | Mapping[str, str | None]


@dataclass(frozen=True)
class SkeletonFitReport:
    """The report of :func:`fit_skeleton`.

    Attributes
    ----------
    layout
        Name of the layout.
    n_filled
        Positions of joints that were missing and filled in.
    median_error, max_error
        Distance from the joints of the clip to the points that were given, metres; of those that were seen.
    bandwidth
        Hz above which motion was taken for noise, or None.

    >>> print(SkeletonFitReport("smpl", 0, 0.0004, 0.0021, None))
    smpl: joints within 0.4 mm of their points (median; 2.1 mm at most)
    """

    layout: str
    n_filled: int
    median_error: float
    max_error: float
    bandwidth: float | None

    def __str__(self) -> str:
        text = (
            f"{self.layout}: joints within {1000.0 * self.median_error:.1f} mm of their points "
            f"(median; {1000.0 * self.max_error:.1f} mm at most)"
        )
        if self.n_filled:
            text += f"; {self.n_filled} missing positions were filled in"
        return text if self.bandwidth is None else f"{text}; smoothed at {self.bandwidth:g} Hz"


def fit_skeleton(
    points: PointClipLike | npt.ArrayLike,
    *,
    layout: Layout | None = None,
    fps: float | None = None,
    bandwidth: float | None = None,
    up: PointAxis = "y",
) -> Result[SkeletonFitReport]:
    """Make a clip with a skeleton and rotations whose joints go where points go.

    Bones keep their lengths: the median over all frames. Trunk, and heads and hands where points show them,
    turn as rigid parts. Upper arms and thighs twist as bent elbows and knees show; while those are straight,
    legs follow the feet, arms the collar bones. Gaps are filled as seen from the joint before. What points
    cannot show (the twist of forearms without hands) stays as at rest.

    Parameters
    ----------
    points
        Positions of joints as a clip of points, or an array (T, N, 3) in metres with NaN in gaps.
    layout
        "smpl" (22 joints, HumanML3D's too), "smpl24", "human36m" (17), "mediapipe" (33), a skeleton with the
        names of the points, or a dictionary of every point's parent (None for the root). By default the
        layout that has these points. Names are compared in any spelling; points without the names of a layout
        count in its order.
    fps
        Frames per second of an array.
    bandwidth
        Hz above which motion is noise: positions are low-pass filtered before the fit, forward and backward.
        6 suits walking, 10 to 15 kicks. None leaves positions as they are.
    up
        The axis of an array that leads up; "-y" for the cameras of MediaPipe.

    Returns
    -------
    Result
        The motion in metres and Y up, and a :class:`SkeletonFitReport`.

    Raises
    ------
    ParameterError
        Points do not fit the layout, or a joint is never seen.

    >>> from motionloom.synthesis import walk
    >>> body = walk(duration=1.0, fps=30).clip
    >>> fitted = fit_skeleton(body.world_positions(), layout=body.skeleton, fps=30)
    >>> fitted.report.max_error < 0.003
    True
    """
    clip = _take_points(points, fps, up)
    if isinstance(layout, Mapping):
        found = _layout_of_parents(layout, clip)
    else:
        found = find_layout(layout, clip.names, len(clip.names))
    columns = _find_columns(found, clip.names)
    given = clip.positions[:, columns]
    joints, attached = _gather(found, given)
    n_missing = int(np.isnan(joints[..., 0]).sum())
    filled = _fill(found, joints)
    others = {
        joint: (rest, _fill_beside(where, filled[:, joint])) for joint, (rest, where) in attached.items()
    }
    if bandwidth is not None:
        bandwidth = check_positive("bandwidth", bandwidth, unit="Hz")
        if bandwidth >= clip.fps / 2.0:
            raise ParameterError(
                f"must be below half of the frame rate, {clip.fps / 2.0:g} Hz, not {bandwidth:g}",
                parameter="bandwidth",
                value=bandwidth,
            )
        if clip.n_frames > 1:
            filled = low_pass(filled, bandwidth, clip.fps)
            others = {j: (rest, low_pass(where, bandwidth, clip.fps)) for j, (rest, where) in others.items()}
    hints = frozenset(found.skeleton.index(name) for name in found.hints)
    fitted = RotationFit(found.skeleton, filled, others, clip.frame_time, hints).solve()
    errors = np.linalg.norm(fitted.positions - joints, axis=-1)
    errors = errors[~np.isnan(errors)]
    report = SkeletonFitReport(
        found.name,
        n_missing,
        float(np.median(errors)) if errors.size else 0.0,
        float(errors.max(initial=0.0)),
        bandwidth,
    )
    result = Clip(
        fitted.skeleton,
        clip.frame_time,
        fitted.root_positions,
        fitted.rotations,
        events=clip.events,
        cyclic=clip.cyclic,
        source=Source(path=clip.source.path, notes=clip.source.notes),
        provenance=derive(clip, "fitted"),
    )
    return Result(result, report)


def _take_points(given: PointClipLike | npt.ArrayLike, fps: float | None, up: PointAxis) -> PointClip:
    """Return points as a clip with Y up; an array gets the numbers of its points for names."""
    check_choice("up", up, tuple(_TO_Y_UP))
    points = given.clip if isinstance(given, Result) else given
    if isinstance(points, Clip):
        raise ParameterError("fit_skeleton takes positions, and the clip has a skeleton already")
    if isinstance(points, PointClip):
        if fps is not None or up != "y":
            raise ParameterError(
                (
                    "",
                    Argument("fps"),
                    " and ",
                    Argument("up"),
                    " are for arrays: a clip of points has a frame rate, and Y up",
                )
            )
        clip = points
    elif fps is None:
        raise ParameterError(("an array of positions needs ", Argument("fps"), ", its frames per second"))
    else:
        clip = points_of_array(points, fps, up)
    if clip.n_frames == 0 or not clip.names:
        raise ParameterError("there are no points to fit a skeleton to")
    return clip


def points_of_array(points: npt.ArrayLike, fps: float, up: PointAxis) -> PointClip:
    """Return an array of positions (T, N, 3) as a clip of points with Y up, named by their numbers.

    >>> points_of_array([[[0.0, 0.0, 2.0]]], 30, "z").positions.tolist()
    [[[0.0, 2.0, 0.0]]]
    """
    try:
        positions = as_read_only(points)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"must be numbers of shape (T, N, 3): {error}", parameter="points") from None
    if positions.ndim != 3 or positions.shape[-1] != 3:
        raise ParameterError(f"must have shape (T, N, 3), not {positions.shape}", parameter="points")
    if np.isinf(positions).any():
        raise ParameterError("must be finite, or NaN in gaps: one is infinite", parameter="points")
    names = tuple(str(n) for n in range(positions.shape[1]))
    return PointClip(names, frame_time_of(fps), freeze(positions @ _TO_Y_UP[up].T + 0.0))


def _find_columns(layout: PointLayout, names: Sequence[str]) -> list[int]:
    """Return the columns of the points of a layout among others: by name, else in their order."""
    wanted, have = plain_names(layout.points), plain_names(names)
    if set(wanted) <= set(have):
        return [have.index(name) for name in wanted]
    if len(names) == len(layout.points):
        return list(range(len(names)))
    lacking = [own for own, plain in zip(layout.points, wanted, strict=True) if plain not in have]
    raise ParameterError(
        f"the layout {layout.name!r} has {len(layout.points)} points, and {len(names)} were given: "
        f"{list_names(lacking)} are missing"
    )


def _layout_of_parents(parents: Mapping[str, str | None], clip: PointClip) -> PointLayout:
    """Return a layout of points with these parents; the straightest pose that they show is the rest pose."""
    unknown = [name for name in {*parents, *parents.values()} if name is not None and name not in clip.names]
    if unknown:
        raise ParameterError(f"there is no point {unknown[0]!r}: the points are {list_names(clip.names)}")
    roots = [name for name in parents if parents[name] is None]
    roots += [name for name in parents.values() if name is not None and name not in parents]
    if len(set(roots)) != 1:
        raise ParameterError(
            f"the parents must lead to one root, and lead to {len(set(roots))}",
            remedy="give it None as its parent",
        )
    ordered = [roots[0]]
    for name in ordered:
        ordered += [child for child, parent in parents.items() if parent == name and child not in ordered]
    if len(ordered) < len({*parents, *roots}):
        raise ParameterError("the parents run in a circle: every point must lead to the root")
    numbers = np.array([-1, *(ordered.index(str(parents[name])) for name in ordered[1:])])
    tracks = clip.positions[:, [clip.names.index(name) for name in ordered]]
    whole = np.flatnonzero(~np.isnan(tracks).any(axis=(1, 2)))
    if not len(whole):
        raise ParameterError(
            "no frame shows all points", remedy="give a skeleton as layout, which says how they stand"
        )
    bones = tracks[whole] - tracks[whole][:, np.maximum(numbers, 0)]
    lengths = np.linalg.norm(bones, axis=-1, keepdims=True)
    directions = bones / np.where(lengths > 0.0, lengths, 1.0)
    straight = np.sum(directions * directions[:, np.maximum(numbers, 0)], axis=(1, 2))
    pose = tracks[whole[int(straight.argmax())]]
    offsets = pose - np.where(numbers[:, None] >= 0, pose[np.maximum(numbers, 0)], 0.0)
    offsets[0] *= [0.0, 1.0, 0.0]
    skeleton = Skeleton(tuple(ordered), numbers, freeze(offsets))
    # At rest the body faces +Z, as those of other layouts do.
    forward = find_anatomy(skeleton).forward
    yaw = np.arctan2(forward[0], forward[2])
    cosine, sine = np.cos(-yaw), np.sin(-yaw)
    turn = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    skeleton = Skeleton(tuple(ordered), numbers, freeze(offsets @ turn.T))
    return PointLayout("own names", tuple(ordered), skeleton)


def _gather(
    layout: PointLayout, given: FloatArray
) -> tuple[FloatArray, dict[int, tuple[FloatArray, FloatArray]]]:
    """Return joints (T, J, 3), and for joints the rest vectors and positions of what else turns with them."""
    columns = {name: n for n, name in enumerate(layout.points)}
    names = layout.skeleton.names
    joints = np.stack(
        [
            given[:, [columns[point] for point in layout.sources.get(name, (name,))]].mean(axis=1)
            for name in names
        ],
        axis=1,
    )
    attached: dict[int, tuple[FloatArray, FloatArray]] = {}
    for name, points in layout.attached.items():
        where = given[:, [columns[point] for point in points]]
        attached[names.index(name)] = np.array(list(points.values())), where
    return joints, attached


def _fill(layout: PointLayout, joints: FloatArray) -> FloatArray:
    """Return joints (T, J, 3) with their gaps filled: smoothly in time, as seen from the joint before."""
    filled = np.array(joints)
    for joint, parent in enumerate(layout.skeleton.parents.tolist()):
        seen = ~np.isnan(filled[:, joint, 0])
        if seen.all():
            continue
        if not seen.any():
            name = layout.skeleton.names[joint]
            raise ParameterError(f"the joint {name!r} is never seen", remedy="leave it out of the layout")
        base = filled[:, parent] if parent >= 0 else np.zeros_like(filled[:, joint])
        filled[:, joint] = base + fill_track(filled[:, joint] - base, seen)
    return filled


def _fill_beside(points: FloatArray, joint: FloatArray) -> FloatArray:
    """Return points (T, N, 3) with gaps filled as seen from a joint (T, 3); one never seen lies on it."""
    filled = points - joint[:, None]
    for n in range(points.shape[1]):
        seen = ~np.isnan(points[:, n, 0])
        filled[:, n] = fill_track(filled[:, n], seen) if seen.any() else 0.0
    return np.asarray(filled + joint[:, None])


def fill_track(track: FloatArray, seen: npt.NDArray[np.bool_]) -> FloatArray:
    """Return a track (T, 3) with unseen frames interpolated smoothly and held at the ends.

    >>> fill_track(np.array([[0.0, 0, 0], [9, 9, 9], [2, 0, 0]]), np.array([True, False, True]))[1].tolist()
    [1.0, 0.0, 0.0]
    """
    frames = np.arange(len(track))
    known = frames[seen]
    if len(known) < 2:
        return np.broadcast_to(track[known[0]], track.shape).copy()
    from scipy.interpolate import PchipInterpolator

    found = np.array(track)
    inside = ~seen & (frames > known[0]) & (frames < known[-1])
    found[inside] = PchipInterpolator(known, track[seen], axis=0)(frames[inside])
    found[frames < known[0]] = track[known[0]]
    found[frames > known[-1]] = track[known[-1]]
    return found
