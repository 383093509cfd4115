"""Figures of registrations: they show what they should, and refuse what they cannot draw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.display import plot, plot_registration
from motionloom.display.plot_style import CLIP_COLOURS
from motionloom.errors import FileExistsRefusal, MissingPackageError, ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import jog, walk

pytest.importorskip("matplotlib")


def named(clip: Clip, name: str) -> Clip:
    return replace(clip, source=replace(clip.source, path=f"{name}.bvh"))


def walks(count: int) -> list[Clip]:
    made = [walk(speed=1.2 + 0.01 * n, duration=1.2, fps=30) for n in range(count)]
    return [named(annotate(motion.clip), f"walk {n}") for n, motion in enumerate(made)]


@pytest.fixture(scope="module")
def pair() -> RegistrationCurve:
    return register(walks(2))


@pytest.fixture(scope="module")
def cycles() -> RegistrationCurve:
    motions = walk(duration=3, fps=60), jog(duration=3, fps=60, phase=0.4)
    return register([cyclify(motion.clip, cycles=1) for motion in motions])


def words(curve: RegistrationCurve) -> str:
    """All that is written in a figure, on one line."""
    from matplotlib.text import Text

    texts = plot_registration.draw_registration(curve).findobj(Text)
    return " ".join(text.get_text() for text in texts if isinstance(text, Text)).replace("\n", " ")


@pytest.mark.parametrize("name", ["curve.jpg", "curve.npz", "curve"])
def test_other_formats_are_refused(pair: RegistrationCurve, tmp_path: Path, name: str) -> None:
    with pytest.raises(ParameterError, match=rf"{name}: plots are saved as \.png, \.svg or \.pdf"):
        plot.registration(pair, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_named(
    pair: RegistrationCurve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match="plotting needs the package 'matplotlib'"):
        plot.registration(pair, tmp_path / "curve.png")


def test_a_file_that_is_there_stays(pair: RegistrationCurve, tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    path.write_text("mine")
    with pytest.raises(FileExistsRefusal):
        plot.registration(pair, path)
    assert path.read_text() == "mine"


@pytest.mark.slow
def test_a_picture_has_grids_and_bars_of_both_colours(pair: RegistrationCurve, tmp_path: Path) -> None:
    path = plot.registration(pair, tmp_path / "curve.png")
    pixels = np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3)
    for colour in CLIP_COLOURS[:2]:
        wanted = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
        assert (np.abs(pixels.astype(int) - wanted).max(axis=-1) < 8).mean() > 0.002
    assert (pixels.max(axis=-1) < 60).mean() > 0.02


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")])
def test_the_suffix_is_the_format(pair: RegistrationCurve, tmp_path: Path, suffix: str, start: bytes) -> None:
    assert plot.registration(pair, tmp_path / f"curve{suffix}").read_bytes().startswith(start)


@pytest.mark.slow
def test_names_with_signs_of_formulas_are_drawn_as_they_are(pair: RegistrationCurve, tmp_path: Path) -> None:
    odd = replace(pair, clips=tuple(map(named, pair.clips, (r"a$\frac{$", "_x^$_{"))))
    plot.registration(odd, tmp_path / "curve.png")
    assert r"0: a$\frac{$" in words(odd)


def test_a_constraint_of_one_clip_has_a_lane(pair: RegistrationCurve) -> None:
    assert "Head hold" not in words(pair)
    first = replace(pair.clips[0], constraints=(*pair.clips[0].constraints, Constraint("Head", "hold", 3, 9)))
    assert "Head hold" in words(replace(pair, clips=(first, pair.clips[1])))


@pytest.mark.slow
def test_clips_without_constraints_have_no_lanes(pair: RegistrationCurve, tmp_path: Path) -> None:
    bare = tuple(replace(clip, constraints=()) for clip in pair.clips)
    plot.registration(replace(pair, clips=bare, matches=()), tmp_path / "curve.png")
    assert "heel" not in words(replace(pair, clips=bare, matches=()))


def test_what_is_outside_the_registered_part_is_not_drawn(pair: RegistrationCurve) -> None:
    last = pair.spans[1, 0]
    held = Constraint("Head", "hold", last - 4, last + 2), Constraint("Head", "hold", last + 3, last + 5)
    clip = replace(pair.clips[0], constraints=(*pair.clips[0].constraints, *held))
    curve = replace(pair, clips=(clip, pair.clips[1]))
    ((start, end),) = plot_registration._constraint_spans(curve, 0, ("Head", "hold"))
    assert curve.timewarp(start)[0] == pytest.approx(last - 4)
    assert end == pytest.approx(curve.domain[1])


@pytest.mark.slow
def test_long_titles_are_wrapped_within_the_figure(pair: RegistrationCurve) -> None:
    report = replace(pair.report, cause=None, figure="so many words that one line cannot hold them all, " * 4)
    figure = plot_registration.draw_registration(replace(pair, report=report))
    figure.draw_without_rendering()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert max(title.count("\n") for title in titles) >= 2
    rights = [axes.title.get_window_extent().x1 for axes in figure.axes]
    rights += [axes._left_title.get_window_extent().x1 for axes in figure.axes]  # type: ignore[attr-defined]
    assert max(rights) <= figure.bbox.x1


@pytest.mark.slow
def test_grids_beyond_the_most_are_counted() -> None:
    said = words(register(walks(11)))
    assert "… and 2 more clips, whose grids are not drawn" in said
    assert all(f"{n}: walk {n}" in said for n in range(11))


@pytest.mark.slow
def test_the_curve_of_cycles_lies_within_its_grid(cycles: RegistrationCurve) -> None:
    """It enters a cycle in its middle and so goes on beyond the frames of the clip."""
    assert cycles.timewarp.periods is not None
    assert any(cycles.spans[1, k] > clip.n_frames for k, clip in enumerate(cycles.clips))
    axes = plot_registration.draw_registration(cycles).axes[0]
    left, right, bottom, top = axes.images[0].get_extent()
    across, up = np.asarray(axes.lines[0].get_xydata()).T
    assert left <= across.min() < left + 1.5
    assert right - 1.5 < across.max() <= right
    assert bottom <= up.min() < up.max() <= top


def test_plants_of_cycles_are_drawn_where_they_wrap(cycles: RegistrationCurve) -> None:
    """In the domain a plant is seen as long as it lasts, in one piece or in one at each end."""
    start, end = cycles.domain
    for k, clip in enumerate(cycles.clips):
        for role in plot_registration._roles(cycles):
            held = np.array([(c.start, c.end) for c in clip.constraints if (c.joint, c.kind) == role])
            whole = np.diff(cycles.timewarp.inverse(k, held), axis=1).sum()
            shown = np.clip(np.array(list(plot_registration._constraint_spans(cycles, k, role))), start, end)
            assert np.diff(shown, axis=1).sum() == pytest.approx(whole)
            assert (np.diff(shown, axis=1) > 0.0).all()
