"""Write takes of a library to files again."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from motionloom.atomic_write import atomic_output, make_folder
from motionloom.errors import MotionloomError
from motionloom.files.load_save import save
from motionloom.library.take import Take

TABLE = "takes.csv"


def export_takes(
    takes: Sequence[Take],
    folder: Path,
    suffix: str,
    overwrite: bool,
    progress: Callable[[int, int], None] | None,
) -> list[Path]:
    """Write takes to a folder, with a table of them; see :meth:`motionloom.library.Library.export`."""
    same = Counter(take.name for take in takes)
    # Takes of the same name, from different folders, get their ids.
    names = [take.name if same[take.name] == 1 else f"{take.name}_{take.id}" for take in takes]
    paths = [folder / f"{name}{suffix}" for name in names]
    existing = [path for path in [*paths, folder / TABLE] if path.exists()]
    if existing and not overwrite:
        raise MotionloomError(f"{existing[0]} exists", remedy="choose another folder, or overwrite")
    make_folder(folder)
    for done, (take, path) in enumerate(zip(takes, paths, strict=True), 1):
        save(take.clip(), path, overwrite=overwrite)
        if progress is not None:
            progress(done, len(takes))
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["take", "description", "tags", "seconds"])
    for take, name in zip(takes, names, strict=True):
        writer.writerow([name, take.description, " ".join(take.tags), f"{take.duration:.2f}"])
    with atomic_output(folder / TABLE, overwrite) as path:
        path.write_text(table.getvalue(), encoding="utf-8")
    return paths
