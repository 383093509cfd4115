"""Register two clips about the centre of a transition, only as far as the transition needs.

Time is aligned outwards from the centre or from foot strikes that correspond. A centre that the caller states
is met exactly; strikes too close to it give way. On the ground the clips are then aligned by what is planted
in both of them. While weight moves from one clip to the other, a point of the blend moves by the change of
weight times the gap between the clips at that point. Aligned by their bodies, two gaits are far apart at the
feet, and planted feet slide; aligned by the planted foot, they are apart at the body, which moves anyway.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.strides import gait_phase, is_locomotion, strikes
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.geometry import splines
from motionloom.motion import Clip, Constraint
from motionloom.motion.sampling import sample_vectors
from motionloom.options.registration import DEFAULT_WINDOW
from motionloom.registration import ConstraintMatch, RegistrationCurve, RegistrationSettings
from motionloom.registration.alignment import AlignedSamples, fit_alignment
from motionloom.registration.assess import TimeStats
from motionloom.registration.correspondence import fit_curve
from motionloom.registration.distance import distance
from motionloom.registration.dtw import Cell, SlopeRule
from motionloom.registration.pair_alignment import PairAlignment, PairTask, align_pair
from motionloom.registration.point_cloud import PointCloud, point_clouds, stretch
from motionloom.registration.register import build_curve
from motionloom.registration.time_alignment import AlignmentOutcome
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.repair.repair import mend_glitches
from motionloom.transitions.plan import Plan
from motionloom.transitions.request import FramePair, room_for

MAX_PHASE_DIFFERENCE = 0.3
"""Cycles by which the phases of two gaits may differ at the centre for their strikes to correspond."""

RATE_SMOOTHING = 20.0
"""Weight of changes of rate against squared frames of error. Strikes hold the curve, so it may be much larger
than for registering whole clips: with 1 the root's acceleration within captured transitions is up to twice
that of the clips, with 20 it is the same."""

MIN_PIN_DISTANCE = 0.12
"""Seconds between two pins: closer ones would bend time between them."""

HAND_OVER = 0.15
"""Seconds to either side over which one support takes over from another."""

BODY_WEIGHT = 0.1
"""Weight of the body against a support in the alignment; it has all the weight while nothing is planted."""

MAX_PIN_RATE = 2.5
"""How much faster or slower, against the ratio of their strides, one clip may run than the other between a
stated centre and the strike beside it."""

CENTRE_REACH = 0.3
"""Seconds to either side over which a curve is bent to meet a stated centre exactly."""

MAX_BEND = 0.5
"""Fraction by which that may change a clip's rate; more cannot be met without a jolt."""


END_LENGTHS = (0.6, 1.7)
"""Shortest and longest ends of clips that play whole, over the length that the transition is expected to
take: a stride more or less brings two gaits into step."""

RATE_COST, WIDTH_COST = 0.2, 0.02
"""Metres of distance that count as much as rates, or a width, that differ by a factor of e from those
expected."""


@dataclass(frozen=True, eq=False, repr=False)
class Pieces:
    """The parts of both clips that are registered.

    Attributes
    ----------
    clips
        The parts.
    firsts
        The frames of the clips at which they begin.
    centre
        The centre of the transition within them.
    whole
        Whether they are the whole clips.
    corners
        Whether their first and their last frames correspond.
    """

    clips: tuple[Clip, Clip]
    firsts: tuple[int, int]
    centre: FramePair
    whole: bool
    corners: bool = False


def cut_pieces(plan: Plan, reach: float) -> Pieces:
    """Cut both clips about the centre, ``reach`` times as far as the transition should need them."""
    room = room_for(reach * plan.half, plan.ratio, "registration")
    firsts, clips, whole = [], [], True
    for n, clip in enumerate((plan.a.clip, plan.b.clip)):
        first = max(0, int(plan.centre[n] - room.before[n]))
        stop = min(clip.n_frames, int(np.ceil(plan.centre[n] + room.after[n])) + 1)
        whole &= first == 0 and stop == clip.n_frames
        firsts.append(first)
        clips.append(clip[first:stop])
    centre = (plan.centre[0] - firsts[0], plan.centre[1] - firsts[1])
    return Pieces((clips[0], clips[1]), (firsts[0], firsts[1]), centre, whole)


