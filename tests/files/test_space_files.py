"""Saved motion spaces come back as they were, and damaged files are refused with a sentence."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.spaces import parameters
from motionloom.spaces.measures import Parameter
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import reach_out


@pytest.fixture(scope="module")
def space() -> MotionSpace:
    clips = [reach_out(target=(-0.2, y, 0.4), fps=30, duration=1.0).clip for y in (0.9, 1.3)]
    return MotionSpace(clips, {"hand": parameters.position("RightHand", axes="y")})


@pytest.fixture(scope="module")
def saved(space: MotionSpace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ml.save(space, tmp_path_factory.mktemp("space") / "reaches.npz")


def test_a_space_comes_back(space: MotionSpace, saved: Path) -> None:
    again = ml.load(saved, ml.MotionSpace)
    assert (again.names, again.units, again.parameters) == (space.names, space.units, space.parameters)
    assert repr(again) == repr(space)
    np.testing.assert_array_equal(again.hull.points, space.hull.points)
    np.testing.assert_array_equal(again.weights([1.1]), space.weights([1.1]))
    np.testing.assert_array_equal(again.blend([1.1]).clip.rotations, space.blend([1.1]).clip.rotations)


@pytest.mark.parametrize(
    "parameter",
    [
        parameters.position("LeftHand", at=0.5, axes="xz", frame="world", point=(0, 0, 0.1)),
        parameters.direction("RightHand", at="50 %"),
        parameters.speed("RightHand"),
        parameters.speed(),
        parameters.turn_rate(),
        parameters.step_place(2),
        parameters.clearance("LeftFoot", 1.2, 0.3),
    ],
)
def test_every_kind_of_parameter_is_written(parameter: Parameter) -> None:
    from motionloom.files.native.spaces import _pack_parameter, _unpack_parameter
    from motionloom.json_files import JsonFields

    written = json.loads(json.dumps(_pack_parameter("it", parameter)))
    assert _unpack_parameter(JsonFields(Path("a.npz"), written)) == ("it", parameter)


def test_what_cannot_be_saved(space: MotionSpace, tmp_path: Path) -> None:
    hand = space.curve.clips[0].skeleton.index("RightHand")
    own = MotionSpace(space.curve, {"own": lambda clip: clip.world_positions()[:, hand, 1].max()})
    with pytest.raises(ParameterError, match="'own' is a function, which a file cannot hold"):
        ml.save(own, tmp_path / "own.npz")
    with pytest.raises(ParameterError, match="space"):
        ml.save(space, tmp_path / "space.bvh")
    assert not list(tmp_path.iterdir())


def test_other_files(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"holds a MotionSpace, not a Clip: expect a MotionSpace"):
        ml.load(saved, ml.Clip)
    clip = ml.save(reach_out(fps=30).clip, tmp_path / "clip.npz")
    with pytest.raises(FileFormatError, match="holds a Clip, not a MotionSpace"):
        ml.load(clip, ml.MotionSpace)
    with pytest.raises(FileFormatError, match="there is no such file"):
        ml.load(tmp_path / "none.npz", ml.MotionSpace)
    with pytest.raises(FileFormatError, match="there is no such file"):
        ml.load(tmp_path / "none.npz", ml.MotionSpace, clips=[])
    with pytest.raises(ParameterError, match="clips does not apply to a clip with a skeleton") as caught:
        ml.load(clip, ml.MotionSpace, clips=[])
    assert caught.value.parameter == "clips"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"simplices": np.array([[0, 99]])}, "do not fit its clips and parameters"),
        ({"simplices": np.array([[0, 0]])}, "do not fit its clips and parameters"),
        ({"header": {"parameters": []}, "points": np.zeros((2, 0))}, "do not fit its clips and parameters"),
        ({"weights": np.zeros((1, 2))}, "do not fit its clips and parameters"),
        ({"points": None}, "it has no array 'points'"),
        ({"examples": np.zeros((2, 1))}, "the clips differ by only 0 m"),
        (
            {"header": {"parameters": [{"name": "hand", "kind": "magic", "settings": {}}]}},
            "must be one of position",
        ),
        (
            {"header": {"parameters": [{"name": "h", "kind": "position", "settings": {"tail": 1}}]}},
            "no valid motion space",
        ),
        ({"header": {"rate_law": "mine"}}, "must be one of"),
    ],
)
def test_damaged_files(saved: Path, tmp_path: Path, change: dict[str, object], message: str) -> None:
    damaged = tmp_path / "damaged.npz"
    with zipfile.ZipFile(saved) as source, zipfile.ZipFile(damaged, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            name = info.filename.removesuffix(".npy").removesuffix(".json")
            new = change.get(name, ...)
            if new is None:
                continue
            if isinstance(new, dict):
                content = json.dumps(json.loads(content) | new).encode()
            elif isinstance(new, np.ndarray):
                with target.open(info.filename, "w") as member:
                    np.lib.format.write_array(member, new, version=(1, 0))
                continue
            target.writestr(info, content)
    with pytest.raises(FileFormatError, match=message):
        ml.load(damaged, ml.MotionSpace)
