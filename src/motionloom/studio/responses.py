"""What the server answers to requests: headers of binary packs, and responses that are JSON alone.

They are a part of the wire format, as :mod:`motionloom.studio.messages` is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motionloom.motion.skinned_mesh import AlphaMode
from motionloom.project.document import ClipEdit
from motionloom.viewer.page_data import FigureHeader, Mark, PageData, PlantSpan

Fit = Literal["good", "doubtful", "unfit"]
"""How well registered clips correspond; "unfit" clips are blended only where the recipe allows it."""


@dataclass(frozen=True, kw_only=True)
class ShownVerdict:
    """How well clips correspond: the level in words, why, what to do about it, and the figure behind it.

    ``remedy`` is empty where there is nothing to do.
    """

    fit: Fit
    level: str
    reason: str
    remedy: str
    figure: str


@dataclass(frozen=True, kw_only=True)
class ClipHeader:
    """What comes with the arrays of a clip.

    Arrays, float32: ``positions`` (T, J, 3) and ``rotations`` (T, J, 4) of joints in the world, and where
    they apply ``before`` (T, J, 3), the positions before enforcement, ``points`` (T, P, 3), the distinct
    points that are ever planted (a plant names its ``column``), and ``ground_points`` (T, P, 3), the same in
    the ground that moves below a gait in place. Of blends ``u`` (T,), ``weights`` (T, K) and
    ``frames`` (T, K), the source frame of each clip; of loops ``frames`` (T, 1). ``edit`` is the edit that
    the motion was made with, ``whole_frames`` the number of frames before it. ``verdict`` says
    how well the clips of a blend correspond. With ``has_more_notes``, some notes were not looked for
    yet: a request of its own returns all. ``mannequin`` tells mannequins of different skeletons
    apart; None where the skeleton is no person's.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    n_frames: int
    edit: ClipEdit
    whole_frames: int
    fps: float
    cyclic: bool
    plants: tuple[PlantSpan, ...]
    events: tuple[Mark, ...]
    seams: tuple[float, ...]
    floor: float
    height: float
    verdict: ShownVerdict | None
    notes: tuple[str, ...]
    has_more_notes: bool
    mannequin: str | None


@dataclass(frozen=True, kw_only=True)
class MeshMaterial:
    """How a part of a mesh looks; a texture, if there is one, is a request of its own."""

    name: str
    colour: tuple[float, float, float, float]
    textured: bool
    double_sided: bool
    alpha_mode: AlphaMode
    alpha_cutoff: float


@dataclass(frozen=True, kw_only=True)
class MeshPart:
    """Triangles of one material: the first of their indices, and how many."""

    first: int
    count: int
    material: int


@dataclass(frozen=True, kw_only=True)
class MeshHeader:
    """What comes with the arrays of a skinned mesh; ``bones`` are the joints (B,) of its bones.

    Arrays, float32: ``positions`` and ``normals`` (V, 3), ``triangles`` (F, 3), ``vertex_bones`` and
    ``weights`` (V, 4), ``inverse_binds`` (B, 16) column by column, and ``texture_coordinates`` (V, 2) where
    there are textures.
    """

    bones: tuple[int, ...]
    parts: tuple[MeshPart, ...]
    materials: tuple[MeshMaterial, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CharacterHeader(FigureHeader):
    """What comes with a clip on a character: the same arrays as with a clip.

    ``drivers`` are the joints of the clip that drive those of the character, None where they rest. ``root``
    is the joint that carries the body, which joints above it may not follow.
    """

    character: str
    root: int
    drivers: tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True)
