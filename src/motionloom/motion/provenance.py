"""Where a clip comes from: the file, which frames of which motion, and what was done to them.

:class:`Source` is the file with its conventions, and :class:`Provenance` counts frames. There the source of a
clip is the motion that its frames are counted in: a loaded file, a synthesized motion, or the result of a
blend. A clip that was loaded or made is its own source. Cutting, resampling, mirroring or placing a clip
keeps the source and tells where the clip lies in it. Stages whose frames are no even sequence of source
frames start anew: blends, transitions, several cycles in a row, time warps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.motion.deferred import DeferredNotes, Notes
from motionloom.validation import check_number, check_string

if TYPE_CHECKING:
    from motionloom.motion.mesh_soles import MeshSole
    from motionloom.motion.motion import Motion
    from motionloom.motion.skeleton import Skeleton

UpAxis = Literal["x", "y", "z"]
RootOffset = Literal["absolute", "relative"]

INVOLUTIONS = ("mirrored", "reversed")
"""Steps that undo themselves when repeated; any other step is listed once when it follows itself."""


@dataclass(frozen=True, eq=False)
class Character:
    """A file that holds more than a clip of a skeleton: a mesh that is skinned to it, or other animations.

    Attributes
    ----------
    path
        The file.
    skeleton
        The skeleton as it was read from it: motion of another one does not fit the skin.
    soles
        The soles of the mesh; empty where they are unknown.
    has_mesh
        Whether there is a mesh, or only animations.
    """

    path: str
    skeleton: Skeleton = field(repr=False)
    soles: tuple[MeshSole, ...] = field(default=(), repr=False)
    has_mesh: bool = True


@dataclass(frozen=True, eq=False)
class Source:
    """What `load` found and did; `save` uses it to write the same units, axes and channels again.

    Attributes
    ----------
    path, format
        The file and its format ("bvh", "amc", "npz", …); empty for motion made in memory.
    unit, metres_per_unit
        The file's length unit by name, and its size in metres.
    up
        The file's vertical axis.
    root_offset
        BVH: whether the root's position channels replace its OFFSET ("absolute") or add to it ("relative").
    channels
        For each joint the channel names in file order; None when the file had none.
    axes
        ASF: (J, 4) rotation of each bone's own axes, None elsewhere.
    character
        The file with the mesh of this skeleton, which `save` keeps where it can; None where there is none.
    notes
        What was detected, repaired or left out while reading, one sentence each. Faults of capture are looked
        for when the notes are read (:class:`~motionloom.motion.deferred.DeferredNotes`).
    animation
        The name of the animation that was read from a file of several; empty elsewhere.
    """

    path: str = ""
    format: str = ""
    unit: str = "m"
    metres_per_unit: float = 1.0
    up: UpAxis = "y"
    root_offset: RootOffset = "absolute"
    channels: tuple[tuple[str, ...], ...] | None = None
    axes: FloatArray | None = None
    character: Character | None = None
    notes: Notes = ()
    animation: str = ""

    def noting(self, *sentences: str, find: Callable[[], Iterable[str]] | None = None) -> Source:
        """Return the source with further notes, and those that ``find`` gives once somebody reads them."""
        notes = self.notes + sentences
        return replace(self, notes=notes if find is None else notes + DeferredNotes(find))


@dataclass(frozen=True)
class Provenance:
    """Where a clip comes from: its frame ``f`` shows frame ``start + rate * f`` of its source.

    Attributes
    ----------
    source
        Hash of the content of the source, without annotations; empty when the clip is its own source.
    start
        The frame of the source that frame 0 shows; fractions are allowed.
    rate
        Frames of the source from one frame to the next: 2 after resampling from 60 to 30 frames per second,
        negative for reversed clips.
    steps
        What was done to the source, in order: "cut", "resampled", "mirrored", …

    >>> Provenance(start=20, rate=2.0).frames([0, 1, 5]).tolist()
    [20.0, 22.0, 30.0]
    """

    source: str = ""
    start: float = 0.0
    rate: float = 1.0
    steps: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        check_string("the source of a provenance", self.source)
        put(self, "start", check_number("the start of a provenance", self.start))
        put(self, "rate", check_number("the rate of a provenance", self.rate))
        put(self, "steps", tuple(check_string("a step of a provenance", step) for step in self.steps))

    def frames(self, frames: npt.ArrayLike) -> FloatArray:
        """Return frames (...) of the clip as frames of the source."""
        return np.asarray(self.start + self.rate * np.asarray(frames, dtype=np.float64))

    def clip_frames(self, frames: npt.ArrayLike) -> FloatArray:
        """Return frames (...) of the source as frames of the clip, which may lie outside it."""
        return np.asarray((np.asarray(frames, dtype=np.float64) - self.start) / self.rate)

    def relative_to(self, other: Provenance) -> Provenance:
        """Return where this clip lies in another clip of the same source.

        >>> Provenance("a", start=50, rate=2.0).relative_to(Provenance("a", start=10)).start
        40.0
        """
        start = (self.start - other.start) / other.rate
        return Provenance(self.source, start, self.rate / other.rate, self.steps[len(other.steps) :])


OWN_SOURCE = Provenance()
"""The provenance of a clip that was loaded or made: it is its own source."""


def derive(motion: Motion, step: str, *, start: float = 0.0, rate: float = 1.0) -> Provenance:
    """Return the provenance of a clip whose frame ``f`` shows frame ``start + rate * f`` of this motion.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=30).clip
    >>> derive(clip[20:], "resampled", start=5.0).start
    25.0
    """
    before = motion.provenance
    steps = before.steps
    if not steps or steps[-1] != step or step in INVOLUTIONS:
        steps = (*steps, step)
    source = before.source or motion.content_hash(annotations=False)
    return Provenance(source, before.start + before.rate * start, before.rate * rate, steps)


def hash_content(facts: object, arrays: Iterable[npt.NDArray[Any]]) -> str:
    """Return a hash of plain data and of arrays, bit for bit.

    >>> len(hash_content(("toe", 0.1), [np.zeros(3)]))
    64
    """
    digest = sha256(repr(facts).encode("utf-8", "surrogatepass"))
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()
