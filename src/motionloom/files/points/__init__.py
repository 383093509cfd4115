"""Files of points without a skeleton, as marker-based captures give them: C3D and TRC, tables and our own."""

from motionloom.files.points.pipeline import load_points, save_points

__all__ = ["load_points", "save_points"]
