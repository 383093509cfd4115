"""What is measured beside motion: force plates in the floor, and analog channels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, as_read_only, freeze
from motionloom.errors import ParameterError
from motionloom.geometry.ground_transform import GroundTransform
from motionloom.validation import check_frame_time, check_names, check_number, check_string

MIN_LOAD = 20.0
"""Newtons; below it plates measure noise, and the centre of pressure is anywhere."""

SAME_TIME = 1e-6
"""Fraction of a sample by which times may be off through rounding."""


@dataclass(frozen=True, eq=False)
class ForcePlate:
    """A plate that measures what the ground does to whoever stands on it.

    Attributes
    ----------
    name
        What it is called.
    frame_time
        Seconds from one sample to the next; plates measure more often than cameras.
    force
        (N, 3) force of the plate on the person, newtons; Y is up as in clips.
    moment
        (N, 3) moment of the plate on the person about :attr:`origin`, newton metres.
    corners
        (4, 3) corners of the surface, metres, or None where the file does not tell.
    start
        Seconds from the first frame of the clip to the first sample.
    channels
        The analog channels that it was computed from.

    >>> load = np.tile([0.0, 700.0, 0.0], (10, 1))
    >>> corners = [[0.4, 0, 0.4], [0, 0, 0.4], [0, 0, 0], [0.4, 0, 0]]
    >>> plate = ForcePlate("plate 1", 0.001, load, np.zeros((10, 3)), corners)
    >>> plate.centre_of_pressure[0].tolist(), float(plate.load[0])
    ([0.2, 0.0, 0.2], 700.0)
    """

    name: str
    frame_time: float
    force: FloatArray = field(repr=False)
    moment: FloatArray = field(repr=False)
    corners: FloatArray | None = field(default=None, repr=False)
    start: float = 0.0
    channels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        check_string("the name of a force plate", self.name)
        put(self, "frame_time", check_frame_time(self.frame_time))
        put(self, "start", check_number("the start of a force plate", self.start))
        put(self, "channels", tuple(self.channels))
        for name, shape in (("force", (None, 3)), ("moment", (None, 3)), ("corners", (4, 3))):
            value = getattr(self, name)
            if value is None and name == "corners":
                continue
            put(self, name, _check_array(f"{name} of force plate {self.name!r}", value, shape))
        if len(self.force) != len(self.moment):
            raise ParameterError(
                f"force plate {self.name!r} has {len(self.force)} forces and {len(self.moment)} moments"
            )

    @property
    def n_samples(self) -> int:
        """The number of samples N."""
        return len(self.force)

    @property
    def rate(self) -> float:
        """Samples per second."""
        return 1.0 / self.frame_time

    @property
    def times(self) -> FloatArray:
        """Seconds (N,) from the first frame of the clip to each sample."""
        return np.asarray(self.start + self.frame_time * np.arange(self.n_samples))

    @property
    def origin(self) -> FloatArray:
        """The point (3,) about which moments are taken: the middle of the corners, or the world's origin."""
        return np.zeros(3) if self.corners is None else np.asarray(self.corners.mean(axis=0))

    @property
    def normal(self) -> FloatArray:
        """The direction (3,) that is up from the surface."""
        if self.corners is None:
            return np.array([0.0, 1.0, 0.0])
        across = np.cross(self.corners[2] - self.corners[0], self.corners[3] - self.corners[1])
        length = float(np.linalg.norm(across))
        if length == 0.0:
            return np.array([0.0, 1.0, 0.0])
        return np.asarray(across / (length if across[1] >= 0.0 else -length))

    @property
    def load(self) -> FloatArray:
        """The force (N,) that presses on the surface, newtons."""
        return np.asarray(self.force @ self.normal)

    @property
    def centre_of_pressure(self) -> FloatArray:
        """Where (N, 3) on the surface the force acts, metres; NaN below :data:`MIN_LOAD`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            arm = np.cross(self.normal, self.moment) / self.load[:, None]
        arm[~(self.load >= MIN_LOAD)] = np.nan
        return np.asarray(self.origin + arm)

    def loads(self, times: npt.ArrayLike) -> FloatArray:
        """Return the load (...) at times (...), seconds of the clip; NaN where there is no sample nearby."""
        wanted, own = np.asarray(times, np.float64), self.times
        if not len(own):
            return np.full(wanted.shape, np.nan)
        beyond = (wanted < own[0] - self.frame_time) | (wanted > own[-1] + self.frame_time)
        return np.where(beyond, np.nan, np.interp(wanted, own, self.load))

    def placed(self, transform: GroundTransform) -> ForcePlate:
        """Return the plate moved over the ground."""
        still = transform.apply(np.zeros(3))
        corners = self.corners
        moment = transform.apply(self.moment) - still
        force = transform.apply(self.force) - still
        if corners is None:  # moments are about the origin of the world, which moves
            moment = moment + np.cross(still, force)
        else:
            corners = transform.apply(corners)
        return replace(self, force=freeze(force), moment=freeze(moment), corners=corners)


@dataclass(frozen=True, eq=False)
class Analog:
    """Channels that were measured beside the motion: forces, muscle activity, switches.

    Attributes
    ----------
    names
        C unique names.
    frame_time
        Seconds from one sample to the next.
    values
        (N, C) measurements in their units; NaN where there is none.
    units
        C units as the file has them.
    start
        Seconds from the first frame of the clip to the first sample.

    >>> Analog(["EMG 1"], 0.001, [[0.0], [0.1]], ["V"]).values.shape
    (2, 1)
    """

    names: tuple[str, ...]
    frame_time: float
    values: FloatArray = field(repr=False)
    units: tuple[str, ...] = ()
    start: float = 0.0

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "names", check_names("names of channels", self.names))
        put(self, "frame_time", check_frame_time(self.frame_time))
        put(self, "start", check_number("the start of analog channels", self.start))
        units = tuple(check_string("a unit of a channel", unit) for unit in self.units)
        put(self, "units", units or ("",) * len(self.names))
        values = _check_array("values of analog channels", self.values, (None, len(self.names)))
        put(self, "values", values)
        if len(self.units) != len(self.names):
            raise ParameterError(f"{len(self.names)} channels need as many units, not {len(self.units)}")

    @property
    def n_samples(self) -> int:
        """The number of samples N."""
        return len(self.values)


def retime_plates(
    plates: tuple[ForcePlate, ...], scale: float, shift: float, duration: float
) -> tuple[ForcePlate, ...]:
    """Return force plates whose time ``t`` became ``scale * t + shift``, from 0 to before ``duration``."""
    changed = []
    for plate in plates:
        kept, start = _find_kept(plate, scale, shift, duration)
        force, moment = freeze(plate.force[kept]), freeze(plate.moment[kept])
        frame_time = abs(scale) * plate.frame_time
        changed.append(replace(plate, start=start, frame_time=frame_time, force=force, moment=moment))
    return tuple(changed)


def retime_analog(analog: Analog | None, scale: float, shift: float, duration: float) -> Analog | None:
    """Return channels whose time ``t`` became ``scale * t + shift``, from 0 to before ``duration``.

    >>> channel = Analog(["a"], 0.5, [[0.0], [1.0], [2.0], [3.0]])
    >>> retime_analog(channel, 1.0, -0.5, 1.0).values.tolist()
    [[1.0], [2.0]]
    """
    if analog is None:
        return None
    kept, start = _find_kept(analog, scale, shift, duration)
    frame_time = abs(scale) * analog.frame_time
    return replace(analog, start=start, frame_time=frame_time, values=freeze(analog.values[kept]))


def _find_kept(
    measured: ForcePlate | Analog, scale: float, shift: float, duration: float
) -> tuple[IntArray, float]:
    """Return the samples that are kept, in their new order, and the new time of the first one."""
    times = scale * (measured.start + measured.frame_time * np.arange(measured.n_samples)) + shift
    slack = SAME_TIME * abs(scale) * measured.frame_time
    kept = np.flatnonzero((times >= -slack) & (times < duration - slack))
    kept = kept[::-1] if scale < 0.0 else kept
    return kept, float(times[kept[0]]) if len(kept) else 0.0


def _check_array(what: str, value: npt.ArrayLike, shape: tuple[int | None, ...]) -> FloatArray:
    words = ", ".join("N" if length is None else str(length) for length in shape)
    try:
        array = as_read_only(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"the {what} must be numbers of shape ({words}): {error}") from None
    fits = array.ndim == len(shape) and all(
        b is None or a == b for a, b in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ParameterError(f"the {what} must have shape ({words}), not {array.shape}")
    if np.isinf(array).any():
        raise ParameterError(f"the {what} must be finite: one is infinite")
    return array
