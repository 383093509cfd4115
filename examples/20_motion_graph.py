"""Motion that goes on for ever: a graph of built-in walks and a jog, and a random walk through it."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import jog, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# 1. Takes that have poses in common, with names and labels.
takes = {
    "straight": walk(duration=4.0, fps=30).clip,
    "left": walk(duration=4.0, fps=30, curvature=0.4).clip,
    "right": walk(duration=4.0, fps=30, curvature=-0.4).clip,
    "jog": jog(duration=3.0, fps=30).clip,
}
labels = ["walk", "walk", "walk", "run"]

# 2. The graph: transitions are found, made, measured, and kept where they are as smooth as the takes.
graph = ml.MotionGraph(list(takes.values()), names=list(takes), tags=labels)
print(graph)
print(graph.report)

# 3. A random walk. The same seed gives the same walk.
result = graph.walk(20.0, seed=1)
print(f"{result.clip.duration:.1f} s with {len(result.report.seams) // 2} transitions")

# 4. Keep the graph with its takes, and look at the walk.
ml.save(graph, folder / "walks.npz", overwrite=True)
again = ml.load(folder / "walks.npz", ml.MotionGraph)
ml.view([again.walk(20.0, seed=2).clip, result.clip], folder / "walks.html", overwrite=True)
print("wrote", folder / "walks.npz", "and", folder / "walks.html")
