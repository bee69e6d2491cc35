"""Reads the result files of simrun, lazily, also while a run writes them. NumPy and h5py only.

    import simrun_results as sr
    with sr.open("out.h5") as r:
        print(r.status, r.solver, len(r.frames), r.steps["iterations"].sum())
        height = r.frames[-1].positions[r.object("left").vertices, 2].max()

docs/post-processing.md is the reference, docs/result-format.md that of the file underneath.
"""
from . import pressure, tensors
from .contacts import Contacts, KINDS, STATES
from .errors import ArgumentError, FrameError, MissingError, ResultError
from .frames import Checkpoint, Checkpoints, Frame, Frames
from .model import Object
from .objects import ObjectSteps
from .result import FORMAT_VERSION, Result
from .tables import Events, MARKS, STATUS, Steps, Trace, TraceStep

__all__ = ["ArgumentError", "Checkpoint", "Checkpoints", "Contacts", "Events", "FORMAT_VERSION", "Frame", "FrameError", "Frames", "KINDS",
           "MARKS", "MissingError", "Object", "ObjectSteps", "Result", "ResultError", "STATES", "STATUS", "Steps", "Trace", "TraceStep",
           "open", "pressure", "tensors"]


def open(path, finite=False):
    """Opens a result file; raises ResultError where it is none. `finite`: also where numbers of a frame that is read are not
    finite, or larger than any can be, as programs want it that draw or export frames."""
    return Result(path, finite)
