from .markers import save_sync_events
from .save_blend_space import save_blend_space
from .sync_events import CommonSyncEvent, PhaseTrack, SyncEvent, common_sync_events, phase_track, sync_events

__all__ = [
    "CommonSyncEvent",
    "PhaseTrack",
    "SyncEvent",
    "common_sync_events",
    "phase_track",
    "save_blend_space",
    "save_sync_events",
    "sync_events",
]
