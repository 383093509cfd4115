"""Characters go home: which file's mesh is kept, what is said where it is lost, and that motion fits it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError, TemplateWarning
from motionloom.files.template import find_difference, fit_to_character
from motionloom.files.up_axis import unrotate_rest
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.synthesis import make_character
from tests.figures import random_rotations, smooth_clip
from tests.files.gltf_sketch import parts_of
from tests.files.test_gltf_skin import tube
from tests.files.test_gltf_template import hero, motion

GAME = "game"


def turned_clip(n_frames: int = 9, *, moving: bool = False) -> Clip:
    """A figure whose joints have axes of their own."""
    clip = smooth_clip(n_frames, moving=moving)
    rests = random_rotations((clip.skeleton.n_joints,))
    return replace(clip, skeleton=replace(clip.skeleton, rest_rotations=rests))


def angles(a: Any, b: Any) -> Any:
    """The angles between rotations (…, 4), in degrees."""
    return np.degrees(np.linalg.norm(rot.to_rotation_vector(rot.multiply(rot.inverse(a), b)), axis=-1))


def without_warnings(clip: Clip, path: Path, **options: Any) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ml.save(clip, path, **options)


def test_the_character_of_the_source_is_kept(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")
    clip = ml.load(template).reversed()
    path = without_warnings(clip, tmp_path / "out.glb")
    before, after = parts_of(template)[0], parts_of(path)[0]
    for kind in ("nodes", "meshes", "materials", "skins"):
        assert len(after[kind]) == len(before[kind])
    assert after["materials"] == before["materials"]
    assert len(after["animations"]) == 1, "the motion that is read from the file is the one that was saved"
    assert np.allclose(ml.load(path).world_positions(), clip.world_positions(), atol=1e-6)


def test_nothing_of_the_replaced_animation_stays(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")
    ml.save(motion(400), tmp_path / "long.glb", template=template, animation="long")
    clip = ml.load(tmp_path / "long.glb", animation="long")[:2]
    path = without_warnings(clip, tmp_path / "out.glb")
    assert path.stat().st_size < (tmp_path / "long.glb").stat().st_size / 4
    content, data = parts_of(path)
    used = {
        n
        for animation in content["animations"]
        for each in animation["samplers"]
        for n in (each["input"], each["output"])
    }
    used |= {
        n for mesh in content["meshes"] for each in mesh["primitives"] for n in each["attributes"].values()
    }
    used |= {skin["inverseBindMatrices"] for skin in content["skins"] if "inverseBindMatrices" in skin}
    assert used == set(range(len(content["accessors"])))
    assert max(view["byteOffset"] + view["byteLength"] for view in content["bufferViews"]) <= len(data)


def names_of(path: Path) -> list[str]:
    """The names of the animations of a file, in its order."""
    return [animation["name"] for animation in parts_of(path)[0]["animations"]]


def test_a_character_comes_home_with_all_its_animations(tmp_path: Path) -> None:
    home = tmp_path / "hero.glb"
    hero().save(home)
    for name in ("dance", "jump"):
        ml.save(motion(5 if name == "jump" else 9), home, template=home, animation=name)
    assert names_of(home) == ["wave", "dance", "jump"]

    # An animation that was edited takes its own place, the first one, which is read by default.
    edited = ml.load(home, animation="dance").reversed()
    path = without_warnings(edited, tmp_path / "edited.glb")
    assert names_of(path) == ["dance", "wave", "jump"]
    assert np.allclose(ml.load(path).world_positions(), edited.world_positions(), atol=1e-6)
    for name in ("wave", "jump"):
        before, after = (ml.load(each, animation=name) for each in (home, path))
        assert np.array_equal(after.world_positions(), before.world_positions())
        assert after.frame_time == before.frame_time

    # Another motion gets another name, and the file itself is replaced only where that is allowed.
    path = without_warnings(edited, tmp_path / "named.glb", animation="backwards")
    assert names_of(path) == ["backwards", "wave", "dance", "jump"]
    with pytest.raises(ml.MotionloomError, match=r"hero\.glb already exists"):
        ml.save(edited, home)
    ml.save(edited, home, overwrite=True)
    assert names_of(home) == ["dance", "wave", "jump"]


def test_motion_of_another_file_is_added_under_its_own_name(tmp_path: Path) -> None:
    home = tmp_path / "hero.glb"
    hero().save(home)
    captured = ml.save(motion(), tmp_path / "stroll.bvh")
    moved = ml.retarget(ml.load(captured), ml.load(home), plant=False)
    assert moved.clip.source.animation == ""
    assert names_of(without_warnings(moved.clip, tmp_path / "out.glb")) == ["stroll", "wave"]


def test_new_motion_replaces_none_of_the_animations_it_is_made_of(tmp_path: Path) -> None:
    home = ml.save(make_character(), tmp_path / "hero.glb")
    walk, run = (ml.load(home, animation=name, cyclic=False) for name in ("walk", "run"))
    made = {
        "blend": ml.mix([walk, run], [0.5, 0.5], allow_unfit=True),
        "faster": ml.transition(walk, run),
    }
    for name, result in made.items():
        path = without_warnings(result.clip, tmp_path / f"{name}.glb")
        assert names_of(path) == [name, "idle", "walk", "run", "jump"]
        assert np.array_equal(
            ml.load(path, animation="walk", cyclic=False).world_positions(), walk.world_positions()
        )


def test_a_bare_skeleton_on_request(tmp_path: Path) -> None:
    clip = ml.load(hero().save(tmp_path / "hero.glb"))
    path = without_warnings(clip, tmp_path / "out.glb", template=None)
    assert [mesh["name"] for mesh in parts_of(path)[0]["meshes"]] == ["sticks"]
    assert ml.load(path).source.character is None, "a stick figure is no character"


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    path = hero().save(tmp_path / "hero.glb")
    clip = ml.load(path)
    path.rename(tmp_path / "moved.glb")
    with pytest.warns(
        TemplateWarning, match=r"out\.glb: the mesh of .*hero\.glb was not kept.* is gone: name"
    ):
        ml.save(clip, tmp_path / "out.glb")
    assert ml.load(tmp_path / "out.glb").n_frames == clip.n_frames
    kept = without_warnings(clip, tmp_path / "kept.glb", template=tmp_path / "moved.glb", animation="again")
    assert "cloth" in str(parts_of(kept)[0]["materials"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offsets": np.array([[5.0, 2, 0], [0, -1.1, 0]])}, "the bone to 'knee' has another length"),
        ({"names": ("hip", "shin")}, "the clip has a joint 'shin' that it does not have"),
        ({"rest_rotations": np.tile(rot.from_yaw(0.3), (2, 1))}, "the joint 'hip' rests otherwise"),
    ],
)
def test_another_skeleton_is_not_put_into_the_skin(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    clip = ml.load(hero().save(tmp_path / "hero.glb"))
    clip = replace(clip, skeleton=replace(clip.skeleton, **change), translations=None)
    with pytest.warns(TemplateWarning, match=f"hero.glb was not kept, only the skeleton, because {message}"):
        ml.save(clip, tmp_path / "out.glb")


def test_another_format_keeps_it_on_request(tmp_path: Path) -> None:
    clip = ml.load(hero().save(tmp_path / "hero.glb"))
    pytest.importorskip("pxr")
    with pytest.warns(TemplateWarning, match="name that file as the template to write it too"):
        ml.save(clip, tmp_path / "out.usda")
    without_warnings(clip, tmp_path / "out.bvh")
    clothed = ml.load(tube().save(tmp_path / "tube.glb"))
    without_warnings(clothed, tmp_path / "kept.usda", template=tmp_path / "tube.glb", unit="m", up="z")
    assert 'def Mesh "Body"' in (tmp_path / "kept.usda").read_text()
    with pytest.warns(TemplateWarning, match=r"that needs a \.usda file to be written"):
        ml.save(ml.load(tmp_path / "kept.usda"), tmp_path / "back.glb")
    with pytest.raises(
        ParameterError, match=r"the template of a USD file is a \.usd or .* file, not .*hero\.bvh"
    ):
        ml.save(clip, tmp_path / "again.usda", template=tmp_path / "hero.bvh")
    with pytest.raises(ParameterError, match="unit does not apply together with template="):
        ml.save(clip, tmp_path / "again.usda", template=tmp_path / "hero.usda", unit="cm")


def test_retargeting_moves_into_the_character(mocap: Path, tmp_path: Path) -> None:
    character = mocap / GAME / "character" / "manny_med_mod.gltf"
    walk = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh")[200:260]
    result = ml.retarget(walk, ml.load(character))
    path = without_warnings(result.clip, tmp_path / "manny.glb")
    content = parts_of(path)[0]
    assert len(content["meshes"]) > 0
    assert len(content["images"]) > 0
    again = ml.load(path)
    assert again.n_frames == walk.n_frames
    assert np.abs(again.world_positions() - result.clip.world_positions()).max() < 1e-5
    assert angles(again.rotations, result.clip.rotations).max() < 0.01


@pytest.mark.parametrize("name", ["kaykit_MovementBasic.glb", "robot_expressive.glb"])
def test_game_files_come_back_as_they_were(mocap: Path, tmp_path: Path, name: str) -> None:
    """With the axes of their joints, and all their animations; the first has no mesh."""
    clip = ml.load(mocap / GAME / name)
    path = without_warnings(clip, tmp_path / name)
    again = ml.load(path)
    assert again.skeleton.names == clip.skeleton.names
    assert angles(again.skeleton.rest_rotations, clip.skeleton.rest_rotations).max() < 0.01
    assert angles(again.rotations, clip.rotations).max() < 0.01
    assert np.abs(again.world_positions() - clip.world_positions()).max() < 1e-5
    before, after = parts_of(mocap / GAME / name)[0], parts_of(path)[0]
    for kind in ("meshes", "materials", "skins", "nodes"):
        assert len(after.get(kind, [])) == len(before.get(kind, []))
    assert names_of(path) == names_of(mocap / GAME / name)


def test_a_blend_keeps_the_character(mocap: Path, tmp_path: Path) -> None:
    character = ml.load(mocap / GAME / "character" / "manny_med_mod.gltf")
    takes = [
        ml.load(mocap / f"locomotion/s16/{name}.bvh")[100:220]
        for name in ("walk_left_16_11", "jog_left_16_37")
    ]
    clips = [ml.retarget(take, character, plant=False) for take in takes]
    blended = ml.blend(ml.register(clips), [0.5, 0.5]).clip
    saved = without_warnings(blended, tmp_path / "blend.glb")
    assert len(parts_of(saved)[0]["meshes"]) > 0
    assert np.abs(ml.load(saved).world_positions() - blended.world_positions()).max() < 1e-4


def test_native_files_remember_the_character(tmp_path: Path) -> None:
    clip = ml.load(hero().save(tmp_path / "hero.glb"))
    again = ml.load(ml.save(clip, tmp_path / "clip.npz"))
    assert again.source.character is not None
    assert again.source.character.path == str(tmp_path / "hero.glb")
    assert "cloth" in str(parts_of(without_warnings(again, tmp_path / "out.glb"))[0]["materials"])
    other = replace(clip, skeleton=replace(clip.skeleton, names=("a", "b")))
    assert ml.load(ml.save(other, tmp_path / "other.npz")).source.character is None


def test_a_character_with_joints_above_the_root() -> None:
    character = turned_clip()
    skeleton = character.skeleton
    above = Skeleton(
        ("ground", *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]),
        np.concatenate([[[0.3, 0.1, 0.2]], skeleton.offsets]),
        np.concatenate([random_rotations((1,)), skeleton.rest_rotations]),
    )
    placed = replace(
        character,
        skeleton=above,
        rotations=np.tile(above.rest_rotations, (9, 1, 1)),
        root_positions=np.tile(above.offsets[0], (9, 1)),
    )
    axes = above.rest_world_rotations()[1:]
    clip = replace(character, skeleton=replace(skeleton, rest_rotations=skeleton.rest_rotations))
    rests = np.array(skeleton.rest_rotations)
    rests[0] = axes[0]
    clip = replace(clip, skeleton=replace(skeleton, rest_rotations=rests))
    fitted = fit_to_character(clip, placed, Path("hero.fbx"))
    assert np.allclose(fitted.world_positions()[:, 1:], clip.world_positions(), atol=1e-12)
    assert angles(fitted.world_rotations()[:, 1:], clip.world_rotations()).max() < 1e-9


@pytest.mark.parametrize("moving", [False, True])
def test_unrotated_rest_has_the_same_poses(tmp_path: Path, moving: bool) -> None:
    clip = turned_clip(moving=moving)
    plain = unrotate_rest(clip)
    assert (plain.skeleton.rest_rotations == rot.IDENTITY).all()
    assert np.allclose(plain.skeleton.rest_positions(), clip.skeleton.rest_positions(), atol=1e-12)
    assert np.allclose(plain.world_positions(), clip.world_positions(), atol=1e-12)
    assert np.allclose(plain.tip_positions(), clip.tip_positions(), atol=1e-12)
    assert unrotate_rest(plain) is plain
    bvh = ml.load(ml.save(clip, tmp_path / "a.bvh"), keep_rest_rows=True)
    order = [bvh.skeleton.index(name) for name in clip.skeleton.names]
    assert np.allclose(bvh.skeleton.rest_positions()[order], clip.skeleton.rest_positions(), atol=1e-5)
    assert np.allclose(bvh.world_positions()[:, order], clip.world_positions(), atol=1e-5)


def test_a_part_of_a_skeleton_is_no_difference() -> None:
    whole = smooth_clip(2).skeleton
    leaf = max(set(range(whole.n_joints)) - set(whole.parents.tolist()))
    part = Skeleton(
        tuple(name for n, name in enumerate(whole.names) if n != leaf),
        np.array([p - (p > leaf) for n, p in enumerate(whole.parents.tolist()) if n != leaf]),
        np.delete(whole.offsets, leaf, axis=0),
    )
    assert find_difference(part, whole) is None
    assert find_difference(whole, part) == f"the clip has a joint {whole.names[leaf]!r} that it does not have"


def test_broken_templates_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.glb").write_bytes(b"junk")
    clip = ml.load(hero().save(tmp_path / "hero.glb"))
    with pytest.raises(FileFormatError, match=r"broken\.glb"):
        ml.save(clip, tmp_path / "out.glb", template=tmp_path / "broken.glb")
    assert not (tmp_path / "out.glb").exists()
