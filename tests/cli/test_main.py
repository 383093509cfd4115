from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from motionloom import __version__, save
from motionloom.cli import main as module
from motionloom.cli import run_command
from motionloom.cli.main import commands, main
from motionloom.synthesis import walk
from tests.cli.conftest import Run

COMMANDS = list(module.COMMANDS)
PROGRAM = [sys.executable, "-m", "motionloom"]
HEAVY = {"scipy", "numba", "rich", "PIL", "matplotlib"}


def test_an_unknown_command_is_a_wrong_call(run: Run) -> None:
    ended = run("bogus")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "motionloom: no such command 'bogus' (see 'motionloom --help')\n"


def test_a_misspelt_command_is_guessed(run: Run) -> None:
    assert run("veiw").complaint == "no such command 'veiw': did you mean 'view'? (see 'motionloom --help')"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["edit", "a.bvh"], "missing option '-o' / '--output' (see 'motionloom edit --help')"),
        (["info"], "missing argument 'FILES...' (see 'motionloom info --help')"),
        (
            ["info", "a.bvh", "--up", "q"],
            "invalid value for '--up': 'q' is not one of 'x', 'y', 'z' (see 'motionloom info --help')",
        ),
        (
            ["studio", "--port", "80x"],
            "invalid value for '--port': '80x' is not a whole number (see 'motionloom studio --help')",
        ),
        (
            ["studio", "--port", "80"],
            "invalid value for '--port': 80 is not between 1024 and 65535 (see 'motionloom studio --help')",
        ),
    ],
)
def test_a_wrong_call_is_answered_with_one_line(run: Run, words: list[str], sentence: str) -> None:
    ended = run(*words)
    assert (ended.code, ended.err) == (2, f"motionloom: {sentence}\n")


def test_no_words_at_all_show_the_help_and_count_as_a_wrong_call(run: Run) -> None:
    ended = run()
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: motionloom")


def test_a_missing_file_is_work_that_failed(run: Run) -> None:
    ended = run("info", "nowhere.bvh")
    assert (ended.code, ended.err) == (1, "motionloom: nowhere.bvh: there is no such file\n")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "the result does not fit into memory: reduce frames or pixels"),
        (OSError(28, "No space left on device"), "no space left on device"),
        (PermissionError(13, "Permission denied", "a.bvh"), "a.bvh: permission denied"),
        (KeyboardInterrupt(), "interrupted: no file was left half written"),
    ],
)
def test_what_the_machine_refuses_is_a_sentence_too(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, sentence: str
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr("motionloom.cli.info.info", failing)
    ended = run("info")
    assert (ended.code, ended.complaint) == (1, sentence)


def test_data_that_ends_early_is_no_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def failing() -> None:
        raise EOFError("ran out of input")

    monkeypatch.setattr("motionloom.cli.info.info", failing)
    with pytest.raises(EOFError, match="ran out of input"):
        run("info")


def test_version(run: Run) -> None:
    assert run("--version").out == f"motionloom, version {__version__}\n"


def test_help_lists_every_command_with_a_whole_sentence() -> None:
    shown = CliRunner().invoke(commands, ["--help"], env={"COLUMNS": "80"})
    assert shown.exit_code == 0
    groups = shown.output.split("--help  Show this message and exit.\n\n")[1].split("\n\n")
    assert [group.split(":\n")[0].strip() for group in groups] == list(module.GROUPS)
    lines = [line.split() for group in groups for line in group.splitlines()[1:]]
    assert [line[0] for line in lines] == COMMANDS
    assert all(line[-1].endswith(".") and not line[-1].endswith("...") for line in lines)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_explains_itself(name: str, option: str) -> None:
    shown = CliRunner().invoke(commands, [name, option])
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: commands {name}")


def test_every_option_has_a_help_text() -> None:
    context = click.Context(commands)
    options = [
        (name, option)
        for name in COMMANDS
        for option in commands.get_command(context, name).params  # type: ignore[union-attr]
        if isinstance(option, click.Option)
    ]
    assert len(options) > 200
    assert [(name, option.name) for name, option in options if not option.help] == []
    words = [option.help for _, option in options if option.help]
    assert [text for text in words if not text.endswith((".", "…"))] == []


def test_reading_options_are_shown_when_asked_for() -> None:
    short = CliRunner().invoke(commands, ["info", "--help"]).output
    assert "--help-reading" in short
    assert "--root-offset" not in short
    long = CliRunner().invoke(commands, ["info", "--help-reading"])
    assert long.exit_code == 0
    assert "Reading options:" in long.output
    assert "--root-offset" in long.output
    assert "glTF, USD, FBX: animation to read" in " ".join(long.output.split())
    assert len(long.output.splitlines()) > len(short.splitlines()) + 8


def test_help_states_defaults_and_groups() -> None:
    shown = CliRunner().invoke(commands, ["blend", "--help"], env={"COLUMNS": "100"}).output
    assert "keeps gravity in flights that all clips have. [default: auto]" in " ".join(shown.split())
    options, registration = shown.split("Registration options:\n")
    assert "--weights" in options
    assert "--slope-limit" not in options
    assert "--slope-limit" in registration


def test_the_installed_command_is_main() -> None:
    shown = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"motionloom, version {__version__}\n"


def test_control_c_while_the_command_loads_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loading(ModuleType):
        @property
        def main(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "motionloom.cli.main", Loading("motionloom.cli.main"))
    with pytest.raises(SystemExit) as end:
        run_command()
    assert end.value.code == "motionloom: interrupted: nothing was done"  # printed, and the exit code is 1


def test_help_does_not_load_heavy_packages() -> None:
    shown = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "motionloom", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in shown.stderr.splitlines()}
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY | {"numpy"})


