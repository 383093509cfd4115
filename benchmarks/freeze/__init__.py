"""Freezes what Motionloom computes, so that a change of shape can show that it changed no result."""
