"""The whole method on the built-in motions: clips, a registration, blends, and a page that shows them."""

from motionloom.demonstration.pipeline import demonstrate, files_of_demo

__all__ = ["demonstrate", "files_of_demo"]
