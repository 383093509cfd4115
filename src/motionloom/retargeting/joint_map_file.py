"""Joint maps in a file: found once, corrected by hand, and used for every clip of the same two rigs.

A file holds one map for each pair of rigs, as JSON::

    {"joint_maps": [{"source_joints": ["Hips", …], "target_joints": ["pelvis", …],
                     "pairs": {"pelvis": "Hips", …}}]}

Pairs are target joint → source joint; target joints that are left out keep their rest rotation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from motionloom.atomic_write import atomic_output, lock_file
from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import check_fields, read_json
from motionloom.motion import Clip, Skeleton
from motionloom.motion.result import check_skeleton
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.retargeting.joint_mapping import JointMapping, JointPair

MAX_BYTES = 10_000_000
FIELDS = ("source_joints", "target_joints", "pairs")


def save_joint_map(mapping: JointMapping, path: str | PathLike[str]) -> None:
    """Write a joint map into a file; maps of other rigs in it stay, one of the same rigs is replaced.

    Several processes can add their maps to one file.

    Parameters
    ----------
    mapping
        Which joints correspond, from :func:`joint_mapping`.
    path
        The file, a .json.

    Returns
    -------
    None
        The map is in the file.

    Raises
    ------
    FileFormatError
        The file exists and is no joint map.

    >>> from tempfile import TemporaryDirectory
    >>> from motionloom.retargeting import joint_mapping
    >>> from motionloom.synthesis import biped
    >>> with TemporaryDirectory() as folder:
    ...     save_joint_map(joint_mapping(biped(), biped()), f"{folder}/map.json")
    ...     len(load_joint_map(f"{folder}/map.json", biped(), biped()).pairs)
    22
    """
    place = Path(path)
    entry = {
        "source_joints": list(mapping.source.names),
        "target_joints": list(mapping.target.names),
        "pairs": {pair.target: pair.source for pair in mapping.pairs},
    }
    with lock_file(place):
        others = [map for map in (_read(place) if place.exists() else []) if not _is_for(map, mapping)]
        with atomic_output(place, overwrite=True) as file:
            content = json.dumps({"joint_maps": [*others, entry]}, indent=1, ensure_ascii=False)
            file.write_text(content + "\n", encoding="utf-8")


def load_joint_map(
    path: str | PathLike[str], source: Skeleton | Clip, target: Skeleton | Clip
) -> JointMapping | None:
    """Read the joint map of two rigs from a file; None where the file has none for them.

    Parameters
    ----------
    path
        The file, from :func:`save_joint_map`.
    source, target
        The rigs; the map whose joints have the same names is taken.

    Returns
    -------
    JointMapping
        The map, or None.

    Raises
    ------
    FileFormatError
        The file is no joint map, or names joints that the rigs do not have.

    >>> mapping = load_joint_map("maps.json", walk.skeleton, hero.skeleton)    # doctest: +SKIP
    """
    place = Path(path)
    source, target = (check_skeleton("load_joint_map", body) for body in (source, target))
    empty = JointMapping(source, target, ())
    entry = next((map for map in _read(place) if _is_for(map, empty)), None)
    if entry is None:
        return None
    parts = find_body_parts(target).names
    for name, driver in entry["pairs"].items():
        for joint, skeleton, which in ((name, target, "target"), (driver, source, "source")):
            if joint not in skeleton.names:
                raise FileFormatError(place, f"maps the {which} joint {joint!r}, which the rig does not have")
    pairs = [
        JointPair(entry["pairs"][name], name, parts.get(joint, ""), "given")
        for joint, name in enumerate(target.names)
        if name in entry["pairs"]
    ]
    return JointMapping(source, target, tuple(pairs))


def _is_for(entry: Mapping[str, Any], mapping: JointMapping) -> bool:
    names = mapping.source.names, mapping.target.names
    return (tuple(entry["source_joints"]), tuple(entry["target_joints"])) == names


def _read(path: Path) -> Sequence[Mapping[str, Any]]:
    data = read_json(path, "a joint map", MAX_BYTES)
    try:
        maps = check_fields("the joint map", data, ["joint_maps"]).get("joint_maps")
        if not isinstance(maps, list):
            raise ParameterError("must be a list", parameter="joint_maps")
        for n, map in enumerate(maps):
            entry = check_fields(f"joint_maps[{n}]", map, FIELDS)
            if any(field not in entry for field in FIELDS) or not isinstance(entry["pairs"], dict):
                raise ParameterError(f"joint_maps[{n}] needs {', '.join(FIELDS)}")
            if not all(isinstance(name, str) for name in entry["pairs"].values()):
                raise ParameterError(f"joint_maps[{n}].pairs must name a source joint for each target joint")
    except ParameterError as error:
        raise FileFormatError(path, str(error)) from None
    return maps
