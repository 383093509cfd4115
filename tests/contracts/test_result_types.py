"""What type checkers say of the results of all stages: clip and report of each have a type of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

STAGES = {
    "ml.annotate(clip)": "Clip",
    "ml.put_in_place(clip)": "Result[InPlaceReport, Clip]",
    "ml.recover_travel(clip)": "Result[TravelReport, Clip]",
    "ml.cyclify(clip)": "Result[CycleReport, Clip]",
    "ml.match_strides([clip])": "list[Result[StrideCut, Clip]]",
    "ml.enforce(clip)": "Result[EnforcementReport, Clip]",
    "ml.warp(clip)": "Result[WarpReport, Clip]",
    "ml.reach(clip, 'hand', (0, 0, 0))": "Result[ReachReport, Clip]",
    "ml.retarget(clip, clip)": "Result[RetargetReport, Clip]",
    "ml.repair(clip)": "Result[RepairReport, Clip]",
    "ml.smooth(clip)": "Result[SmoothReport, Clip]",
    "ml.fit_skeleton(points)": "Result[SkeletonFitReport, Clip]",
    "ml.blend(curve, [1, 1])": "BlendResult[BlendReport]",
    "ml.variations(curve, 3, 1)": "list[BlendResult[BlendReport]]",
    "ml.mix([clip, clip], [1, 1])": "BlendResult[MixReport]",
    "ml.transition(clip, clip)": "BlendResult[BlendReport]",
    "ml.concatenate([clip, clip])": "BlendResult[BlendReport]",
    "ml.Framespace([clip, clip]).blend(0.5)": "BlendResult[FramespaceReport]",
    "space.blend({})": "BlendResult[SpaceReport]",
    "graph.walk(10.0, seed=1)": "BlendResult[BlendReport]",
    "graph.follow([[0, 0], [0, 4]])": "BlendResult[PathReport]",
    "graph.go_to(1.0, 2.0)": "BlendResult[PathReport]",
    "ml.enforce(ml.blend(curve, [1, 1])).clip": "Clip",
    "ml.enforce(clip).report.unreached": "tuple[UnreachedPlant, ...]",
}
HEAD = """import motionloom as ml


def ask(
    clip: ml.Clip,
    points: ml.PointClip,
    curve: ml.RegistrationCurve,
    space: ml.MotionSpace,
    graph: ml.MotionGraph,
) -> None:
"""


@pytest.mark.slow
def test_type_checkers_know_every_result_and_its_report(tmp_path: Path) -> None:
    asked = tmp_path / "asked.py"
    asked.write_text(HEAD + "".join(f"    reveal_type({stage})\n" for stage in STAGES))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(asked)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = [re.sub(r"[a-z_]\w*\.", "", note) for note in re.findall(r'Revealed type is "(.*)"', told)]
    assert dict(zip(STAGES, found, strict=True)) == STAGES, told
