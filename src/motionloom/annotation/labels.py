"""The kinds of constraints and the labels of events that annotation makes."""

from __future__ import annotations

from typing import Final

HEEL: Final = "heel"
"""Kind of the constraint that holds the heel, a point of the ankle joint."""

TOE: Final = "toe"
"""Kind of the constraint that holds the ball of the foot, a point of the toe joint."""

PLANT_KINDS: Final = (HEEL, TOE)

HAND: Final = "hand"
"""Kind of the constraint that holds a hand on what it rests on, a point of the wrist joint."""

KNEE: Final = "knee"
"""Kind of the constraint that holds a knee on the ground."""

ELBOW: Final = "elbow"
"""Kind of the constraint that holds an elbow on the ground."""

SEAT: Final = "seat"
"""Kind of the constraint that holds the pelvis on the ground, a chair or a stool."""

POINT: Final = "point"
"""Kind of the constraint that holds a point of a clip without a skeleton."""

REST_KINDS: Final = (HAND, KNEE, ELBOW, SEAT)

STRIKE: Final = "strike"
"""A foot touches down; the event's joint is the ankle."""

LIFT: Final = "lift"
"""A foot leaves the floor; the event's joint is the ankle."""

MID_SWING: Final = "mid swing"
"""A swinging foot passes the other one; the event's joint is the ankle."""

FLEXION: Final = "flexion"
"""A joint (knee, hip, elbow, shoulder) reaches a local maximum of bend or of forward swing."""

EXTENSION: Final = "extension"
"""A joint (knee, hip, elbow, shoulder) reaches a local minimum of bend or of forward swing."""

APEX: Final = "apex"
"""A hand or foot turns round where it is farthest from its usual position: a punch fully out, a kick at its
top. The event's joint is the wrist or the ankle."""

EVENT_LABELS: Final = (STRIKE, LIFT, MID_SWING, FLEXION, EXTENSION, APEX)
