"""`motionloom completion`: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from motionloom.cli.options import command

SHELLS = ["bash", "zsh", "fish"]

INSTALLATION = """\b
bash: motionloom completion bash > ~/.local/share/bash-completion/completions/motionloom
zsh:  motionloom completion zsh > _motionloom, in a folder of $fpath
fish: motionloom completion fish > ~/.config/fish/completions/motionloom.fish
"""
"""The first character keeps click from joining the lines."""


@command(epilog=INSTALLATION)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    kind = get_completion_class(shell)
    assert kind is not None  # click knows every name in SHELLS
    root = context.find_root()
    click.echo(kind(root.command, {}, "motionloom", "_MOTIONLOOM_COMPLETE").source())