def cut_ends(plan: Plan) -> Pieces:
    """Cut the end of the first clip and the start of the second such that their first frames correspond, and
    their last.

    How much of either takes part is free, since all of it plays: about twice the half-width, from where the
    first clip looks most like the start of the second, to where the second looks most like the end of the
    first.
    """
    a, b = plan.a.clip, plan.b.clip
    room = room_for(plan.half, plan.ratio, "registration")
    expected = [room.before[n] + room.after[n] for n in range(2)]
    lengths = []
    for n, clip in enumerate((a, b)):
        low, high = (round(by * expected[n]) for by in END_LENGTHS)
        lengths.append(np.arange(max(2, low), max(3, min(high + 1, clip.n_frames))))
    reach = round(DEFAULT_WINDOW / a.frame_time)
    tail, head = a[max(0, a.n_frames - 1 - lengths[0][-1] - reach) :], b[: lengths[1][-1] + reach + 1]
    grid = np.sqrt(distance(tail, head).values)
    gaps = grid[tail.n_frames - 1 - lengths[0], 0][:, None] + grid[-1, lengths[1]]
    rates = np.log((lengths[0][:, None] / expected[0]) / (lengths[1] / expected[1]))
    wide = np.log(lengths[0] / expected[0])[:, None]
    costs = gaps + RATE_COST * np.abs(rates) + WIDTH_COST * np.abs(wide)
    n, m = np.unravel_index(costs.argmin(), costs.shape)
    of_a, of_b = int(lengths[0][n]), int(lengths[1][m])
    first = a.n_frames - 1 - of_a
    centre = (of_a / 2.0, of_b / 2.0)
    return Pieces((a[first:], b[: of_b + 1]), (first, 0), centre, whole=False, corners=True)


def register_pieces(pieces: Pieces, plan: Plan) -> RegistrationCurve:
    """Register the pieces outwards from the centre, and align them by what is planted.

    If both clips show a gait, their strikes correspond. A centre that was found is where frames look most
    alike, which a strike may contradict by a frame or two; one that was stated is met exactly, or a
    :class:`CentreError` is raised.
    """
    a, b = pieces.clips
    settings = RegistrationSettings()
    settings = replace(settings, min_rate=settings.rate_bound * min(plan.ratio, 1.0 / plan.ratio))
    clouds = point_clouds([mend_glitches(clip) for clip in pieces.clips])
    events = match_strikes(plan, pieces)
    if plan.pinned:
        events = pins = _put_centre_among(events, pieces.centre, plan.ratio, a.frame_time)
    else:
        pins = events if pieces.corners else _choose_pins(events, pieces)
    alignment = _align_times(clouds, pins, pieces, plan, settings)
    event_frames = [list(own) for own in zip(*events, strict=True)]
    timewarp = fit_curve(alignment.frames, settings, a.fps, events=event_frames, smoothing=RATE_SMOOTHING)
    if plan.pinned:
        timewarp = pass_through(timewarp, pieces.centre, CENTRE_REACH * a.fps)
    with warnings.catch_warnings():
        # The report of the transition says it instead.
        warnings.simplefilter("ignore", RegistrationWarning)
        curve = build_curve(
            (a, b),
            clouds,
            alignment.frames,
            timewarp,
            0,
            settings,
            stats=TimeStats(saturation=alignment.alignment.saturation, cycle_error=None, notes=()),
            stacklevel=2,
        )
    return align_by_supports(curve)


# Corresponding frames


def match_strikes(plan: Plan, pieces: Pieces) -> list[FramePair]:
    """Return frames of corresponding strikes within the pieces, by the gaits' phases; none otherwise."""
    clips = plan.a.clip, plan.b.clip
    if not all(is_locomotion(clip) for clip in clips):
        return []
    phases = [
        float(np.interp(frame, np.arange(clip.n_frames), gait_phase(clip)))
        for clip, frame in zip(clips, np.add(pieces.centre, pieces.firsts).tolist(), strict=True)
    ]
    cycles = round(phases[1] - phases[0])
    if abs(phases[1] - phases[0] - cycles) > MAX_PHASE_DIFFERENCE:
        return []
    of_a, of_b = (_number_strikes(clip) for clip in clips)
    pairs = [
        (frame - pieces.firsts[0], of_b[half_cycle + 2 * cycles] - pieces.firsts[1])
        for half_cycle, frame in of_a.items()
        if half_cycle + 2 * cycles in of_b
    ]
    return [
        pair for pair in pairs if all(0 < f < c.n_frames - 1 for f, c in zip(pair, pieces.clips, strict=True))
    ]


def _number_strikes(clip: Clip) -> dict[int, float]:
    """Return the frames of strikes by the number of half cycles since the first left one."""
    hits = strikes(clip)
    first = -1 if hits[0].side == "right" else 0
    return {first + n: hit.frame for n, hit in enumerate(hits)}


def _choose_pins(events: list[FramePair], pieces: Pieces) -> list[FramePair]:
    """Return the pins of the time alignment: the strikes, and the centre if none is near."""
    near = MIN_PIN_DISTANCE / pieces.clips[0].frame_time
    distances = [min(abs(i - pieces.centre[0]), abs(j - pieces.centre[1])) for i, j in events]
    if min(distances, default=np.inf) > near:
        return sorted([*events, pieces.centre])
    return events


