"""`python -m motionloom` is the `motionloom` command."""

from motionloom.cli import run_command

run_command()
