"""Random walks over fairmotion's motion graph and over ours, of the same takes.

fairmotion 0.0.4 requires torch 1.4.0, which newer Pythons cannot install; its motion graph does not use it:
`pip install --no-deps fairmotion==0.0.4 networkx tqdm` is enough. It gets the takes as our graph holds them:
one body, one frame rate, feet planted. Its settings are those of its own command line. It follows no paths.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from benchmarks.graphs.measures import measure_seam, measure_seams, measure_skate, processor_time
from benchmarks.graphs.sets import load_takes, open_graph
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.graphs.graph import MotionGraph
from motionloom.motion import Clip
from motionloom.quality.feet import plant_measures

N_TAKES = 20
"""Takes of the graphs. fairmotion compares all pairs of windows in Python: half an hour for 107 takes."""

N_WALKS, SECONDS = 10, 30.0
"""Walks over each graph, and seconds of each. fairmotion copies a motion whenever it appends to it."""

WEIGHTS = {
    "w_joint_pos": 8.0,
    "w_joint_vel": 2.0,
    "w_root_pos": 0.5,
    "w_root_vel": 1.5,
    "w_ee_pos": 3.0,
    "w_ee_vel": 1.0,
    "w_trajectory": 1.0,
    "diff_threshold": 5.0,
}
"""What fairmotion's own command line (`fairmotion/tasks/motion_graph/main.py`) sets."""


@dataclass(frozen=True)
class Walked:
    """A walk: its motion with plants, and how smooth its transitions are."""

    clip: Clip
    seams: FloatArray


def measure_fairmotion(given: argparse.Namespace) -> None:
    """Print what walks over both graphs are like."""
    graph = open_graph(given, takes=load_takes(given.set).spread(given.count or N_TAKES))
    _print_walks("ours", [_walk_ours(graph, seed) for seed in range(N_WALKS)])
    if importlib.util.find_spec("fairmotion") is None:
        print(
            "fairmotion is not installed: pip install --no-deps fairmotion==0.0.4 networkx tqdm (its "
            "torch==1.4.0 cannot be installed, and its motion graph does not import it)"
        )
        return
    start = processor_time()
    peer = build_peer([node.clip for node in graph.nodes])
    print(f"fairmotion builds its graph in {processor_time() - start:.0f} s of processor time")
    dead = [node for node in peer.graph if peer.graph.out_degree(node) == 0]
    lasted = [_walk_until_dead_end(peer, seed) for seed in range(100)]
    print(
        f"{peer.graph.number_of_nodes()} nodes of 1.5 s, {peer.graph.number_of_edges()} edges; {len(dead)} "
        f"nodes are dead ends; {sum(seconds < 600.0 for seconds in lasted)} of 100 walks of ten minutes end "
        f"in one, after {np.median(lasted):.0f} s (median of all)"
    )
    peer.reduce(method="scc")
    print(f"its largest strongly connected part has {peer.graph.number_of_nodes()} nodes")
    _print_walks("fairmotion", [_walk_peer(peer, graph, seed) for seed in range(N_WALKS)])


def _print_walks(what: str, walks: Sequence[Walked]) -> None:
    seams = np.concatenate([walk.seams for walk in walks])
    slides = np.concatenate([plant_measures(walk.clip).travel for walk in walks])
    skate = np.mean([measure_skate(walk.clip) for walk in walks])
    ratio = np.mean([ml.measure(walk.clip).value("skate ratio") for walk in walks])
    print(
        f"{what}: {len(walks)} walks, {sum(walk.clip.duration for walk in walks):.0f} s, {len(seams)} "
        f"transitions; seams over their two takes: median {np.median(seams):.2f}, 95 % "
        f"{np.percentile(seams, 95):.2f}, largest {seams.max():.2f}; plants move "
        f"{1000 * np.median(slides):.2f} mm (median), 95 % {1000 * np.percentile(slides, 95):.1f} mm; "
        f"skate {100 * skate:.2f} cm/s, in {ratio:.1f} % of the frames a foot slides"
    )


def _walk_ours(graph: MotionGraph, seed: int) -> Walked:
    result = graph.walk(SECONDS, seed=seed)
    return Walked(result.clip, measure_seams(graph, result))


def build_peer(clips: Sequence[Clip]) -> Any:
    """Return fairmotion's graph of takes, which it reads from files."""
    from fairmotion.core.motion import Joint
    from fairmotion.core.velocity import MotionWithVelocity
    from fairmotion.data import bvh
    from fairmotion.tasks.motion_graph import motion_graph

    logging.disable(logging.INFO)
    # Its end effectors ask joints for `child_joint`, which is called `child_joints`: else no graph is built.
    Joint.child_joint = property(lambda joint: joint.child_joints)
    with tempfile.TemporaryDirectory() as folder:
        motions = []
        for n, clip in enumerate(clips):
            path = Path(folder, f"{n}.bvh")
            # Planting stretches legs by a little, which fairmotion cannot read.
            ml.save(replace(clip, translations=None), path, unit="m")
            motions.append(bvh.load(str(path)))
    for motion in motions:
        motion.set_skeleton(motions[0].skel)
    moving = [MotionWithVelocity.from_motion(motion) for motion in motions]
    peer = motion_graph.MotionGraph(moving, [""] * len(moving), motions[0].skel, fps=round(clips[0].fps))
    peer.construct(**WEIGHTS)
    return peer


def _walk_until_dead_end(peer: Any, seed: int) -> float:
    """Return the seconds that a random walk of ten minutes goes on."""
    return float(_draw_path(peer, seed, 600.0)[1])


def _draw_path(peer: Any, seed: int, seconds: float) -> tuple[list[int], float]:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 -- fairmotion draws from it
    peer.clear_visit_info()
    nodes, lasted = peer.create_random_path(seconds)
    return [int(node) for node in nodes], float(lasted)


def _walk_peer(peer: Any, graph: MotionGraph, seed: int) -> Walked:
    """Return a random walk, put together as fairmotion does it."""
    from fairmotion.core.velocity import MotionWithVelocity
    from fairmotion.data import bvh
    from fairmotion.ops import motion as motion_ops

    nodes, _ = _draw_path(peer, seed, SECONDS)
    own = [peer.graph.nodes[node] for node in nodes]
    motion, starts = MotionWithVelocity(skel=peer.skel), []
    for node in own:
        part = motion_ops.cut(
            peer.motions[node["motion_idx"]], node["frame_start"], node["frame_end"] + peer.frames_blend
        )
        starts.append(max(0, motion.num_frames() - peer.frames_blend))
        motion = motion_ops.append_and_blend(motion, part, blend_length=peer.blend_length)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "walk.bvh")
        bvh.save(motion, str(path))
        clip = annotate(ml.load(path, unit="m"))
    seams = [
        measure_seam(
            clip,
            start,
            start + peer.frames_blend,
            [graph.nodes[n].clip.arranged() for n in sorted({a["motion_idx"], b["motion_idx"]})],
        )
        for start, (a, b) in zip(starts[1:], pairwise(own), strict=True)
        # The next window of the same take is no transition.
        if (a["motion_idx"], a["frame_end"]) != (b["motion_idx"], b["frame_start"])
    ]
    return Walked(clip, np.array(seams))
