"""The command line: one file per command, each a thin layer over the library."""

import sys


def run_command() -> None:
    """Run the `motionloom` command; Ctrl-C ends it with a sentence while it is still being loaded, too."""
    try:
        from motionloom.cli.main import main
    except KeyboardInterrupt:
        sys.exit("motionloom: interrupted: nothing was done")
    main()
