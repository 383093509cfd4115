"""Blend spaces of motion spaces, played in game engines."""
