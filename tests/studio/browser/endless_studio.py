"""``python endless_studio.py FILE studio …``: a studio that makes clips called "endless" when FILE exists."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from motionloom.cli.main import main
from motionloom.project.document import Document
from motionloom.project.evaluator import EvaluatedClip, Evaluator


def hold_up_endless_clips(until: Path) -> None:
    """Never come back from clips called "endless", as transitions at 15 frames per second did not in 0.1."""
    evaluate = Evaluator.evaluate

    def evaluate_some(self: Evaluator, document: Document, id: str, progress: Any = None) -> EvaluatedClip:
        while document.item(id).name == "endless" and not until.exists():
            time.sleep(0.001)
        return evaluate(self, document, id, progress)

    Evaluator.evaluate = evaluate_some  # type: ignore[method-assign]


if __name__ == "__main__":
    hold_up_endless_clips(Path(sys.argv.pop(1)))
    main()
