"""The papers' pictures, made from built-in motions: linear blending beside registration curves."""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

import motionloom as ml
from motionloom.blending.linear import LinearSettings
from motionloom.synthesis import jog, kick, locomotion_set, punch, sneak, turn_in_place, turn_walk, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)


def paths(name: str, clips: dict[str, ml.Clip], title: str) -> None:
    """Root paths from above, one line per clip."""
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for label, clip in clips.items():
        axes.plot(*clip.root_positions[:, [0, 2]].T, label=label, linewidth=2 if "curves" in label else 1)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x (m)", ylabel="z (m)", title=title)
    axes.legend(fontsize=8)
    figure.savefig(folder / f"{name}.png", dpi=110)
    plt.close(figure)
    print("picture:", folder / f"{name}.png")


def strip(name: str, clips: list[ml.Clip], n_poses: int = 8) -> None:
    ml.render(clips, folder / f"{name}.png", n_poses=n_poses, overwrite=True)
    print("picture:", folder / f"{name}.png")


# Thesis figure 5.2: a transition from a walk to a jog, and halfway between a quick and a slow punch.
walking, jogging = (ml.cyclify(ml.annotate(make(duration=4.0, fps=30).clip)) for make in (walk, jog))
faded = {
    "registration": ml.transition(walking, jogging, half_width=0.8, loop=True),
    "linear": ml.transition(walking, jogging, half_width=0.8, loop=True, method="linear"),
}
for method, made in faded.items():
    first, last = map(int, made.report.seams)
    strip(f"fig-5-2-walk-to-jog-{method}", [made.clip[first : last + 1]])
punches = ml.register([ml.annotate(punch(duration=seconds, fps=30).clip) for seconds in (0.9, 1.5)])
strip("fig-5-2-punch-registration", [ml.blend(punches, [0.5, 0.5]).clip])
strip("fig-5-2-punch-linear", [ml.blend(punches, [0.5, 0.5], method="linear").clip])

# Figure 5.4: opposite curves. Linear blending collapses; along the curve the blend goes straight.
left, right = (walk(curvature=turn, duration=8.0, fps=30).clip for turn in (0.35, -0.35))
curve = ml.register([left, right])
paths(
    "fig-5-4-opposite-curves",
    {
        "left": left,
        "right": right,
        "linear blend": ml.blend(curve, [0.5, 0.5], method="linear").clip,
        "registration curves": ml.blend(curve, [0.5, 0.5]).clip,
    },
    "Half-way between two walks",
)

# Figure 5.8: the distance grid of a walk and a sneak, with its path and the constraints in common time.
gaits = [ml.annotate(make(duration=6.0, fps=30).clip) for make in (walk, sneak)]
print(
    "picture:",
    ml.plot.registration(ml.register(ml.match_strides(gaits)), folder / "fig-5-8-grid.png", overwrite=True),
)

# Figure 5.15: transitions between gaits. Figure 5.16: similar but distinct kicks.
sneaking = ml.cyclify(ml.annotate(sneak(duration=6.0, fps=30).clip))
strip(
    "fig-5-15-jog-to-sneak", [ml.enforce(ml.transition(jogging, sneaking, loop=True).clip).clip], n_poses=12
)
kicks = ml.register([ml.annotate(kick(style=style, fps=30).clip) for style in ("front", "side", "high")])
apexes = [made.clip[20:28] for made in ml.variations(kicks, 6, seed=2)]
side_by_side = [clip.placed(ml.GroundTransform(x=1.3 * n)) for n, clip in enumerate(apexes)]
strip("fig-5-16-kicks", side_by_side, n_poses=1)

# Figure 5.17: turns by any angle between those of two clips, on the spot and while walking.
turns = ml.register([ml.annotate(turn_in_place(turn=angle, fps=30).clip) for angle in (1.0, 2.6)])
blends = [ml.blend(turns, [1 - share, share]).clip for share in np.linspace(0, 1, 5)]
ends = [clip[-1:].placed(ml.GroundTransform(x=1.2 * n)) for n, clip in enumerate(blends)]
strip("fig-5-17-turns", ends, n_poses=1)
turns = ml.register([ml.annotate(turn_walk(turn=angle, fps=30).clip) for angle in (0.0, 3.1)])
shares = {
    f"{share:.2f} of the turn": ml.blend(turns, [1 - share, share]).clip for share in np.linspace(0, 1, 5)
}
paths("fig-5-17-turns-in-a-walk", shares, "Between a straight walk and a turn back")

# Figure 5.18: nine clips under continuous control.
loops = [ml.cyclify(ml.annotate(motion.clip), cycles=1) for motion in locomotion_set(fps=30).values()]
nine = ml.register(loops)
controls = ml.Controls(nine, styles=np.repeat(["walk", "jog", "sneak"], 3).tolist())
wishes = [(0.0, "walk"), (0.5, "jog"), (-0.4, "jog"), (0.4, "walk"), (-0.3, "sneak")]
keys = {4.0 * n: controls.weights(turn=turn, style=style) for n, (turn, style) in enumerate(wishes)}
strip("fig-5-18-control", [ml.enforce(ml.blend(nine, ml.KeyedWeights(keys)).clip).clip], n_poses=14)

# Constraint times against weights: blended, and copied from the clip with the largest weight.
pair = ml.register(ml.match_strides([ml.annotate(make(duration=3.0, fps=60).clip) for make in (walk, jog)]))
heaviest = LinearSettings(constraints="heaviest")
figure, axes = plt.subplots(1, 2, figsize=(8, 3.5), sharey=True, layout="constrained")
for weight in np.linspace(0, 1, 41):
    ours = ml.blend(pair, [1 - weight, weight])
    copied = ml.blend(pair, [1 - weight, weight], method="linear", linear=heaviest)
    for shown, made in zip(axes, (ours, copied), strict=True):
        heels = [held for held in made.clip.constraints if held.kind == "heel"]
        for held in heels:
            shown.plot([weight, weight], [held.start / 60, held.end / 60], color="#2a78d6", linewidth=2)
axes[0].set(xlabel="weight of the jog", ylabel="heel plants (s)", title="blended")
axes[1].set(xlabel="weight of the jog", title="copied from the larger weight")
figure.savefig(folder / "constraint-times.png", dpi=110)
print("picture:", folder / "constraint-times.png")
