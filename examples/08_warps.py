"""Reshape one walk in many ways: all presets in one gallery, and a warp of your own."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.annotation.ground import Surface
from motionloom.synthesis import walk
from motionloom.warping import PRESETS, Key, WarpReport, apply_preset, preset_edit, stepping_stones, warp
from motionloom.warping.footholds import find_footholds

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)
clip = ml.annotate(ml.load(sys.argv[2]) if len(sys.argv) > 2 else walk(duration=4.0).clip)

# A few keys: bend the spine at 1.2 s, slow down around 2 s; feet stay where they are planted.
bent = warp(clip, [Key(1.2, "Spine", rotate=(0.5, 0, 0))], [(1.8, 1.8), (2.2, 2.8)], keep_plants=True)
print(bent.report)
ml.plot.warp(clip, bent, folder / "warp.png", overwrite=True)

# The presets after the paper, each with at most five keys.
gallery: dict[str, tuple[ml.Clip | ml.Result[WarpReport], Surface | None]] = {"original walk": (clip, None)}
for name in PRESETS:
    result = apply_preset(clip, name)
    print(f"{name:10} {result.report.key_count}")
    edit = preset_edit(clip, name)
    gallery[f"{name}: {result.report.n_keys} keys"] = (result, edit.ground or edit.hurdle)

# Stepping stones: each step a little to one side, and longer or shorter.
shifts = [0.0, 0.06, -0.08, 0.1, -0.05, 0.09, -0.07, 0.05]
stones = [
    hold.centre[[0, 2]] + [shifts[n % 8], shifts[(n + 3) % 8]] for n, hold in enumerate(find_footholds(clip))
]
stepped = stepping_stones(clip, stones)
gallery[f"stepping stones: {stepped.report.n_keys} keys for {len(stones)} stones"] = (stepped, None)
ml.plot.gallery(gallery, folder / "warps.png", overwrite=True)
