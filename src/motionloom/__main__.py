"""`python -m motionloom` is the `motionloom` command."""

from motionloom.cli.main import main

main()