def _put_centre_among(
    events: list[FramePair], centre: FramePair, ratio: float, frame_time: float
) -> list[FramePair]:
    """Return the strikes that leave time for a stated centre, and the centre, in order.

    Of strikes beside the centre, those stay from which both clips reach it at similar rates.
    """

    def agrees(event: FramePair) -> bool:
        of_a, of_b = (abs(own - met) for own, met in zip(event, centre, strict=True))
        same_side = (event[0] - centre[0]) * (event[1] - centre[1]) > 0.0
        if not same_side or min(of_a, of_b / ratio) * frame_time < MIN_PIN_DISTANCE:
            return False
        return 1.0 / MAX_PIN_RATE <= of_b / (ratio * of_a) <= MAX_PIN_RATE

    return sorted([*filter(agrees, events), centre])


class CentreError(ParameterError):
    """A curve cannot be bent to meet a stated centre."""


def pass_through(curve: TimewarpCurve, centre: FramePair, reach: float) -> TimewarpCurve:
    """Bend a curve of two clips so that it passes through a pair of frames, to rounding.

    ``reach`` is how far to either side it bends, in units of ``u``, at least the spacing of its knots.
    Control points near the centre move by what is missing there, those farther away by less.

    >>> curve = TimewarpCurve(control_points=[[-1, -1], [1, 1], [3, 3], [5, 5]], knot_spacing=2.0)
    >>> bent = pass_through(curve, (2.0, 2.4), reach=4.0)
    >>> bent(bent.inverse(0, 2.0)).round(12).tolist()
    [2.0, 2.4]
    """
    inside = [low <= frame <= high for frame, (low, high) in zip(centre, curve(curve.domain).T, strict=True)]
    if not all(inside):
        raise CentreError("the clips do not correspond at the stated frames")
    u = float(np.mean([curve.inverse(k, frame) for k, frame in enumerate(centre)]))
    position = (u - curve.start) / curve.knot_spacing
    points = curve.all_points
    # The basis function of control point i is centred half a piece before i.
    away = (np.arange(len(points)) - 0.5 - position) / max(reach / curve.knot_spacing, 1.0)
    bump = np.where(np.abs(away) < 1.0, np.cos(0.5 * np.pi * away) ** 2, 0.0)
    bump = bump / splines.evaluate(bump[:, None], np.array([position]))[0, 0]
    for _ in range(2):  # The second round removes the rounding error of the first.
        missing = np.array(centre) - splines.evaluate(points, np.array([position]))[0]
        points = points + missing * bump[:, None]
    before, after = np.diff(curve.all_points, axis=0), np.diff(points, axis=0)
    if (np.abs(after - before) > MAX_BEND * before).any():
        raise CentreError("the clips correspond at other frames than those stated")
    return replace(curve, control_points=freeze(points))


def _align_times(
    clouds: Sequence[PointCloud],
    pins: Sequence[FramePair],
    pieces: Pieces,
    plan: Plan,
    settings: RegistrationSettings,
) -> PairAlignment:
    """Find the frames of both clouds that correspond.

    The clip with the shorter strides is stretched first, so that the slope limit bounds deviations from the
    clips' own rates.
    """
    ratio, fps, corners = plan.ratio, plan.a.clip.fps, pieces.corners
    factors = np.array([max(1.0, ratio), max(1.0, 1.0 / ratio)])
    lengths = [round((len(cloud.positions) - 1) * by) + 1 for cloud, by in zip(clouds, factors, strict=True)]
    one, other = (stretch(cloud, length) for cloud, length in zip(clouds, lengths, strict=True))
    scale = [(len(cloud.positions) - 1) / (n - 1) for cloud, n in zip(clouds, lengths, strict=True)]
    cells = [(round(i / scale[0]), round(j / scale[1])) for i, j in pins]
    if corners:
        ends = (0, 0), (lengths[0] - 1, lengths[1] - 1)
        cells = _keep_reachable([ends[0], *cells, ends[1]], settings.slope_rule, ends)[1:-1]
    else:
        centre = pins.index(pieces.centre) if pieces.centre in pins else 0
        cells = _keep_reachable(cells, settings.slope_rule, cells[centre : centre + 1])
    task = PairTask(
        one,
        other,
        half_width=round(settings.window * fps),
        fps=fps,
        rule=settings.slope_rule,
        start="corners" if corners else "free",
        end="corners" if corners else "free",
        pins=cells,
        in_windows=plan.request.alignment == "windowed",
    )
    found = align_pair(task) if corners else align_outwards(task)
    return replace(found, frames=found.frames * scale)


