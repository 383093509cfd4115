"""Fit the basis of the library's signatures that ships with the package to a folder of takes.

    python release/fit_signature_basis.py FOLDER

Any basis gives exact searches; one that fits makes them fast. Change the version of the points
(`motionloom.library.body_points.VERSION`) with it: libraries that were indexed with another basis cannot be
compared with.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from motionloom.errors import MotionloomError
from motionloom.files.load_save import load_clip
from motionloom.files.process_files import collect_files
from motionloom.library.body_points import mirror_points, sample_points
from motionloom.library.signatures import BASIS_FILE, Windows, fit_basis, make_windows


def main(folder: Path) -> None:
    """Fit the basis to all takes that can be searched, and to their mirror images."""
    windows = []
    for path, _ in collect_files([folder], None):
        try:
            points = sample_points(load_clip(path))
        except MotionloomError as error:
            print(f"left out: {error}")
            continue
        windows += [make_windows(points, 10), make_windows(mirror_points(points), 10)]
    basis = fit_basis(
        Windows(
            np.concatenate([each.ground for each in windows], axis=2),
            np.concatenate([each.heights for each in windows], axis=1),
        )
    )
    np.savez(BASIS_FILE, **vars(basis))
    print(f"wrote {BASIS_FILE}: fitted to {sum(each.heights.shape[1] for each in windows)} samples")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
