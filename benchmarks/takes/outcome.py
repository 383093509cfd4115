"""What becomes of one pair of takes: accepted or refused, how it was cut, how smooth the blend is."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from benchmarks.takes.pairs import TakePair
from motionloom.blending import BlendResult, KeyedWeights, blend
from motionloom.blending.weights import WeightsLike
from motionloom.errors import MotionloomError
from motionloom.motion import Clip
from motionloom.quality.feet import plant_measures
from motionloom.quality.joint_speeds import joint_speeds
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.repair import repair
from motionloom.workflows import MixReport, Prepared, plant_blend, prepare, prepare_and_register

SLACK = 0.3
"""Metres per second that a joint may be faster than in the sources without being compared."""

KEY_EVERY = 1.0
"""Seconds between keys of weights."""

MIN_SPEED = 0.2
"""Metres per second below which a joint rests, and has no speed to compare with."""


@dataclass(frozen=True)
class Variant:
    """One way to mix a registered pair, and how fast the result is.

    ``ratio`` and ``joint`` are as in :class:`Outcome`; ``plant_ratio`` is the largest speed of a joint with
    feet planted over its largest without, seen from the body.
    """

    planted: bool
    keyed: bool
    ratio: float
    joint: str
    plant_ratio: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What became of a pair.

    Attributes
    ----------
    how
        "whole", "strides" or "parts" if accepted; "refused", or "error".
    verdict, reason
        Of the registration that was used; reason of an error.
    whole_verdict
        Of the whole clips, or their strides; empty where they could not be registered.
    ratio, joint
        The largest joint speed seen from the body, over the sources' largest plus 0.3 m/s, and whose it is.
    slide
        How far a planted point travels at most, centimetres.
    seconds
        Time that it took, without reading.
    variants
        Speeds of the same pair mixed with constant and keyed weights, planted and not, where asked for.
    """

    pair: TakePair
    how: str
    verdict: str = ""
    reason: str = ""
    whole_verdict: str = ""
    ratio: float = 0.0
    joint: str = ""
    slide: float = 0.0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    spans: tuple[tuple[float, float], ...] = field(default=())
    variants: tuple[Variant, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.how in ("whole", "strides", "parts")

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True)
class Options:
    """How pairs are mixed."""

    fps: float = 30.0
    planted: bool = True
    keyed: bool = False
    all_variants: bool = False


def weights_of(keyed: bool) -> WeightsLike:
    """Equal weights, or weights that go to and fro between the clips every second."""
    if not keyed:
        return [0.5, 0.5]
    return KeyedWeights({n * KEY_EVERY: ((1.0, 0.0), (0.0, 1.0))[n % 2] for n in range(60)})


def mix_pair(pair: TakePair, clips: Sequence[Clip], options: Options) -> tuple[Outcome, BlendResult | None]:
    """Mix two takes as `ml.mix` does, and measure the result."""
    start = time.perf_counter()
    prepared: Prepared | None = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            prepared, curve = prepare_and_register(clips)
            verdict = curve.report.verdict
            if verdict is Verdict.UNFIT:
                seconds = time.perf_counter() - start
                refusal = Outcome(
                    pair, "refused", verdict.name, curve.report.reason, verdict.name, seconds=seconds
                )
                return refusal, None
            free = blend(curve, weights_of(options.keyed))
            held = plant_blend(free, curve, prepared)
    except MotionloomError as error:
        return Outcome(pair, "error", reason=str(error), seconds=time.perf_counter() - start), None
    seconds = time.perf_counter() - start
    usual = source_speeds(curve)
    result = held if options.planted else free
    variants = measure_variants(free, held, options.keyed, usual)
    if options.all_variants:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = blend(curve, weights_of(not options.keyed))
            variants += measure_variants(other, plant_blend(other, curve, prepared), not options.keyed, usual)
    ratio, joint = speed_ratio(result.clip, usual)
    outcome = Outcome(
        pair,
        prepared.cut,
        verdict.name,
        curve.report.reason,
        judge_whole(clips) if prepared.cut == "parts" and options.fps <= 30.0 else verdict.name,
        ratio,
        joint,
        max_slide(held.clip),
        seconds,
        _sentences(held),
        tuple((cut.start_seconds, cut.end_seconds) for cut in prepared.part_cuts),
        variants,
    )
    return outcome, result


def measure_variants(
    free: BlendResult, held: BlendResult, keyed: bool, usual: dict[str, float]
) -> tuple[Variant, ...]:
    """Measure a blend as it is and with its feet planted."""
    own = joint_speeds(free.clip, cutoff=None)
    raised = joint_speeds(held.clip, cutoff=None) / np.maximum(own, MIN_SPEED)
    return (
        Variant(False, keyed, *speed_ratio(free.clip, usual)),
        Variant(True, keyed, *speed_ratio(held.clip, usual), float(raised.max())),
    )


def _sentences(result: BlendResult) -> tuple[str, ...]:
    """What the blend and its planting have to say: plants that were dropped, joints that were handed over."""
    planting = result.report.enforcement if isinstance(result.report, MixReport) else None
    return (*result.report.notes, *(() if planting is None else planting.sentences))


def judge_whole(clips: Sequence[Clip]) -> str:
    """The verdict on whole clips, or on their strides; empty where they cannot be registered."""
    try:
        prepared = prepare(clips)
        return "" if prepared.cut == "parts" else prepared.register().report.verdict.name
    except MotionloomError:
        return ""


def judge_parts(clips: Sequence[Clip]) -> str:
    """The verdict on the best part that takes have in common; empty where there is none."""
    try:
        return prepare_and_register(clips, cut="parts")[1].report.verdict.name
    except MotionloomError:
        return ""


def source_speeds(curve: RegistrationCurve) -> dict[str, float]:
    """The largest speed of each joint in the repaired sources, seen from the body, m/s."""
    usual: dict[str, float] = {}
    for source in curve.clips:
        speeds = joint_speeds(repair(source).clip, cutoff=None).tolist()
        for name, speed in zip(source.skeleton.names, speeds, strict=True):
            usual[name] = max(usual.get(name, 0.0), speed)
    return usual


def speed_ratio(clip: Clip, usual: dict[str, float]) -> tuple[float, str]:
    """The largest speed of a joint seen from the body, over that of the repaired sources plus 0.3 m/s."""
    names = clip.skeleton.names
    ratios = joint_speeds(clip, cutoff=None) / (np.array([usual.get(name, 0.0) for name in names]) + SLACK)
    worst = int(ratios.argmax())
    return float(ratios[worst]), names[worst]


def max_slide(clip: Clip) -> float:
    """How far a planted point of a clip travels at most, centimetres."""
    if not clip.constraints:
        return 0.0
    travel = plant_measures(clip).travel
    return 100.0 * float(travel.max()) if travel.size else 0.0
