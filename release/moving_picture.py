"""Draw the moving picture of the README: a walk, a jog, and a figure that goes back and forth between them.

``python release/moving_picture.py`` writes ``docs/images/blend.gif``, from built-in motions alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.synthesis import jog, walk

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "blend.gif"
DURATION, FPS = 4.0, 10.0
SPACING = 1.0
"""Metres between the figures."""


def main() -> None:
    """Make the three clips and draw them."""
    gaits = [ml.cyclify(ml.annotate(made(duration=4.0, fps=60).clip), cycles=1) for made in (walk, jog)]
    curve = ml.register(gaits)

    def there_and_back(time: float) -> tuple[float, float]:
        jogging = 0.5 - 0.5 * np.cos(2 * np.pi * time / DURATION)
        return 1.0 - jogging, jogging

    results = [
        ml.blend(curve, (1.0, 0.0), duration=DURATION),
        ml.blend(curve, there_and_back, duration=DURATION),
        ml.blend(curve, (0.0, 1.0), duration=DURATION),
    ]
    clips = []
    for n, result in enumerate(results):
        standing, _ = ml.split_root(result.clip)
        clips.append(standing.placed(ml.GroundTransform(x=(n - 1) * -SPACING)))
    ml.render(clips, PICTURE, width=400, height=200, fps=FPS, view="auto", overwrite=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
