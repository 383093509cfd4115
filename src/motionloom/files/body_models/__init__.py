"""Motion of the SMPL body models: files of the AMASS collection, and the joint tree of the models."""

from motionloom.files.body_models.amass import is_amass, read_amass, write_amass
from motionloom.files.body_models.smpl import smpl_skeleton

__all__ = ["is_amass", "read_amass", "smpl_skeleton", "write_amass"]
