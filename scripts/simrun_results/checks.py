"""What the numbers of a result must be for anybody to rely on them: each check a pass over an array that is read anyway.

What simrun writes always passes. What does not is a file that was damaged or edited, and the error names the place. Whether
the numbers of a frame are finite is asked only of results that are opened with finite=True, as everything does that draws or
exports them; then they are also bounded, far above what any of them can be.
"""
import dataclasses

import numpy as np

from .errors import ResultError

DAMAGED = "the file is damaged or was edited: take another copy, or run the scene again"
FRAME_DAMAGED = "the file is damaged or was edited: choose other frames, or run the scene again"
WHOLE, REAL = "iu", "f"  # kinds of NumPy types
KIND_NAMES = {WHOLE: "whole numbers", REAL: "real numbers"}
OF_SPRINGS = ("tension",)  # fields of frames, a number a spring
OF_TETS = {"von_mises": (), "stress": (6,), "strain": (6,)}  # fields of frames, and the shape of what a tetrahedron has; others are of vertices
MOST = {"rest_positions": 1e15, "positions": 1e15, "velocities": 1e15, "von_mises": 1e30, "stress": 1e30, "strain": 1e30,
        "contact_forces": 1e30, "tension": 1e30}  # SI
MOST_SECONDS = 1e15
OCTAVES = 32  # of layers
COUNTS = ("substeps", "iterations", "relinearizations", "detection_rounds", "resets", "evaluations", "products", "passes", "factorisations", "by_its_rule", "by_exact", "first_order", "candidates", "contacts", "active",
          "sticking", "sliding", "limited", "inverted", "extrapolated")
UNKNOWN = -1  # count of a step of a version that had no such column, where --resume went on with its file; reals are NaN
LATER = ("products", "passes", "factorisations", "by_its_rule", "by_exact", "first_order", "limited", "inverted", "extrapolated")  # columns that there may be such versions without
VECTORS = ("momentum", "angular_momentum", "impulse_external", "impulse_prescribed", "impulse_left_over", "impulse_scheme", "angular_impulse_external",
           "angular_impulse_prescribed")


@dataclasses.dataclass
class Place:
    """A dataset, for errors that name it. `row`: how a row is called, the first of the values having the number `first`."""

    path: str
    name: str
    row: str = "row {}"
    first: int = 0
    remedy: str = DAMAGED

    def refuse(self, value, expected, where=""):
        raise ResultError(f"{self.path}: /{self.name}{where}: {value}, expected {expected}; {self.remedy}")

    def layout(self, shape, dtype, expected, kind):
        """The shape of a row, and what kind of numbers."""
        if tuple(shape[1:]) != tuple(expected) or not shape:
            self.refuse(f"rows of {words(shape[1:])}" if shape else "a single value", f"rows of {words(expected)}")
        if dtype.kind not in kind:
            self.refuse(f"type {dtype}", KIND_NAMES[kind])

    def all_of(self, values, good, expected):
        """`good` tells of every number, or of every row, whether it may be so; the first that may not is named."""
        if np.all(good):
            return
        row = int(np.argwhere(~good)[0][0])
        wrong = values[row][~good[row]][0] if good.ndim > 1 else values[row]
        self.refuse(wrong, expected, ", " + self.row.format(self.first + row))

    def between(self, values, low, high):
        """Whole numbers, both ends included."""
        self.all_of(values, (values >= low) & (values <= high), f"a number from {low} to {high}" if high >= low else "no rows")

    def at_least(self, values, low):
        self.all_of(values, values >= low, f"at least {low}")

    def bounded(self, values, most, also_nan=False):
        """Finite, and not above `most` in size."""
        with np.errstate(invalid="ignore"):
            good = np.abs(values) <= most
        if also_nan:
            good |= np.isnan(values)
        self.all_of(values, good, "a finite number" + (" or NaN" if also_nan else "") + f", at most {most:g}")

    def ascending(self, values, step=None):
        """Each above the one before it; `step`: by just so much."""
        more = np.diff(values)
        self._after(values, more == step if step else more > 0, f"{step} more than" if step else "more than")

    def _after(self, values, good, what):
        if not np.all(good):
            row = int(np.flatnonzero(~good)[0])
            self.refuse(values[row + 1], f"{what} {values[row]}, which is in the row before", ", " + self.row.format(self.first + row + 1))

    def begins(self, values):
        """First rows of groups that follow each other."""
        self.at_least(values[:1], 0)
        self._after(values, np.diff(values) >= 0, "at least")


def words(shape):
    return " x ".join(map(str, shape)) + " numbers" if len(shape) else "one number"


def usable(name, values):
    """Whether these of a frame are finite, and not larger than any can be."""
    return bool((np.abs(values) <= MOST[name]).all())


def frame(path, name, values, number, step):
    """The numbers of a frame: finite, but for the stress and strain of what has none."""
    of_tets = name in OF_TETS
    place = Place(path, f"frames/{name}, frame {number} (step {step})", "tetrahedron {}" if of_tets else "vertex {}", 0, FRAME_DAMAGED)
    place.bounded(values, MOST[name], also_nan=of_tets)


def column(path, name, values, statuses):
    """A column of /steps. Reals but times may be NaN: a step that broke down leaves such."""
    place = Place(path, f"steps/{name}")
    if name in COUNTS:
        place.at_least(values, UNKNOWN if name in LATER else 0)
    elif name == "accepted":
        place.between(values, 0, 1)
    elif name == "status":
        place.all_of(values, np.isin(values, list(statuses)), "one of " + ", ".join(map(str, statuses)))
    elif name == "step":
        place.at_least(values[:1], 1)
        place.ascending(values, 1)
    elif name == "dt" or name.startswith("t_"):
        place.all_of(values, (values >= 0) & (values <= MOST_SECONDS), "seconds, at least 0")
    elif name == "time":
        place.bounded(values, MOST_SECONDS)
        place.ascending(values)


def event(path, name, values):
    """A column of /events."""
    place = Place(path, f"events/{name}")
    if name == "step":
        place.at_least(values[:1], 1)
        place.ascending(values, 1)
    else:
        place.all_of(values, values >= 0, "at least 0")


def event_layout(name):
    return (OCTAVES,) if name == "layer_histogram" else (), REAL if name == "smallest_h" or name.startswith("t_") else WHOLE


def column_layout(name):
    """Shape of a row, and kind, of a column of /steps; None of one that is not known here."""
    if name in VECTORS:
        return (3,), REAL
    return (), WHOLE if name in COUNTS or name in ("step", "status", "accepted") else REAL
