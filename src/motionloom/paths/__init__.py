"""Paths over the ground: how they are drawn, how motion is bent to them, and how closely it follows."""
