"""Images of motion: pose strips, animations, videos and plots, drawn without a screen."""

from motionloom.display import plot
from motionloom.display.gif import write_gif
from motionloom.display.mp4 import write_mp4
from motionloom.display.render import render
from motionloom.display.strip import render_strip

__all__ = ["plot", "render", "render_strip", "write_gif", "write_mp4"]