def _keep_reachable(cells: Sequence[Cell], rule: SlopeRule, fixed: Sequence[Cell]) -> list[Cell]:
    """Return the cells that a path can pass which passes the fixed ones, the first of them or all.

    Cells are kept outwards from the first fixed one, and as long as the next fixed one can still be reached.
    """
    start, later = fixed[0], list(fixed[1:])

    kept = [start]
    for cell in (cell for cell in cells if cell[0] > start[0]):
        if rule.joins(kept[-1], cell) and all(cell == last or rule.joins(cell, last) for last in later):
            kept.append(cell)
    for cell in (cell for cell in reversed(cells) if cell[0] < start[0]):
        if rule.joins(cell, kept[0]):
            kept.insert(0, cell)
    return kept


def align_outwards(task: PairTask) -> PairAlignment:
    """Align two clouds in time with free ends, through at least one pin.

    Windows only grow forward from a known cell. If the grid is too large to be held whole, they grow from the
    pin in the middle to the end, and from there through the reversed clouds to the beginning.
    """
    if not task.windowed:
        return align_pair(task)
    n = len(task.pins) // 2
    i, j = task.pins[n]
    later = [(row - i, column - j) for row, column in task.pins[n + 1 :]]
    earlier = [(i - row, j - column) for row, column in task.pins[:n][::-1]]
    ahead = _align_parts(task, slice(i, None), slice(j, None), later)
    back = _align_parts(task, slice(i, None, -1), slice(j, None, -1), earlier)
    centre = np.array(task.pins[n])
    path = np.concatenate([centre - back.alignment.path[:0:-1], centre + ahead.alignment.path])
    distances = np.concatenate([back.distances[:0:-1], ahead.distances])
    alignment = replace(
        ahead.alignment, path=freeze(path), cost=float(distances.sum()), outcome=AlignmentOutcome.WINDOWED
    )
    return PairAlignment(alignment, freeze(path.astype(np.float64)), distances)


def _align_parts(task: PairTask, rows: slice, columns: slice, pins: Sequence[Cell]) -> PairAlignment:
    """Align parts of both clouds in time, from their first frames on."""
    a, b = (
        PointCloud(np.ascontiguousarray(cloud.positions[frames]), cloud.weights)
        for cloud, frames in ((task.a, rows), (task.b, columns))
    )
    return align_pair(replace(task, a=a, b=b, start="corners", pins=pins))


# Alignment by supports


def align_by_supports(curve: RegistrationCurve) -> RegistrationCurve:
    """Return the curve with its clips aligned by what is planted in all of them, wherever something is.

    Yaws stay as they are; only the points that are aligned with each other change.
    """
    u = np.linspace(*curve.domain, max(2, round(np.ptp(curve.domain))) + 1)
    weights = _support_weights(curve.matches, u, HAND_OVER / curve.clips[0].frame_time)
    if not weights.any():
        return curve
    bodies = _body_points(curve, len(u))
    frames = curve.timewarp(u)
    centres = (1.0 - weights.sum(axis=0))[:, None, None] * bodies[..., 1:]
    for match, weight in zip(curve.matches, weights, strict=True):
        for k, clip in enumerate(curve.clips):
            constraint = clip.constraints[match.sources[k]]
            centres[:, k] += weight[:, None] * _track_point(clip, constraint, frames[:, k])
    samples = AlignedSamples(u, bodies[..., 0], centres, np.zeros(frames.shape))
    alignment = fit_alignment(samples, curve.reference, knot_spacing=curve.alignment.knot_spacing)
    return replace(curve, alignment=alignment)


def _support_weights(matches: Sequence[ConstraintMatch], u: FloatArray, reach: float) -> FloatArray:
    """Return the weight of each match (M, N) at parameters (N,): while all clips hold it, with soft ends."""
    window = np.hanning(2 * round(reach) + 3)[1:-1]
    weights = np.zeros((len(matches), len(u)))
    for row, match in zip(weights, matches, strict=True):
        planted = (match.spans[:, 0].max() <= u) & (u <= match.spans[:, 1].min())
        padded = np.pad(planted.astype(np.float64), len(window) // 2, mode="edge")
        row[:] = np.convolve(padded, window / window.sum(), mode="valid")
    return np.asarray(weights / (weights.sum(axis=0) + BODY_WEIGHT))


def _body_points(curve: RegistrationCurve, count: int) -> FloatArray:
    """Return yaw, x and z (count, K, 3) of the points by which the curve aligns its clips, evenly spaced."""
    points = curve.alignment.control_points
    positions = np.linspace(0.0, len(points) - 2.0, count)
    return splines.evaluate(points.reshape(len(points), -1), positions).reshape(count, *points.shape[1:])


def _track_point(clip: Clip, constraint: Constraint, frames: FloatArray) -> FloatArray:
    """Return where the point of a constraint is on the ground (N, 2) at fractional frames (N,)."""
    positions = clip.point_positions(constraint.joint, constraint.point)
    return sample_vectors(positions, np.clip(frames, 0.0, clip.n_frames - 1.0))[:, [0, 2]]
