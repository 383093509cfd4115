"""The headline claims of the papers, each beside what is measured here.

Run with `python -m benchmarks.claims` where the captured clips are beside the checkout, or with
MOTIONLOOM_MOCAP set to their folder. Numbers on the left are those of the list of claims.
"""

from __future__ import annotations

from benchmarks import warping
from benchmarks.claims import blending, framespace, registration
from benchmarks.claims.table import print_head, print_row
from benchmarks.corpus import need_corpus


def main() -> None:
    need_corpus()
    stages = (registration, blending, framespace, warping)
    claims = sorted((claim for stage in stages for claim in stage.CLAIMS), key=lambda claim: claim.number)
    print_head()
    for claim in claims:
        found = claim.measure()
        print_row((str(claim.number), claim.source, claim.text, found.figure, found.verdict))


if __name__ == "__main__":
    main()
