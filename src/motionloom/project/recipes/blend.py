"""`BlendRecipe`: a blend of two clips or more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from motionloom.errors import ParameterError
from motionloom.options import options_stated
from motionloom.options.blending import BLEND, LINEAR
from motionloom.options.command_line import write_words
from motionloom.project.plain_data import FORMERLY, MAX_ENTRIES, to_plain
from motionloom.project.python_code import Code, PythonStatements, write_call, write_string, write_value
from motionloom.project.recipes.option_fields import BlendFields
from motionloom.project.recipes.recipe import (
    MAX_KEYS,
    MAX_NAMES,
    MAX_SOURCES,
    SOURCE,
    Evaluation,
    RecipeResult,
    RecipeVerbs,
)
from motionloom.project.recipes.registration import DEFAULT_REGISTRATION, RegistrationRecipe
from motionloom.project.shell_code import OUTPUT, ShellCalls, write_options, write_row

if TYPE_CHECKING:
    from motionloom.blending.weights import WeightsLike
    from motionloom.project.recipes.registration import Registered


@dataclass(frozen=True, kw_only=True)
class WeightKey:
    """Weights of all clips at a time of the blend."""

    time: float
    weights: tuple[float, ...] = field(metadata={MAX_ENTRIES: (MAX_SOURCES,)})


@dataclass(frozen=True, kw_only=True)
class BlendRecipe(BlendFields, RecipeVerbs):
    """A blend of two clips or more: constant ``weights``, or ``keys`` of weights over time in their place.

    ``in_place`` takes the travel out of the result. ``repeat`` plays clips that end again, from where the
    body is, until ``duration`` is over.
    """

    KIND = "blend"
    IMPORTS = (
        "motionloom.blending.layers.part_weights",
        "motionloom.blending.linear.LinearSettings",
        "motionloom.blending.result.put_blend_in_place",
        "motionloom.workflows.check_fit",
        "motionloom.workflows.plant_blend",
    )
    VARIABLES = ("curve", "prepared", "layers")

    type: Literal["blend"] = "blend"
    sources: tuple[str, ...] = field(metadata={SOURCE: True, MAX_ENTRIES: (MAX_SOURCES,)})
    weights: tuple[float, ...] = field(metadata={MAX_ENTRIES: (MAX_SOURCES,)})
    keys: tuple[WeightKey, ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_KEYS,)})
    easing: Literal["smooth", "linear", "hold"] = "smooth"
    parts: dict[str, tuple[float, ...]] | None = field(
        default=None, metadata={MAX_ENTRIES: (MAX_NAMES, MAX_SOURCES)}
    )
    plant: bool = True
    in_place: bool = False
    allow_unfit: bool = field(default=False, metadata={FORMERLY: "even_if_unfit"})
    registration: RegistrationRecipe = DEFAULT_REGISTRATION

    def register(self, evaluation: Evaluation) -> Registered:
        """Return the registration of the sources, which does not depend on the weights."""
        return evaluation.get_or_make(
            "curve",
            self.sources,
            to_plain(self.registration),
            lambda clips: self.registration.register(clips, evaluation.progress),
            lambda registered: registered[0].clips,
        )

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Blend along the registration curve, and plant the feet where asked."""
        from motionloom.blending import blend
        from motionloom.blending.blend import collect_blend_warnings
        from motionloom.blending.layers import part_weights
        from motionloom.blending.linear import collect_linear_settings
        from motionloom.blending.result import put_blend_in_place
        from motionloom.geometry import GroundTransform
        from motionloom.workflows import MixReport, check_fit, plant_blend

        curve, prepared = self.register(evaluation)
        if not self.allow_unfit:
            check_fit(curve)
        options = collect_linear_settings(self.options())
        skeleton = curve.clips[curve.reference].skeleton
        options["joint_weights"] = part_weights(skeleton, self.parts or {}, self.joint_weights)
        if self.place is not None:
            options["place"] = GroundTransform(*self.place)
        with collect_blend_warnings() as said:
            blended = blend(curve, self.weights_over_time(), **options)
        result = plant_blend(blended, curve, prepared) if self.plant else blended
        if self.in_place:
            blended, result = put_blend_in_place(blended), put_blend_in_place(result)
        enforcement = result.report.enforcement if isinstance(result.report, MixReport) else None
        notes = (
            *prepared.notes,
            *curve.report.notes,
            *said,
            *result.report.notes,
            *(() if enforcement is None else enforcement.sentences),
        )
        before = None if enforcement is None else blended.clip
        return RecipeResult(clip=result.clip, before=before, blend=result, curve=curve, notes=notes)

    def options(self) -> dict[str, Any]:
        """Return the arguments of :func:`motionloom.blend` that differ from its defaults.

        >>> BlendRecipe(sources=("c1", "c2"), weights=(1, 0), duration=2.0).options()
        {'duration': 2.0}
        """
        # A panel keeps what belongs to linear blending when somebody takes another method.
        unfit = () if self.method == "linear" else LINEAR
        return options_stated(tuple(option for option in BLEND if option not in unfit), self)

    def weights_over_time(self) -> WeightsLike:
        """Return the weights: constant, or keyed where there are keys.

        >>> BlendRecipe(sources=("c1", "c2"), weights=(1, 0)).weights_over_time()
        (1, 0)
        """
        from motionloom.blending import KeyedWeights

        if not self.keys:
            return self.weights
        times = [key.time for key in self.keys]
        if min(times) < 0.0:
            raise ParameterError(
                f"a weight key is at {min(times):g} s: times count from the start of the blend"
            )
        if len(set(times)) < len(times):
            twice = next(time for time in times if times.count(time) > 1)
            raise ParameterError(f"two weight keys are at {twice:g} s", remedy="move or remove one of them")
        return KeyedWeights({key.time: key.weights for key in self.keys}, self.easing)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.mix``, or its steps where they have options."""
        clips, weights, stated = script.sources(self.sources), self._python_weights(), self._python_options()
        own_weights = self.parts or self.joint_weights or self.start is not None
        if self.plant and not own_weights and self.registration == DEFAULT_REGISTRATION:
            allow = {"allow_unfit": True} if self.allow_unfit else {}
            allow |= {"in_place": True} if self.in_place else {}
            script.set(f"{write_call('ml.mix', clips, weights, **allow, **stated)}.clip")
            return
        cut = {} if self.registration.cut == "auto" else {"cut": self.registration.cut}
        script.lines.append(f"prepared = {write_call('ml.prepare', clips, **cut)}")
        script.lines.append(f"curve = {write_call('prepared.register', **self.registration.options())}")
        if not self.allow_unfit:
            script.lines.append("check_fit(curve)")
        if self.parts or self.joint_weights:
            rows = [self.parts or {}, *([self.joint_weights] if self.joint_weights else [])]
            skeleton = "curve.clips[curve.reference].skeleton"
            layers = write_call("part_weights", skeleton, *map(write_value, rows))
            script.lines.append(f"layers = {layers}")
            stated["joint_weights"] = Code("layers")
        expression = write_call("ml.blend", "curve", weights, **stated)
        if self.plant:
            script.set(expression)
            expression = write_call("plant_blend", script.name, "curve", "prepared")
        if self.in_place:
            expression = write_call("put_blend_in_place", expression)
        script.set(f"{expression}.clip")

    def _python_options(self) -> dict[str, object]:
        stated = {name: value for name, value in self.options().items() if name != "joint_weights"}
        settings = {name.removeprefix("linear_"): stated.pop(name) for name in [*stated] if "linear_" in name}
        if settings:
            stated["linear"] = Code(write_call("LinearSettings", **settings))
        if self.place is not None:
            stated["place"] = Code(f"ml.GroundTransform{self.place!r}")
        return stated

    def _python_weights(self) -> str:
        if not self.keys:
            return write_value(self.weights)
        keys = {key.time: key.weights for key in self.keys}
        easing = [] if self.easing == "smooth" else [write_string(self.easing)]
        return write_call("ml.KeyedWeights", write_value(keys), *easing)

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom blend``, after ``motionloom register`` where that has options."""
        sources, words = script.sources(*self.sources), ["--plant" if self.plant else "--no-plant"]
        if self.registration != DEFAULT_REGISTRATION:
            curve = script.beside(".curve.npz")
            script.call("register", *sources, OUTPUT, curve, "--force", *self.registration.command_words())
            sources = [curve]
        if self.keys:
            keys = [{"time": key.time, "weights": list(key.weights)} for key in self.keys]
            words += [f"--keys={script.write_file('.keys.json', keys)}", f"--easing={self.easing}"]
        else:
            words.append(f"--weights={write_row(self.weights)}")
        words += [f"--part={part}={write_row(row)}" for part, row in (self.parts or {}).items()]
        flags = {"allow_unfit": self.allow_unfit, "in_place": self.in_place}
        words += write_words(BLEND, self.options()) + write_options(flags)
        script.make("blend", *sources, *words)
