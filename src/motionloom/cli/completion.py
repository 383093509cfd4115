"""`motionloom completion`: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ["bash", "zsh", "fish"]

WHERE_TO_PUT_IT = """\b
bash: motionloom completion bash > ~/.local/share/bash-completion/completions/motionloom
zsh:  motionloom completion zsh > _motionloom, in a folder that $fpath names
fish: motionloom completion fish > ~/.config/fish/completions/motionloom.fish
"""
"""The first character keeps click from joining the lines."""


@click.command(epilog=WHERE_TO_PUT_IT)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    kind = get_completion_class(shell)
    assert kind is not None  # every name in SHELLS is one that click knows
    root = context.find_root()
    click.echo(kind(root.command, {}, "motionloom", "_MOTIONLOOM_COMPLETE").source())
