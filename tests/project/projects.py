"""Small projects to evaluate and to write scripts of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from motionloom.project.document import ClipEdit, Document, EventMark, Item, Marks, PlantMark
from motionloom.project.edits import AddItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import (
    BlendRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    JointKey,
    LoopRecipe,
    MotionRecipe,
    Recipe,
    RegistrationRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
    WeightKey,
)
from tests.registration.nine_clips import nine_files

BLEND = BlendRecipe(sources=("c1", "c2"), weights=(0.3, 0.7))
"""Mostly the second of two gaits."""


def with_item(
    document: Document, name: str, recipe: Recipe, edit: ClipEdit | None = None, marks: Marks | None = None
) -> Document:
    """The document with one more item; its id is ``document.items[-1].id``."""
    added = AddItem(name=name, recipe=recipe).apply(document)
    item = replace(added.items[-1], edit=edit or ClipEdit(), marks=marks)
    return replace(added, items=(*added.items[:-1], item))


def two_gaits() -> Document:
    """A walk (c1) and a jog (c2), built in."""
    document = Document()
    for name, seconds in (("walk", 3.0), ("jog", 2.5)):
        options: dict[str, float | str] = {"duration": seconds, "fps": 30.0}
        document = with_item(document, name, MotionRecipe(motion=name, options=options))
    return document


def with_recipe(recipe: Recipe, edit: ClipEdit | None = None, marks: Marks | None = None) -> Document:
    """A walk (c1), a jog (c2) and what a recipe makes of them (c3)."""
    return with_item(two_gaits(), "made", recipe, edit, marks)


def everything() -> Document:
    """A document with every kind of recipe and of edit, whose last item is made of all others.

    Names are such as trip up shells, file systems and Python.
    """
    document = two_gaits()
    crouch = MotionRecipe(motion="walk", options=CROUCHED)
    edit = ClipEdit(repair=True, smooth=12.0, trim=(2, 70), speed=1.1, mirror=True)
    document = with_item(document, "it's a 'crouch' / $HOME", crouch, edit)
    document = with_item(document, "import", KEYED_LOOPS, ClipEdit(reverse=True))
    document = with_item(document, "3 halves", replace(BLEND, weights=(1.3, -0.3)))
    over = TransitionRecipe(first="c2", second="c1", loop=True, plant=True, half_width=0.3)
    document = with_item(document, "over", over)
    document = with_item(document, "held", EnforceRecipe(source="c4", ground=0.01, stretch=0.0))
    document = with_item(document, "Größe", WARPED, marks=MARKS)
    along = FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 0.0), (1.0, 0.7)), cycles=3.0)
    document = with_item(document, "along", along)
    sources = tuple(item.id for item in document.items[2:])
    weights = (1.0,) * len(sources)
    whole = BlendRecipe(sources=sources, weights=weights, allow_unfit=True, plant=False)
    return with_item(document, "all", whole)


def looped() -> Document:
    """A trimmed walk with an event of its own (c1), and one stride of it, near a frame and mirrored (c2)."""
    walk = MotionRecipe(motion="walk", options={"duration": 5.0, "fps": 30.0})
    marks = Marks(events=(EventMark(frame=60.0, label="clap"),))
    document = with_item(Document(), "walk", walk, ClipEdit(trim=(10, 140)), marks)
    return with_item(document, "stride", LoopRecipe(source="c1", near=60), ClipEdit(mirror=True))


CROUCHED: dict[str, float | str] = {"duration": 2.5, "fps": 30.0, "gait": "crouch=0.05", "phase": 0.3}

KEYED_LOOPS = BlendRecipe(
    sources=("c1", "c2"),
    weights=(1.0, 1.0),
    keys=(WeightKey(time=0.0, weights=(1.0, 0.0)), WeightKey(time=1.1, weights=(0.25, 0.75))),
    easing="linear",
    rate_law="duration",
    parts={"upper body": (1.0, 0.0)},
    registration=RegistrationRecipe(
        cut="loops", slope_limit=2, window=0.1, joint_weights={"LeftHand": 0.5}, alignment="windowed"
    ),
    duration=1.8,
)

UNUSUAL: dict[str, Recipe] = {
    "registration": replace(
        BLEND,
        plant=False,
        allow_unfit=True,
        registration=RegistrationRecipe(
            cut="strides",
            points=30,
            speed_weight=0.5,
            end="free",
            events=(),
            stiffness=2.0,
            min_rate=0.2,
            knot_spacing=0.2,
            smoothing=3,
            reference=1,
            form="thesis",
            fit="appendix",
        ),
    ),
    "paper": replace(
        BLEND, allow_unfit=True, registration=RegistrationRecipe(profile="paper", points="joints", window=0.1)
    ),
    "blend": replace(
        BLEND,
        place=(0.5, 1.0, -2.0),
        average="park",
        rate_law="duration",
        joint_weights={"Head": (1.0, 0.0)},
        start=5.0,
        duration=0.8,
        integrator="euler",
    ),
    "mixed": replace(BLEND, place=(0.5, 1.0, -2.0), backward=True, duration=0.8, average="karcher"),
    "repeated": replace(BLEND, repeat=True, duration=4.0),
    "linear": replace(BLEND, method="linear", linear_root="velocities", linear_rotations="log"),
    "overlap": TransitionRecipe(
        first="c1", second="c2", method="overlap", overlap=(0.6, 0.5), correspondences=((2.7, 0.2),), keep=0.5
    ),
    "between frames": TransitionRecipe(first="c1", second="c2", snap=False, half_width=0.31),
    "sequence": SequenceRecipe(sources=("c1", "c2", "c1"), loop=True, keep="all", alignment="windowed"),
    "row of overlaps": SequenceRecipe(sources=("c1", "c2"), method="overlap", overlap=(0.5, 0.5), plant=True),
    "stated frames": SequenceRecipe(
        sources=("c1", "c2"), at=((60.0, 30.0),), loop=True, method="dead", half_width=0.3
    ),
    "loop": LoopRecipe(source="c1", near=40, seam_limit=0.2, window=0.1, ease=0.3),
    "planted": EnforceRecipe(source="c1", stretch=0.01, blend_duration=0.4),
}
"""Recipes of a walk (c1) and a jog (c2) with options that few people need."""

WARPED = WarpRecipe(
    source="c1",
    keys=(
        JointKey(time=0.6, joint="LeftLeg", kind="rotate", value=(0.3, 0.0, 0.0)),
        JointKey(time=1.0, joint="RightHand", kind="reach", value=(0.3, 1.2, 1.4), ease=0.3),
        JointKey(time=1.5, joint="Head", kind="scale", value=(1.5,), ease=None),
    ),
    times=((0.6, 0.9),),
    amount=0.5,
)

MARKS = Marks(
    plants=(PlantMark(joint="LeftFoot", kind="heel", start=3.0, end=500.0, point=(0.0, -0.05, 0.0)),),
    events=(EventMark(frame=4.0, label="clap"),),
)


def captured_mix(folder: ProjectFolder, mocap: Path) -> Document:
    """Two captured walks (c1, mirrored, and c2) and a mix of them (c3); their files' names need quotes."""
    document = Document()
    for file in nine_files(mocap, "s16")[:2]:
        recipe = FileRecipe(path=folder.add(f"{file.stem}'s.bvh", file.read_bytes()))
        document = with_item(document, file.stem, recipe, ClipEdit(mirror=not document.items))
    return with_item(document, "mix", BLEND)


def only(recipe: Recipe) -> Document:
    """A document of one item (c1)."""
    return Document(items=(Item(id="c1", name="one", recipe=recipe),), next_number=2)
