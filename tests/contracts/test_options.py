"""Every option is declared once: signatures, commands, recipes, forms and tables are held to that."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from math import degrees
from pathlib import Path
from typing import Any, get_type_hints

import click
import pytest

import motionloom as ml
from motionloom.blending.linear import LinearSettings
from motionloom.cli.main import commands
from motionloom.cli.options import parse_options
from motionloom.options import Option, Table, choose
from motionloom.options.blending import BLEND, LINEAR
from motionloom.options.command_line import write_words
from motionloom.options.cycles import CYCLIFY
from motionloom.options.enforcement import ENFORCE
from motionloom.options.forms import FORMS, TABLES, RecipeForm
from motionloom.options.registration import REGISTRATION
from motionloom.options.transitions import CONCATENATE, TRANSITION
from motionloom.project import recipes
from motionloom.registration.settings import SETTINGS, RegistrationSettings
from motionloom.workflows import Boundary, Prepared, mix, prepare_and_register
from release.write_options import FIELDS, PAGE, documents, write_fields, write_page, write_tables

CLIENT = Path(__file__).parents[2] / "studio" / "client" / "src"

GIVEN_CLIPS: Mapping[str, Any] = {"start": Boundary, "end": Boundary, "pins": Sequence[Sequence[float]]}
"""Frames of clips before they are cut may lie between frames of the cut ones."""


@dataclass(frozen=True)
class Verb:
    """A function that takes the options of a table; ``types`` are those that differ."""

    function: Callable[..., Any]
    table: Table
    types: Mapping[str, Any]


MIXED = ("place", "rate_law", "average", "duration", "backward", "integrator", "method", "repeat")
"""Options of a blend that `mix` has under the same name."""

VERBS = {
    "register": Verb(ml.register, REGISTRATION, {}),
    "Prepared.register": Verb(Prepared.register, REGISTRATION, GIVEN_CLIPS),
    "prepare_and_register": Verb(prepare_and_register, REGISTRATION, GIVEN_CLIPS),
    "mix": Verb(mix, REGISTRATION, GIVEN_CLIPS),
    "blend": Verb(ml.blend, tuple(option for option in BLEND if option not in LINEAR), {}),
    "mixed": Verb(mix, choose(BLEND, *MIXED), {}),
    "transition": Verb(ml.transition, TRANSITION, {}),
    "enforce": Verb(ml.enforce, ENFORCE, {}),
    "cyclify": Verb(ml.cyclify, CYCLIFY, {}),
    "concatenate": Verb(ml.concatenate, CONCATENATE, {}),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_signatures_are_as_declared(verb: Verb) -> None:
    stated = inspect.signature(verb.function).parameters
    hints = get_type_hints(verb.function)
    named = [name for name in stated if name in {option.name for option in verb.table}]
    assert named == [option.name for option in verb.table]
    for option in verb.table:
        kind = verb.types.get(option.name, option.type)
        if isinstance(kind, str):
            kind = getattr(sys.modules[inspect.unwrap(verb.function).__module__], kind)
        assert hints[option.name] == (kind if option.default is not None else kind | None), option.name
        assert stated[option.name].default == option.default, option.name
        assert stated[option.name].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_docstrings_describe_every_option(verb: Verb) -> None:
    """In the list of parameters, or by a word about the function whose options they are."""
    text = inspect.getdoc(verb.function) or ""
    heads = {name for line in re.findall(r"^[\w, ]+$", text, re.MULTILINE) for name in re.split(r", ", line)}
    missing = {option.name for option in verb.table} - heads
    assert not missing or "all options are those of" in text, missing


def test_settings_are_as_declared() -> None:
    hints = get_type_hints(RegistrationSettings)
    declared = {option.name: option for option in SETTINGS}
    defaults = {field.name: field.default for field in fields(RegistrationSettings)}
    assert defaults.keys() == declared.keys()
    for name, option in declared.items():
        if option.unset_text and option.unset is None:
            assert defaults[name] is None or defaults[name] == option.unset_text
        else:
            assert defaults[name] == (option.unset if option.default is None else option.default)
        words = int | None if name == "points" else option.type
        assert hints[name] == (words | None if defaults[name] is None else words)


def test_settings_of_linear_blends_are_as_declared() -> None:
    declared = {option.name.removeprefix("linear_"): (option.type, option.default) for option in LINEAR}
    hints = get_type_hints(LinearSettings)
    assert declared == {field.name: (hints[field.name], field.default) for field in fields(LinearSettings)}


def commands_of(form: str) -> list[click.Command]:
    """The commands that take the options of a form."""
    names = {
        "Registration": ["register", "blend"],
        "Blend": ["blend"],
        "Transition": ["transition"],
        "Sequence": ["concatenate"],
        "Enforce": ["enforce"],
        "Loop": ["cyclify"],
    }
    return [getattr(import_module(f"motionloom.cli.{name}"), name) for name in names[form]]


EVERY = [(form, option) for form in FORMS for option in form.table]


@pytest.mark.parametrize(("form", "option"), EVERY, ids=[f"{form.name}-{o.name}" for form, o in EVERY])
def test_all_surfaces_offer_every_option(form: RecipeForm, option: Option) -> None:
    for command in commands_of(form.name):
        (typed,) = [each for each in command.params if each.name == (option.dest or option.name)]
        assert isinstance(typed, click.Option)
        switched_off = option.kind == "flag" and option.default
        sentence = option.note if switched_off else option.help
        assert sentence.removesuffix(".") in (typed.help or "")
        if option.kind == "choice":
            assert tuple(typed.type.choices) == option.words  # type: ignore[attr-defined]
    field = {each.name: each for each in fields(getattr(recipes, form.recipe))}[option.name]
    assert field.default == option.empty
    if option.section:
        panel = (CLIENT / "panels" / form.panel).glob("*.ts")
        source = "".join(path.read_text("utf-8") for path in panel)
        assert re.search(rf"change\(\{{ {option.name}\b", source), (
            f"no {option.section} of the panel changes it"
        )
    else:
        assert option.label


SAMPLES: Mapping[str, dict[str, Any]] = {
    "Registration": {
        "slope_limit": 2,
        "window": 0.1,
        "points": "joints",
        "joint_weights": {"LeftHand": 0.5, "RightHand": 2.0},
        "speed_weight": 0.0,
        "start": [1.0, 2.0],
        "end": "free",
        "pins": [[30.0, 42.0], [60.0, 80.0]],
        "events": ["strike", "apex"],
        "alignment": "windowed",
        "stiffness": 2.0,
        "min_rate": 0.25,
        "knot_spacing": 0.2,
        "smoothing": 3,
        "profile": "paper",
        "reference": 1,
        "form": "thesis",
        "fit": "nudge",
    },
    "Blend": {
        "place": (90.0, 1.0, 2.0),
        "rate_law": "duration",
        "average": "park",
        "joint_weights": {"Head": (1.0, 0.0)},
        "start": 12.0,
        "duration": 2.0,
        "backward": True,
        "integrator": "euler",
        "method": "linear",
        "linear_root": "velocities",
        "linear_rotations": "log",
        "linear_constraints": "halves",
        "repeat": True,
    },
    "Transition": {
        "at": (61.5, 40.0),
        "keep": "all",
        "half_width": 0.4,
        "method": "overlap",
        "alignment": "windowed",
        "snap": False,
        "loop": True,
        "plant": True,
        "overlap": (1.0, 0.6),
        "correspondences": [(3.4, 0.3)],
    },
    "Loop": {"cycles": 2, "seam_limit": 0.1, "window": 0.2, "ease": 0.3},
    "Enforce": {"ground": 0.5, "stretch": 0.0, "blend_duration": 0.5},
    "Sequence": {"at": [(61.0, 40.0), (90.0, 30.0)], "keep": 0.9, "loop": True},
}
"""A value of every option, as the command line reads it."""


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_commands_read_what_scripts_write(form: RecipeForm) -> None:
    given = SAMPLES[form.name]
    table = tuple(option for option in form.table if option.name in given)
    command, *_ = commands_of(form.name)
    parent = click.Context(commands, **commands.context_settings)
    files = [each.name for each in command.params if isinstance(each, click.Argument)]
    words = [*(["a.bvh", "b.bvh"][: max(len(files), 2 * (files == ["files"]))]), "-o", "c.npz"]
    typed = command.make_context("test", [*words, *write_words(table, given)], parent).params
    # Projects keep angles in radians.
    turned = {"place": (degrees(90.0), 1.0, 2.0)} if "place" in given else {}
    assert parse_options(table, typed) == given | turned


def test_generated_files_are_up_to_date() -> None:
    hint = "run `python -m release.write_options`"
    assert FIELDS.read_text("utf-8") == write_fields(), hint
    assert PAGE.read_text("utf-8") == write_page(), hint
    tables = [page.read_text("utf-8") for page in documents()]
    assert [write_tables(page) for page in tables] == tables, hint


def test_every_table_is_documented() -> None:
    text = "".join(page.read_text("utf-8") for page in documents())
    assert all(f"<!-- options: {name} -->" in text for name in TABLES)
