"""A registration curve together with the clips it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from motionloom.files.load_save import save
from motionloom.registration import RegistrationCurve


def save_with_clips(
    curve: RegistrationCurve, path: Path, places: Sequence[Path], *, overwrite: bool = False
) -> None:
    """Write the clips of a curve to their places, and the curve, which then refers to them there.

    Clips that were annotated, cut or closed are in no file yet; a curve saved by itself could not find them.

    Parameters
    ----------
    curve
        The registration of K clips.
    path
        The ``.npz`` file of the curve.
    places
        K files for the clips; ``.npz`` keeps all they have.
    overwrite
        Whether existing files may be replaced.

    >>> save_with_clips(curve, Path("gaits.npz"), [Path("walk.npz"), Path("jog.npz")])    # doctest: +SKIP
    """
    stored = tuple(
        replace(clip, source=replace(clip.source, path=str(place)))
        for clip, place in zip(curve.clips, places, strict=True)
    )
    for clip, place in zip(stored, places, strict=True):
        save(clip, place, overwrite=overwrite)
    save(replace(curve, clips=stored), path, overwrite=overwrite)
