"""Blend spaces played in Godot: how near poses are to the clips, and how exactly requests are met.

Run `MOTIONLOOM_GODOT="godot" python -m benchmarks.engines [--requests N] [--project FOLDER]` with the command
of a Godot 4.3 or later, which may be a wrapper for a container; `--project` names the folder for the project,
`--inside` the same folder as Godot sees it. Four spaces are exported as scenes, imported, and played unseen:
the first four points of each grid, and random requests between the points. What the skeleton did is
read back as clips and measured by the parameters of the space.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from benchmarks.corpus import need_corpus
from benchmarks.spaces.sets import SETS
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Pose
from motionloom.spaces.simplex_mesh import SimplexMesh, triangulate
from motionloom.spaces.space import MotionSpace

GRIDS = {
    "turns, captured": (5,),
    "kicks, captured": (4, 4),
    "gaits, built in": (3, 3),
    "gaits, captured": (4, 4),
}
"""Sets of clips, and points of the grids over their spaces."""

N_STEPS = 200
"""Steps in which a request is played."""

N_POINTS = 4
"""Points of each grid that are compared with their clips."""


def run_godot(folder: str, *arguments: str) -> None:
    """Run Godot in a project without a window; fail with what it prints."""
    command = [*shlex.split(os.environ.get("MOTIONLOOM_GODOT", "godot")), "--headless", "--path", folder]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


def locate(table: dict[str, Any]) -> SimplexMesh:
    """Return the points of a blend space and what is between them, with a weight for each point."""
    points = np.array([clip["position"] for clip in table["clips"]])
    if points.shape[1] == 1:
        return triangulate(points, np.eye(len(points)))
    return SimplexMesh(points, np.eye(len(points)), np.array(table["triangles"]).reshape(-1, 3))


def choose_jobs(table: dict[str, Any], n_requests: int) -> list[dict[str, Any]]:
    """Return what to play: where, in how many steps of how many seconds."""
    mesh = locate(table)
    durations = np.array([clip["duration"] for clip in table["clips"]])
    jobs = []
    for point in (*mesh.points[:N_POINTS], *mesh.draw_points(n_requests, 1)):
        duration = float(mesh.interpolate(point) @ durations)
        jobs.append({"at": [*point, 0.0][:2], "steps": N_STEPS + 1, "delta": duration / N_STEPS})
    return jobs


def read_played(played: dict[str, Any], model: Clip, frame_time: float) -> Clip:
    """Return what a skeleton did in Godot as a clip on the skeleton of a model."""
    frames = np.array(played["frames"])[:, [played["names"].index(name) for name in model.skeleton.names]]
    turns = frames[..., :4] / np.linalg.norm(frames[..., :4], axis=-1, keepdims=True)
    return Clip(model.skeleton, frame_time, frames[:, 0, 4:], turns, frames[..., 4:])


def in_root(pose: Pose) -> FloatArray:
    """Return the positions of joints seen from the root, where the start of a path does not count."""
    positions = pose.world_positions()
    back = rot.inverse(pose.rotations[:, 0])[:, None]
    return np.asarray(rot.rotate(back, positions - positions[:, :1]))


def report(space: MotionSpace, folder: Path, table: dict[str, Any], jobs: Any, played: Any) -> None:
    """Print how near points are to their clips, and the errors of requests in percent of the range."""
    glb, ranges = folder / f"{table['name']}.glb", np.ptp(space.examples, axis=0)
    model = ml.load(glb, animation=0, cyclic=False)
    distances, errors = [], []
    for n, (job, one) in enumerate(zip(jobs, played, strict=True)):
        clip = read_played(one, model, job["delta"])
        if n < N_POINTS:
            own = ml.load(glb, animation=table["clips"][n]["name"], cyclic=False)
            frames = np.linspace(0.0, own.n_frames - 1.0, len(clip))[:-1]
            distances.append(np.abs(in_root(own.at(frames)) - in_root(clip.at(np.arange(len(frames))))).max())
        if table["loop"]:
            clip = replace(clip[:-1], cyclic=True)
        measured = np.concatenate([each.measure(clip) for each in space.parameters.values()])
        errors.append(100.0 * np.abs((measured - job["at"][: len(measured)]) / ranges).max())
    points, between = np.array(errors[:N_POINTS]), np.percentile(errors[N_POINTS:], [50, 95, 100])
    print(
        f"{table['name']}: {len(table['clips'])} points; joints within {1000 * max(distances):.3f} mm of the "
        f"clips; errors at points up to {points.max():.2f} %, between them median {between[0]:.2f} %, 95 % "
        f"within {between[1]:.2f} %, largest {between[2]:.2f} %"
    )


def main() -> None:
    """Export, import, play and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=50)
    parser.add_argument("--project", type=Path, default=Path(tempfile.gettempdir()) / "motionloom-godot")
    parser.add_argument("--inside", default="")
    arguments = parser.parse_args()
    need_corpus()
    warnings.simplefilter("ignore")
    project, inside = arguments.project, arguments.inside or str(arguments.project)
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    (project / "project.godot").write_text(
        'config_version=5\n\n[application]\n\nconfig/name="blend spaces"\n'
    )
    shutil.copy(Path(__file__).with_name("play.gd"), project / "play.gd")
    spaces, tables, jobs = {}, {}, {}
    for chosen in SETS:
        if chosen.name in GRIDS:
            name = chosen.name.replace(", ", "_").replace(" ", "_")
            spaces[name] = MotionSpace(chosen.clips(), chosen.parameters)
            ml.engines.save_blend_space(spaces[name], project / name, engine="godot", grid=GRIDS[chosen.name])
            tables[name] = json.loads((project / name / f"{name}.json").read_text())
            jobs[name] = choose_jobs(tables[name], arguments.requests)
    (project / "requests.json").write_text(json.dumps(jobs))
    run_godot(inside, "--import")
    run_godot(inside, "--script", f"{inside}/play.gd")
    played = json.loads((project / "played.json").read_text())
    for name, space in spaces.items():
        report(space, project / name, tables[name], jobs[name], played[name])


if __name__ == "__main__":
    main()
