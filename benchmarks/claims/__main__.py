"""The headline claims of the papers, each beside what is measured here.

Run with `python -m benchmarks.claims` where the captured clips are beside the checkout, or with
MOTIONLOOM_MOCAP set to their folder. Numbers on the left are those of the list of claims.
"""

from __future__ import annotations

from benchmarks.claims import blending, framespace, registration
from benchmarks.claims.corpus import MOCAP
from benchmarks.claims.table import print_head, print_row


def main() -> None:
    if not MOCAP.is_dir():
        raise SystemExit(
            "the captured clips are not beside the checkout: set MOTIONLOOM_MOCAP to their folder"
        )
    stages = (registration, blending, framespace)
    claims = sorted((claim for stage in stages for claim in stage.CLAIMS), key=lambda claim: claim.number)
    print_head()
    for claim in claims:
        found = claim.measure()
        print_row((str(claim.number), claim.source, claim.text, found.figure, found.verdict))


if __name__ == "__main__":
    main()
