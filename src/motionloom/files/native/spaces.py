"""Saved motion spaces: parameters, measured blends, and the registration of the clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.native.archive import Arrays, read_archive, write_archive
from motionloom.files.native.registrations import pack_registration, part_of, unpack_registration
from motionloom.json_files import JsonFields
from motionloom.messages import Operation
from motionloom.motion import Clip
from motionloom.options.blending import RateLaw
from motionloom.spaces.body_measures import StepPlace, Travel
from motionloom.spaces.joint_measures import Clearance, Direction, JointSpeed, Position
from motionloom.spaces.measured_blends import MeasuredBlends
from motionloom.spaces.measures import Custom, Parameter
from motionloom.spaces.sample_space import SampledSpace
from motionloom.spaces.simplex_mesh import MAX_DIMENSIONS, SimplexMesh
from motionloom.spaces.space import MotionSpace

FORMAT = "motionloom space"
VERSION = 1

KINDS: dict[str, type[Parameter]] = {
    "position": Position,
    "direction": Direction,
    "joint speed": JointSpeed,
    "clearance": Clearance,
    "step": StepPlace,
    "travel": Travel,
}
"""Parameters that a file can hold, by the name that they have there."""

REGISTRATION = "registration."
"""Prefix of the names of arrays that belong to the registration."""


def write_space(
    space: MotionSpace, path: Path, load: Callable[[Path], Clip], *, overwrite: bool = False
) -> None:
    """Write a space; its clips are written as those of a registration curve are."""
    registration, arrays = pack_registration(space.curve, path, load)
    sampled = space.sampled
    header = {
        "format": FORMAT,
        "version": VERSION,
        "registration": registration,
        "parameters": [_pack_parameter(name, each) for name, each in space.parameters.items()],
        "rate_law": space.rate_law,
        "sampled": {
            "n_blends": sampled.n_blends,
            "max_error": sampled.max_error,
            "n_refused": sampled.n_refused,
        },
    }
    own: Arrays = {
        "examples": space.examples,
        "points": sampled.mesh.points,
        "weights": sampled.mesh.weights,
        "simplices": sampled.mesh.simplices.astype(np.int64),
    }
    own |= {f"{REGISTRATION}{name}": array for name, array in arrays.items()}
    write_archive(path, header, own, overwrite)


def read_space(path: Path, clips: Sequence[Clip] | None, load: Callable[[Path], Clip]) -> MotionSpace:
    """Read a saved space; clips as for a registration curve."""
    header, arrays = read_archive(path, FORMAT, VERSION)
    curve = unpack_registration(
        path, header.object("registration"), part_of(arrays, REGISTRATION), clips, load
    )
    sampled = header.object("sampled")
    try:
        parameters = dict(_unpack_parameter(entry) for entry in header.objects("parameters"))
        blends = MeasuredBlends(curve, parameters, header.choice("rate_law", get_args(RateLaw)))
        mesh = SimplexMesh(arrays["points"], arrays["weights"], arrays["simplices"])
        _check_mesh(mesh, len(blends.names), curve.n_clips)
        result = SampledSpace(
            mesh,
            int(sampled.number("n_blends")),
            sampled.number("max_error"),
            int(sampled.number("n_refused")),
        )
        return MotionSpace.restore(blends, arrays["examples"], result)
    except KeyError as error:
        raise FileFormatError(path, f"is damaged: it has no array {error}") from None
    except FileFormatError:
        raise
    except (MotionloomError, TypeError, ValueError) as error:
        raise FileFormatError(path, f"holds no valid motion space: {error}") from None


def _pack_parameter(name: str, parameter: Parameter) -> dict[str, Any]:
    """Return a parameter as JSON; one made from a function cannot be."""
    for kind, known in KINDS.items():
        if isinstance(parameter, known):
            return {"name": name, "kind": kind, "settings": asdict(cast(Any, parameter))}
    assert isinstance(parameter, Custom)
    raise ParameterError(
        f"{name!r} is a function, which a file cannot hold",
        remedy=("make the space in a script, or choose a parameter of ", Operation("motionloom.parameters")),
    )


def _unpack_parameter(entry: JsonFields) -> tuple[str, Parameter]:
    kind = KINDS[entry.choice("kind", tuple(KINDS))]
    return entry.text("name"), kind(**entry.object("settings").values)


def _check_mesh(mesh: SimplexMesh, n_numbers: int, n_clips: int) -> None:
    """Refuse arrays that do not fit each other: files are not trusted."""
    points, weights, simplices = mesh.points, mesh.weights, mesh.simplices
    fits = (
        points.ndim == weights.ndim == simplices.ndim == 2
        and points.shape[1] == n_numbers
        and 1 <= n_numbers <= MAX_DIMENSIONS
        and weights.shape == (len(points), n_clips)
        and simplices.dtype.kind == "i"
        and simplices.shape[1] == n_numbers + 1
        and len(simplices) > 0
        and simplices.min() >= 0
        and simplices.max() < len(points)
    )
    usable = (
        fits
        and np.isfinite(points).all()
        and np.allclose(weights.sum(axis=1), 1.0)
        and (np.diff(np.sort(simplices, axis=1), axis=1) > 0).all()
        and mesh.volume > 0.0
    )
    if not usable:
        raise ParameterError("its measured blends do not fit its clips and parameters")