@pytest.mark.slow
def test_exit_codes_of_a_real_process(tmp_path: Path, walk_bvh: Path) -> None:
    def code(*words: str) -> int:
        return subprocess.run([*PROGRAM, *words], capture_output=True, cwd=tmp_path).returncode

    assert code("convert", str(walk_bvh), "-o", "walk.npz") == 0
    assert code("convert", str(walk_bvh), "-o", "walk.npz") == 1
    assert code("convert", str(walk_bvh), "-o", "walk.xyz") == 2


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(walk_bvh: Path) -> None:
    words = [*PROGRAM, "info", *[str(walk_bvh)] * 3]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Error" not in process.stderr.read()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encoding", "title"),
    [
        ("latin-1", rb"l" + b"\xe4" + rb"ufer \u6b69.bvh"),
        ("ascii", "läufer 歩.bvh".encode()),  # click takes such a terminal for a wrong setting
    ],
)
def test_a_terminal_without_the_letters(tmp_path: Path, walk_bvh: Path, encoding: str, title: bytes) -> None:
    path = tmp_path / "läufer 歩.bvh"
    path.write_bytes(walk_bvh.read_bytes())
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    shown = subprocess.run([*PROGRAM, "info", path.name], capture_output=True, cwd=tmp_path, env=environment)
    assert shown.returncode == 0
    assert shown.stdout.splitlines()[0] == title


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_control_c_ends_a_long_drawing_and_leaves_no_file(tmp_path: Path) -> None:
    save(walk(duration=120.0, fps=30).clip, tmp_path / "long.npz")
    drawn = tmp_path / "drawn"
    drawn.mkdir()
    words = [*PROGRAM, "render", str(tmp_path / "long.npz"), "-o", str(drawn / "long.gif"), "--fps", "50"]
    # A test run in the background may itself ignore interrupts, which its children would inherit.
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        while process.poll() is None and not list(drawn.iterdir()):  # until the drawing has begun
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert process.returncode == 1
    assert said.splitlines()[-1] == "motionloom: interrupted: no file was left half written"
    assert "Traceback" not in said
    assert list(drawn.iterdir()) == []


def test_main_takes_its_words_from_the_process_when_given_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["motionloom", "--version"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code in (None, 0)
    assert __version__ in capsys.readouterr().out