class MappedSkeleton:
    """A skeleton of a joint map, with its joints where a figure shows them."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    positions: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, kw_only=True)
class MappedPair:
    """Two joints that correspond; ``given`` where somebody said so."""

    source: str
    target: str
    part: str
    given: bool


@dataclass(frozen=True, kw_only=True)
class JointMapView:
    """Which joints of a clip drive which joints of a character."""

    source: MappedSkeleton
    target: MappedSkeleton
    pairs: tuple[MappedPair, ...]


@dataclass(frozen=True, kw_only=True)
class UploadedFile:
    """A file that was added: its path in the project, and what it holds."""

    path: str
    has_motion: bool
    has_character: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LiveHeader:
    """What comes with the pose of live control: ``positions`` (J, 3) and ``rotations`` (J, 4).

    ``speed`` (m/s) and ``turn`` (rad/s, to the left) are what the weights give; None where the clips do not
    travel.
    """

    serial: int
    time: float
    u: float
    weights: tuple[float, ...]
    finished: bool
    speed: float | None
    turn: float | None


@dataclass(frozen=True, kw_only=True)
class MeasurementRow:
    """One measurement of a clip, before and after enforcement."""

    group: str
    name: str
    unit: str
    before: float | None
    after: float | None


@dataclass(frozen=True, kw_only=True)
class FaultRow:
    """A fault of capture in a clip: its first frame, a sentence, and whether repair mends it."""

    frame: int
    text: str
    mendable: bool


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Measures of a clip, with its faults and curves over time to draw: name -> one value per frame.

    ``notes`` say how it was measured, in sentences.
    """

    faults: tuple[FaultRow, ...]
    rows: tuple[MeasurementRow, ...]
    unmeasured: tuple[str, ...]
    notes: tuple[str, ...]
    curves: dict[str, tuple[float, ...]]
    curves_before: dict[str, tuple[float, ...]]
    units: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class RegisteredClip:
    """An axis of a distance grid: what is registered of a clip, in frames of the clip as the project has it.

    Cell ``n`` of ``cells`` stands for frame ``first + n * step``. Frames from ``start`` to ``end`` are used;
    of a cycle, those of the grid may run on past ``end`` into the cycle after it. ``parents`` are those of
    the joints of its poses.
    """

    item: str
    first: float
    step: float
    cells: int
    start: float
    end: float
    cyclic: bool
    strikes: tuple[float, ...]
    parents: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class RegistrationHeader:
    """What comes with the distance grid of two clips of a blend, a over its rows and b over its columns.

    Arrays, float32: ``distances`` (A, B), metres; what puts the second clip on the first there, ``yaws``
    (A, B), radians, and ``shifts`` (A, B, 2), x and z, that follow the rotation; poses ``poses_a`` (A, J, 3)
    and ``poses_b`` (B, J, 3), and the bodies' headings ``facing_a`` (A,) and ``facing_b`` (B,). Then, in
    frames of both clips, ``path`` (N, 2), the time alignment, and ``timewarp`` (M, 2), the curve, with
    ``alignment`` (M, 2, 3), yaw, x and z along it. ``settings`` are those in effect, by option.
    """

    a: RegisteredClip
    b: RegisteredClip
    verdict: ShownVerdict
    lines: tuple[str, ...]
    settings: dict[str, float | str]
    joints: tuple[str, ...]


TransitionMethodName = Literal["registration", "linear", "inertialize", "dead"]


@dataclass(frozen=True, kw_only=True)
class MethodMeasures:
    """A transition made by one method: where, how long, and how good it is; or why it cannot be made.

    ``at`` are the frames that meet and ``spans`` the frames of both clips from the first seam to the last,
    in the clips as the project has them. ``speed`` compares before and after the seams, ``acceleration``,
    ``jerk`` and ``turning`` peaks about the seams with what is usual in the clips; 1 or less does not show.
    ``slide`` is the farthest that a planted point travels, metres. ``kept`` is the fraction of each clip that
    plays, and ``doubt`` why the transition may not look right.
    """

    method: TransitionMethodName
    error: str | None = None
    at: tuple[float, float] | None = None
    spans: tuple[tuple[float, float], tuple[float, float]] | None = None
    duration: float | None = None
    seams: tuple[float, ...] = ()
    speed: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    turning: float | None = None
    slide: float | None = None
    kept: tuple[float, ...] = ()
    doubt: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Transitions:
    """All methods for one transition; ``repeats`` are the frames of each clip that may repeat, or None."""

    methods: tuple[MethodMeasures, ...]
    repeats: tuple[tuple[float, float] | None, tuple[float, float] | None]


@dataclass(frozen=True, kw_only=True)
class KeyResult:
    """A key of a warp that names a place: its number in the recipe, and metres by which it is missed."""

    key: int
    distance: float
    reached: bool


