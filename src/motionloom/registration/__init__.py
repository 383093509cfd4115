"""Registration curves: how clips correspond in time, in space and in their constraints.

Data flow: :mod:`distance` → :mod:`time_alignment` → :mod:`timewarp` → :mod:`alignment` →
:mod:`constraint_match`, put together by :func:`register`.
"""

from motionloom.registration.alignment import AlignmentCurve
from motionloom.registration.constraint_match import ConstraintMatch
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.distance import DistanceGrid, distance
from motionloom.registration.register import register
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.time_alignment import TimeAlignment
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.verdict import Cause, RegistrationReport, Verdict

__all__ = [
    "AlignmentCurve",
    "Cause",
    "ConstraintMatch",
    "DistanceGrid",
    "RegistrationCurve",
    "RegistrationReport",
    "RegistrationSettings",
    "TimeAlignment",
    "TimewarpCurve",
    "Verdict",
    "distance",
    "register",
]
