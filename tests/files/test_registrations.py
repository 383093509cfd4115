from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from tests.files.mutation import mutated


@pytest.fixture
def curve(tmp_path: Path) -> RegistrationCurve:
    """Two walks, in files, registered and saved beside them."""
    clips = []
    for n, speed in enumerate((1.2, 1.5)):
        path = tmp_path / "clips" / f"{n}.npz"
        path.parent.mkdir(exist_ok=True)
        clip = annotate(walk(speed=speed, duration=11.0, fps=30).clip)
        clip = replace(clip, source=replace(clip.source, path=str(path)))
        ml.save(clip, path)
        clips.append(clip)
    made = register(clips)
    ml.save(made, tmp_path / "curve.npz")
    return made


def test_other_formats_are_refused(curve: RegistrationCurve, tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError, match=r"files ending in '\.bvh' cannot be written with a registration"
    ):
        ml.save(curve, tmp_path / "curve.bvh")


def test_a_clip_file_is_no_registration(curve: RegistrationCurve, tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match=r"0\.npz: holds a Clip, not a RegistrationCurve: expect a Clip"
    ):
        ml.load(tmp_path / "clips" / "0.npz", ml.RegistrationCurve)
    with pytest.raises(FileFormatError, match=r"curve\.npz: holds a RegistrationCurve, not a Clip"):
        ml.load(tmp_path / "curve.npz", ml.Clip)


@pytest.mark.parametrize("cyclic", [False, True])
def test_options_of_clips_are_refused_whatever_they_say(
    cyclic: bool, curve: RegistrationCurve, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match="cyclic does not apply to a file of clips"):
        ml.load(tmp_path / "curve.npz", cyclic=cyclic)


def test_everything_comes_back(curve: RegistrationCurve, tmp_path: Path) -> None:
    again = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    u = np.linspace(*curve.domain, 77)
    assert np.array_equal(again.timewarp(u), curve.timewarp(u))
    assert np.array_equal(again.alignment(u), curve.alignment(u))
    assert again.matches == curve.matches
    assert again.reference == curve.reference
    assert again.settings == curve.settings
    assert replace(again.report, fit=None) == replace(curve.report, fit=None)


def test_clips_can_be_handed_over(curve: RegistrationCurve, tmp_path: Path) -> None:
    for path in (tmp_path / "clips").iterdir():
        path.unlink()
    assert ml.load(tmp_path / "curve.npz", ml.RegistrationCurve, clips=curve.clips).n_clips == 2
    with pytest.raises(ParameterError, match="registers 2 clips, but 1 were given"):
        ml.load(tmp_path / "curve.npz", ml.RegistrationCurve, clips=curve.clips[:1])


@pytest.mark.slow
def test_missing_and_changed_clips_are_named(curve: RegistrationCurve, tmp_path: Path) -> None:
    changed = curve.clips[1].mirrored()
    ml.save(changed, tmp_path / "clips" / "1.npz", overwrite=True)
    with pytest.raises(FileFormatError, match=r"clip 1 \(clips/1\.npz\) differs from the registered one"):
        ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    (tmp_path / "clips" / "0.npz").unlink()
    with pytest.raises(FileFormatError, match=r"curve\.npz: its clip clips/0\.npz is missing"):
        ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)


def test_clips_that_were_never_in_a_file_are_in_that_of_the_curve(tmp_path: Path) -> None:
    clips = [walk(speed=speed, duration=2, fps=30).clip for speed in (1.2, 1.3)]
    ml.save(register(clips), tmp_path / "curve.npz")
    again = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert [clip.content_hash() for clip in again.clips] == [clip.content_hash() for clip in clips]


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_curves_of_clips_changed_after_loading_can_be_loaded(tmp_path: Path) -> None:
    """Annotated, cut and resampled clips differ from their files; one that does not stays in its file."""
    for n, speed in enumerate((1.2, 1.5, 1.4)):
        ml.save(walk(speed=speed, duration=3.0, fps=60).clip, tmp_path / f"{n}.bvh")
    plain = [ml.load(tmp_path / f"{n}.bvh") for n in range(3)]
    clips = [annotate(plain[0]), annotate(plain[1])[5:], plain[2]]
    made = register(clips, events=())
    ml.save(made, tmp_path / "curve.npz")
    again = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert [clip.content_hash() for clip in again.clips] == [clip.content_hash() for clip in made.clips]
    assert again.clips[0].constraints == made.clips[0].constraints
    weights = [0.2, 0.3, 0.5]
    assert np.array_equal(ml.blend(again, weights).clip.rotations, ml.blend(made, weights).clip.rotations)
    with zipfile.ZipFile(tmp_path / "curve.npz") as archive:
        inside = {
            info.filename.split(".")[0] for info in archive.infolist() if info.filename.startswith("clip")
        }
    assert inside == {"clip0", "clip1"}


def test_points_come_back_with_their_curve(tmp_path: Path) -> None:
    clips = [walk(speed=speed, duration=2, fps=30).clip for speed in (1.2, 1.3)]
    points = [ml.PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions()) for clip in clips]
    ml.save(register(points), tmp_path / "curve.npz")
    again = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert [clip.content_hash() for clip in again.clips] == [clip.content_hash() for clip in points]


def test_files_of_0_1_name_clips_that_they_do_not_hold(curve: RegistrationCurve, tmp_path: Path) -> None:
    path = tmp_path / "curve.npz"
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    header["clips"][0]["path"] = ""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**members, "header.json": json.dumps(header).encode()}.items():
            archive.writestr(name, content)
    with pytest.raises(FileFormatError, match="was never in a file: pass the clips with clips="):
        ml.load(path, ml.RegistrationCurve)


def test_the_folder_can_be_moved(curve: RegistrationCurve, tmp_path: Path) -> None:
    new = tmp_path.with_name(tmp_path.name + "-moved")
    tmp_path.rename(new)
    assert ml.load(new / "curve.npz", ml.RegistrationCurve).n_clips == 2
    new.rename(tmp_path)


def test_the_arrays_take_little_room(curve: RegistrationCurve, tmp_path: Path) -> None:
    """At most two hundredths of the clips' own arrays, the header aside."""
    with zipfile.ZipFile(tmp_path / "curve.npz") as archive:
        small = sum(info.file_size for info in archive.infolist() if info.filename.endswith(".npy"))
        header = json.loads(archive.read("header.json"))
    large = sum(clip.rotations.nbytes + clip.root_positions.nbytes for clip in curve.clips)
    assert min(clip.n_frames for clip in curve.clips) >= 300
    assert small <= 0.02 * large
    assert header["clips"][0]["path"] == "clips/0.npz"


@pytest.mark.slow
def test_broken_files_are_refused(curve: RegistrationCurve, tmp_path: Path) -> None:
    good = (tmp_path / "curve.npz").read_bytes()
    broken = tmp_path / "broken.npz"
    for seed in range(200):
        broken.write_bytes(mutated(good, seed))
        try:
            ml.load(broken, ml.RegistrationCurve, clips=curve.clips)
        except MotionloomError:
            continue
