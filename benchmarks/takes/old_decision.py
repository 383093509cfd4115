"""What an older version accepts of the same pairs; needs nothing but the public names of that version.

python -m benchmarks.takes --write-pairs pairs.json
git worktree add /tmp/old <commit>                    (or: git archive <commit> src | tar -x -C /tmp/old)
PYTHONPATH=/tmp/old/src python benchmarks/takes/old_decision.py pairs.json library old.json
python -m benchmarks.takes --acceptance-of-0.1 old.json
"""

import csv
import json
import sys
import warnings
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import motionloom as ml


def main() -> None:
    pairs, library, output = (Path(word) for word in sys.argv[1:4])
    warnings.simplefilter("ignore")
    with (library / "takes.csv").open(encoding="utf-8") as file:
        notes = {row["take"]: row["capture_rate_note"] for row in csv.DictReader(file)}

    @lru_cache(maxsize=64)
    def read(name: str) -> ml.Clip:
        clip = ml.load(library / name.split("_")[0] / f"{name}.bvh")
        slow = "about 60 Hz" in notes[name]
        return (replace(clip, frame_time=2.0 * clip.frame_time) if slow else clip).resampled(30.0)

    decided = {}
    for pair in json.loads(pairs.read_text()):
        first, second = pair["first"], pair["second"]
        try:
            verdict = ml.prepare([read(first), read(second)]).register().report.verdict.name
            decided[f"{first} {second}"] = "refused" if verdict == "UNFIT" else "accepted"
        except ml.MotionloomError:
            decided[f"{first} {second}"] = "refused"
    output.write_text(json.dumps(decided))


if __name__ == "__main__":
    main()
