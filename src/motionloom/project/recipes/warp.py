"""`WarpRecipe`: a clip reshaped by keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from motionloom.errors import ParameterError
from motionloom.project.plain_data import FORMERLY, MAX_ENTRIES, MAX_LENGTH
from motionloom.project.python_code import PythonStatements, write_call, write_list, write_string, write_value
from motionloom.project.recipes.recipe import MAX_KEYS, SOURCE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls, write_options

if TYPE_CHECKING:
    from motionloom.warping import Key, Warp

MAX_VALUE = 4
"""Numbers of a key."""

MAX_SAVED = 512 * 1024
"""Characters of a saved warp: thousands of keys."""


@dataclass(frozen=True, kw_only=True)
class JointKey:
    """A key of a warp: one of the kinds at a time of the source, with its ease in seconds; None holds."""

    time: float
    joint: str
    kind: Literal["rotate", "orient", "move", "reach", "scale"]
    value: tuple[float, ...] = field(metadata={MAX_ENTRIES: (MAX_VALUE,)})
    ease: float | None = 0.7

    def as_key(self) -> Key:
        """Return the key of :mod:`motionloom.warping`."""
        from motionloom.warping import Key

        if self.kind == "scale" and len(self.value) != 1:
            raise ParameterError(f"a scale key takes one factor, not {len(self.value)} numbers")
        value = self.value[0] if self.kind == "scale" else self.value
        given: dict[str, Any] = {self.kind: value}
        return Key(self.time, self.joint, ease=self.ease, **given)

    def as_python(self) -> str:
        """Write the call of ``ml.Key``."""
        value = self.value[0] if self.kind == "scale" else self.value
        ease = {} if self.ease == JointKey.ease else {"ease": self.ease}
        return write_call("ml.Key", repr(self.time), write_string(self.joint), **{self.kind: value}, **ease)


@dataclass(frozen=True, kw_only=True)
class WarpRecipe(RecipeVerbs):
    """A clip reshaped by keys, and retimed by pairs of source time and new time; or by a warp preset.

    ``saved`` is the text of a warp file, whose keys are found in the source and applied before the others.
    """

    KIND = "warp"
    IMPORTS = ("motionloom.warping.scale_warp", "motionloom.warping.warp_file.warp_from_text")

    type: Literal["warp"] = "warp"
    source: str = field(metadata={SOURCE: True})
    keys: tuple[JointKey, ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_KEYS,)})
    times: tuple[tuple[float, float], ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_KEYS, 2)})
    preset: str | None = field(default=None, metadata={FORMERLY: "ready"})
    amount: float = 1.0
    keep_plants: bool = False
    saved: str | None = field(default=None, metadata={MAX_LENGTH: MAX_SAVED})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Warp the clip by keys, or by a preset."""
        from motionloom.warping import apply_preset, warp
        from motionloom.warping.warp import check_amount, scale_warp

        (source,) = evaluation.clips(self.source)
        if self.preset is not None:
            if self.keys or self.times or self.saved is not None:
                raise ParameterError(
                    f"{self.preset} is a preset, which takes no keys", remedy="remove the keys or the preset"
                )
            result = apply_preset(source, self.preset, check_amount(self.amount))
        else:
            scaled = scale_warp(source, self.as_warp(), self.amount)
            result = warp(source, scaled, keep_plants=self.keep_plants)
        return RecipeResult(clip=result.clip, warp=result.report, notes=result.report.notes)

    def as_warp(self) -> Warp:
        """Return the keys as a warp.

        >>> key = JointKey(time=0.5, joint="Head", kind="rotate", value=(0.3, 0, 0))
        >>> WarpRecipe(source="c1", keys=(key,)).as_warp().n_moments
        1
        """
        from motionloom.warping import Warp
        from motionloom.warping.warp_file import warp_from_text

        own = Warp.of([key.as_key() for key in self.keys], list(self.times) or None)
        return own if self.saved is None else warp_from_text(self.saved) + own

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.warp`` or ``ml.warping.apply_preset``."""
        source = script.names[self.source]
        if self.preset is not None:
            amount = [] if self.amount == 1.0 else [repr(self.amount)]
            script.set_clip_of(
                write_call("ml.warping.apply_preset", source, write_string(self.preset), *amount)
            )
            return
        keys = write_list([key.as_python() for key in self.keys])
        times = [write_value(list(self.times))] if self.times else []
        expression = write_call("ml.warping.Warp.of", keys, *times)
        if self.saved is not None:
            saved = write_call("warp_from_text", write_string(self.saved))
            expression = f"{saved} + {expression}" if self.keys or self.times else saved
        if self.amount != 1.0:
            expression = write_call("scale_warp", source, expression, repr(self.amount))
        kept = {"keep_plants": True} if self.keep_plants else {}
        script.set_clip_of(write_call("ml.warp", source, expression, **kept))

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom warp``."""
        if self.preset is not None:
            words = [f"--preset={self.preset}"]
        else:
            words = [f"--keys={script.write_file('.warp.json', self._file_content())}"]
            words += write_options({"keep_plants": self.keep_plants})
        if self.amount != 1.0:
            words += write_options({"amount": self.amount})
        script.make("warp", *script.sources(self.source), *words)

    def _file_content(self) -> dict[str, object]:
        """Convert the warp to plain data; the keys of a single usual layer need no layer around them."""
        from motionloom.warping import Layer
        from motionloom.warping.keys import key_to_dict
        from motionloom.warping.warp_file import warp_to_dict

        warp = self.as_warp()
        data = warp_to_dict(warp)
        if warp.layers not in ((), (Layer(warp.keys),)):
            return data
        keys = [key_to_dict(key) for key in warp.keys]
        return {name: value for name, value in data.items() if name != "layers"} | (
            {"keys": keys} if keys else {}
        )
