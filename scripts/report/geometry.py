"""The frames of a run for the player of the page: surfaces only, rounded to a grid, thinned to a size.

Vertices are those of surface triangles, objects that are not fixed first, in the order of /model/objects. Each object has a
grid of its own, which its path over all shown frames fills with 65535 steps along the longest side of its box:
    position = origin + grid * whole number,   off by at most grid / 2 a coordinate (and rounding).
Rows of whole numbers are stored as the difference from the row before, modulo 256^width, lowest bytes of all numbers first,
then the next; zlib; base64. web/decode.js is the other side. Rows are: the three corners of all triangles; the vertices of
fixed objects; the moving vertices of each frame; their speeds, 255 steps from 0 to the greatest of the run; and forces (forces.py).
"""
import base64
import collections
import zlib

import numpy as np

from shapes import object_colors, outlook
from shapes.obstacles import near_part
from simrun_results.checks import usable

from .errors import ReportError
from .forces import Forces

STEPS = 65535
SPEED_STEPS = 255
READ_AHEAD = 8  # frames that are read, over those that would fit if nothing could be compressed

Surface = collections.namedtuple("Surface", "object first vertices triangles")  # vertices: rows of the file's
Grid = collections.namedtuple("Grid", "origin size")
Player = collections.namedtuple("Player", "about parts off off_fixed dropped no_forces")  # off: m, at most, of a coordinate


def surfaces_of(result):
    """Objects that have triangles, those that may move first; vertices numbered anew from 0."""
    found, first = [], 0
    for object in sorted(result.objects, key=lambda object: object.type == "fixed"):
        triangles = result.triangles[object.triangles]
        if not len(triangles):
            continue
        vertices, corners = np.unique(triangles, return_inverse=True)
        found.append(Surface(object, first, vertices, first + corners.reshape(-1, 3)))
        first += len(vertices)
    return found


def finite_frames(result, surfaces, numbers):
    """Those that hold numbers, and the box of each surface over them."""
    kept, low, high = [], None, None
    for number in numbers:
        positions = near_part(result, result.frames[number].positions)
        if not all(usable("positions", positions[surface.vertices]) for surface in surfaces):
            continue
        kept.append(number)
        lows = np.array([positions[surface.vertices].min(axis=0) for surface in surfaces])
        highs = np.array([positions[surface.vertices].max(axis=0) for surface in surfaces])
        low = lows if low is None else np.minimum(low, lows)
        high = highs if high is None else np.maximum(high, highs)
    return kept, low, high


def quantised(result, surfaces, grids, number):
    positions = near_part(result, result.frames[number].positions)
    return [np.rint((positions[surface.vertices] - grid.origin) / (grid.size or 1)).astype(np.uint16).ravel()
            for surface, grid in zip(surfaces, grids)]


def speeds_of(result, vertices, numbers):
    """m/s, a row a frame; None where the file has no velocities, or some that are not finite."""
    if not result.has_velocities or not len(vertices):
        return None
    rows = []
    for number in numbers:
        velocities = result.frames[number].velocities[vertices]
        if not usable("velocities", velocities):
            return None
        rows.append(np.linalg.norm(velocities, axis=1))
    return rows


def packed(rows, dtype):
    """See above; base64 text."""
    press, parts, before = zlib.compressobj(9), [], None
    for row in rows:
        row = np.asarray(row, dtype)
        difference = row if before is None else row - before
        before = row
        planes = np.ascontiguousarray(difference, np.dtype(dtype).newbyteorder("<")).view(np.uint8).reshape(-1, np.dtype(dtype).itemsize).T
        parts.append(press.compress(planes.tobytes()))
    return base64.b64encode(b"".join(parts) + press.flush()).decode()


def joined(arrays, dtype=np.uint16):
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