@dataclass(frozen=True, kw_only=True)
class SavedKey:
    """A key of a saved warp: its moment in words, the seconds of the source where it was found, its joint."""

    moment: str
    times: tuple[float, ...]
    joint: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class WarpHeader:
    """What comes with the curves of one joint of a warp.

    Arrays, float32, a row for every frame of the clip as it is shown: ``source_times`` (T,), the seconds of
    the source that it shows; ``original`` and ``warped`` (T, 3), rotation vectors of the joint in its own
    frame before and after, radians; ``original_positions`` and ``warped_positions`` (T, 3) in the world,
    metres; ``world`` (T, 4), the joint's rotation in the world after; ``key_rotation`` (T, 3), by how much
    keys rotate the joint, and ``key_offset`` (T, 3), by how much they move the root.
    """

    joint: str
    source_duration: float
    source_fps: float
    duration: float
    results: tuple[KeyResult, ...]
    notes: tuple[str, ...]
    saved: tuple[SavedKey, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StageBox:
    """A box on the floor: centre and size in metres (across the path, up, along it), and yaw in radians."""

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float


@dataclass(frozen=True, kw_only=True)
class StageTarget:
    """A position in metres that a joint is to reach at a time in seconds, and whether it does."""

    joint: str
    time: float
    position: tuple[float, ...]
    reached: bool


@dataclass(frozen=True, kw_only=True)
class StageObjects:
    """What a warp is made for: stairs, blocks and hurdles as boxes, and the targets of its keys."""

    boxes: tuple[StageBox, ...]
    targets: tuple[StageTarget, ...]


@dataclass(frozen=True, kw_only=True)
class WarpPreset:
    """A warp preset: its name, and what it does in a sentence."""

    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class WarpPresetsHeader:
    """What comes with pictures of the warp presets: the array ``poses`` (N, P, J, 3), metres."""

    warps: tuple[WarpPreset, ...]
    parents: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SpaceState:
    """A state that all clips of a framespace have: its labels, what they mean, and when each clip has it.

    ``times`` are cycles from the beginning of the cycle, one per clip.
    """

    labels: tuple[str, ...]
    description: str
    times: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class FramespaceHeader:
    """What comes with a framespace.

    Arrays, float32: ``curve`` and, where the arms have one, ``upper`` (S, 1 + D), points x, v, w of the curve
    through the space; and where its clip could be made ``x`` (T,), where on the time axis every frame lies,
    and ``points`` and ``upper_points`` (T, D), the curves there.
    """

    shape: Literal["rectangle", "line", "box"]
    periods: tuple[float, ...]
    lower: tuple[SpaceState, ...]
    upper: tuple[SpaceState, ...]
    notes: tuple[str, ...]
    cycles: float


@dataclass(frozen=True, kw_only=True)
class SpaceCurve:
    """What comes with a curve that is being drawn: the array ``curve`` (S, 1 + D)."""

    polyline: bool


@dataclass(frozen=True, kw_only=True)
class MotionOption:
    """An option of a built-in motion: its name and its default.

    Where ``default`` is None the motion chooses it. A string is one of the ``choices`` where there are
    any, and else written like the ``example``.
    """

    name: str
    label: str
    is_string: bool
    default: float | str | None
    choices: tuple[str, ...] = ()
    example: str = ""


@dataclass(frozen=True, kw_only=True)
class BuiltInMotion:
    """A built-in motion, under the heading that it is listed below."""

    name: str
    heading: str
    options: tuple[MotionOption, ...]


@dataclass(frozen=True, kw_only=True)
class Motions:
    """All built-in motions."""

    motions: tuple[BuiltInMotion, ...]


@dataclass(frozen=True, kw_only=True)
class ExportOption:
    """A file type that clips can be exported as: its suffix, what it is called, and what it is good for.

    ``options`` are the settings that apply: "fps", "unit", "up".
    """

    name: str
    title: str
    description: str
    options: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ExportProgress:
    """How far an export is: ``done`` of ``total`` images of a movie, or 0 of 0."""

    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class FileFormats:
    """Suffixes of files that can be added to a project, and the file types for exports."""

    accepted: tuple[str, ...]
    exports: tuple[ExportOption, ...]


@dataclass(frozen=True, kw_only=True)
class ErrorResponse:
    """What went wrong with a request, as a sentence for the user."""

    error: str


RESPONSES = (
    ClipHeader,
    MeshHeader,
    CharacterHeader,
    JointMapView,
    UploadedFile,
    LiveHeader,
    Quality,
    ErrorResponse,
    RegistrationHeader,
    Transitions,
    WarpHeader,
    StageObjects,
    WarpPresetsHeader,
    FramespaceHeader,
    SpaceCurve,
    Motions,
    ExportProgress,
    FileFormats,
    PageData,
)
