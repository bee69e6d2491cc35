"""Frames of a result in formats that other programs read: a module for each."""
from . import obj, ply, vtkhdf, vtu, xdmf
from .pieces import pieces_of

FORMATS = {"vtu": vtu, "vtkhdf": vtkhdf, "obj": obj, "ply": ply, "xdmf": xdmf}
OF_VOLUMES = ("vtu", "vtkhdf")

__all__ = ["FORMATS", "OF_VOLUMES", "pieces_of"]
