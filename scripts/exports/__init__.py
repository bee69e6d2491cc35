"""Frames of a result in formats that other programs read: a module for each."""
from . import obj, ply, vtu
from .pieces import pieces_of

FORMATS = {"vtu": vtu, "obj": obj, "ply": ply}

__all__ = ["FORMATS", "pieces_of"]