class Packer:
    """All frames that may be shown, in whole numbers; pack() makes the parts for some of them."""

    def __init__(self, result, most, budget):
        self.result, self.surfaces = result, surfaces_of(result)
        self.moving = [surface for surface in self.surfaces if surface.object.type != "fixed"]
        vertices = joined([surface.vertices for surface in self.moving], int)
        fits = READ_AHEAD * max(budget, 0) // (8 * max(len(vertices), 1)) + 1
        numbers = outlook.evenly(range(len(result.frames)), min(most, fits))
        self.numbers, low, high = finite_frames(result, self.surfaces, numbers)
        self.dropped = sorted(set(numbers) - set(self.numbers))
        if not self.numbers or not self.surfaces:
            return
        self.grids = [Grid(a, (b - a).max() / STEPS) for a, b in zip(low, high)]
        frames = [result.frames[number] for number in self.numbers]
        wanted = outlook.subjects(result, frames)
        seen = [i for i, surface in enumerate(self.surfaces) if surface.object.index in wanted] or slice(None)
        low, high = low[seen].min(axis=0), high[seen].max(axis=0)
        self.up = outlook.upwards(result)
        self.toward = outlook.usual_direction(self.up)
        self.hiding = outlook.hiding(result, frames, toward=self.toward)
        self.centre, self.half = (low + high) / 2, (high - low) / 2
        self.rows = {number: quantised(result, self.surfaces, self.grids, number) for number in self.numbers}
        speeds = speeds_of(result, vertices, self.numbers)
        self.speed_grid = max((float(row.max()) for row in speeds), default=0.0) / SPEED_STEPS if speeds else None
        self.speeds = {number: np.rint(row / (self.speed_grid or 1)).astype(np.uint8)
                       for number, row in zip(self.numbers, speeds or [])}
        self.forces = Forces(result, self.numbers)
        self.corners = packed(joined([surface.triangles for surface in self.surfaces]).T, np.uint32)
        self.still = packed([joined(self.rows[self.numbers[0]][len(self.moving):])], np.uint16)

    def pack(self, numbers):
        parts = {"triangles": self.corners, "still": self.still,
                 "moving": packed([joined(self.rows[number][:len(self.moving)]) for number in numbers], np.uint16)}
        if self.speeds:
            parts["speeds"] = packed([self.speeds[number] for number in numbers], np.uint8)
        if not self.forces.trouble:
            parts["forces"] = packed(self.forces.rows(numbers), np.uint16)
        return parts

    def about(self, numbers):
        frames = self.result.frames
        count = sum(len(surface.vertices) for surface in self.surfaces)
        objects, triangle, colors = [], 0, np.round(255 * object_colors(self.result)).astype(int)
        for surface, grid in zip(self.surfaces, self.grids):
            end = triangle + len(surface.triangles)
            objects.append({"row": surface.object.index, "name": surface.object.name, "type": surface.object.type,
                            "color": "#{:02x}{:02x}{:02x}".format(*colors[surface.object.index]), "hides": surface.object.index in self.hiding,
                            "thickness": surface.object.thickness, "first": surface.first, "count": len(surface.vertices), "triangles": [triangle, end],
                            "origin": grid.origin.tolist(), "grid": float(grid.size)})
            triangle = end
        return {"up": self.up.tolist(), "from": self.toward.tolist(), "field": outlook.FIELD, "centre": self.centre.tolist(), "half": self.half.tolist(), "in_file": len(frames),
                "number": [int(n) for n in numbers], "step": [int(frames.step[n]) for n in numbers],
                "time": [float(frames.time[n]) for n in numbers], "objects": objects, "speed_grid": self.speed_grid,
                "forces": self.forces.about(numbers),
                "counts": {"vertices": count, "moving": sum(len(surface.vertices) for surface in self.moving),
                           "triangles": triangle}}


def packed_to(result, most, budget):
    """At most `most` frames in at most `budget` characters of base64; None where there is nothing to show."""
    packer = Packer(result, most, budget)
    if not packer.numbers or not packer.surfaces:
        return None
    numbers = packer.numbers
    while True:
        parts = packer.pack(numbers)
        size = sum(len(part) for part in parts.values())
        if size <= budget:
            break
        if len(numbers) == 1:
            raise ReportError(f"{result.path}: a single frame takes {size / 1e6:.1f} MB and {max(budget, 0) / 1e6:.1f} MB are "
                              "left; allow more with --max-size, or write the page without the player: --no-player")
        numbers = outlook.evenly(numbers, max(1, min(len(numbers) - 1, int(0.95 * len(numbers) * budget / size))))
    halves = [grid.size / 2 for grid in packer.grids]
    border = len(packer.moving)
    return Player(packer.about(numbers), parts, max(halves[:border], default=None), max(halves[border:], default=None), packer.dropped,
                  packer.forces.trouble)
