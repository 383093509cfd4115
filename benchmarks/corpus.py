"""Where the captured clips are."""

from __future__ import annotations

import os
from pathlib import Path

MOCAP = Path(os.environ.get("MOTIONLOOM_MOCAP", Path(__file__).parents[2] / "shared" / "mocap"))


def need_corpus() -> None:
    """Leave, with a sentence, where the captured clips are missing."""
    if not MOCAP.is_dir():
        raise SystemExit(
            "the captured clips are not beside the checkout: set MOTIONLOOM_MOCAP to their folder"
        )
