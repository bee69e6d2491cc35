"""/model of a result: vertices, tetrahedra, surface triangles, and the objects that they belong to.

simrun writes one object after the other, so that whatever points out of its object is damage.
"""
import collections
import functools

import numpy as np

from . import checks
from .errors import ArgumentError, MissingError

Object = collections.namedtuple("Object", "index name type material vertices tets triangles matter thickness segments",
                                defaults=("solid", 0.0, slice(0, 0)))
TYPES = ("deformable", "rigid", "scripted", "fixed")
MATTERS = ("solid", "sheet", "cable", "embedded")
Embedding = collections.namedtuple("Embedding", "vertex corners weights filled")
Springs = collections.namedtuple("Springs", "vertices rest_length stiffness")
PARTS = {"vertex": "rest_positions", "tet": "tets", "triangle": "triangles"}
LAYOUT = {"rest_positions": ((3,), checks.REAL), "tets": ((4,), checks.WHOLE), "triangles": ((3,), checks.WHOLE),
          "triangle_object": ((), checks.WHOLE)}


class Model:
    def __init__(self, source):
        self._source = source

    def _place(self, name, row="row {}"):
        return checks.Place(self._source.path, f"model/{name}", row)

    def _read(self, name, layout):
        self._source.layout(f"model/{name}", *layout)
        return self._source.rows(f"model/{name}", 0, self.count(name))

    def count(self, name):
        """Rows of one of the arrays, which is not read for that."""
        return self._source.length(f"model/{name}")

    @functools.cached_property
    def rest_positions(self):
        values = self._read("rest_positions", LAYOUT["rest_positions"])
        self._place("rest_positions", "vertex {}").bounded(values, checks.MOST["rest_positions"])
        return values

    @functools.cached_property
    def tets(self):
        values = self._read("tets", LAYOUT["tets"])
        self._check_corners("tets", values, [found.tets for found in self.objects])
        return values

    @functools.cached_property
    def triangles(self):
        values = self._read("triangles", LAYOUT["triangles"])
        self._check_corners("triangles", values, [found.triangles for found in self.objects])
        return values

    @functools.cached_property
    def triangle_object(self):
        values = self._read("triangle_object", LAYOUT["triangle_object"])
        owner = owners([found.triangles for found in self.objects], self.count("triangles"))
        place = self._place("triangle_object")
        if len(values) != len(owner):
            place.refuse(f"{len(values)} rows", f"as many as /model/triangles, {len(owner)}")
        place.all_of(values, values == owner, "the row of the object in whose range of triangles it is")
        return values

    def _check_corners(self, name, values, ranges):
        """Different vertices, all of the object that the cell belongs to."""
        owner = owners(ranges, len(values))
        first = np.array([found.vertices.start for found in self.objects], int)[owner][:, None]
        end = np.array([found.vertices.stop for found in self.objects], int)[owner][:, None]
        place = self._place(name)
        place.all_of(values, (values >= first) & (values < end), "a vertex of its object")
        ordered = np.sort(values, axis=1)
        different = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        if name == "triangles":  # those of obstacles may be segments and points, those of cables are segments
            different |= np.array([found.type in ("fixed", "scripted") or found.matter == "cable" for found in self.objects], bool)[owner]
        place.all_of(values, different, "corners that are all different")

    @functools.cached_property
    def objects(self):
        columns = [self._source.texts(f"model/objects/{name}") for name in ("name", "type", "material")]
        for number, kind in enumerate(columns[1]):
            if kind not in TYPES:
                self._place("objects/type").refuse(f"\"{kind}\"", f"one of {', '.join(TYPES)}", f", row {number}")
        ranges = [self._ranges(part) for part in PARTS]
        for name, column in zip(("type", "material", *(f"{part}_begin" for part in PARTS)), (*columns[1:], *ranges)):
            if len(column) != len(columns[0]):
                self._place(f"objects/{name}").refuse(f"{len(column)} rows", f"as many as of names, {len(columns[0])}")
        thin = self._matters(len(columns[0]))
        return [Object(index, *row) for index, row in enumerate(zip(*columns, *ranges, *thin))]

    def _matters(self, count):
        """matter, thickness (m) and segments of objects; files of the first versions have none."""
        if not self._source.has("model/objects/matter"):
            return ["solid"] * count, [0.0] * count, [slice(0, 0)] * count
        matter = self._source.texts("model/objects/matter")
        for number, kind in enumerate(matter):
            if kind not in MATTERS:
                self._place("objects/matter").refuse(f"\"{kind}\"", f"one of {', '.join(MATTERS)}", f", row {number}")
        thickness = self._read("objects/thickness", ((), checks.REAL))
        self._place("objects/thickness").at_least(thickness, 0)
        segments = self._ranges("segment")
        for name, column in (("matter", matter), ("thickness", thickness), ("segment_begin", segments)):
            if len(column) != count:
                self._place(f"objects/{name}").refuse(f"{len(column)} rows", f"as many as of names, {count}")
        return matter, [float(value) for value in thickness], segments

    @functools.cached_property
    def segments(self):
        if not self._source.has("model/segments"):
            return np.zeros((0, 2), int)
        values = self._read("segments", ((2,), checks.WHOLE))
        self._check_corners("segments", values, [found.segments for found in self.objects])
        return values

    @functools.cached_property
    def mass(self):
        self._source.need("model/mass", "an older version of simrun wrote this file")
        return self._read("mass", ((), checks.REAL))

    @functools.cached_property
    def springs(self):
        if not self._source.has("model/springs"):
            return Springs(np.zeros((0, 2), int), np.zeros(0), np.zeros(0))
        vertices = self._read("springs/vertices", ((2,), checks.WHOLE))
        self._place("springs/vertices").between(vertices, 0, self.count("rest_positions") - 1)
        return Springs(vertices, *(self._read(f"springs/{name}", ((), checks.REAL)) for name in ("rest_length", "stiffness")))

    @functools.cached_property
    def embedding(self):
        """vertex [P], corners [P, 4] and weights [P, 4] of embedded vertices, and the filled part of each tetrahedron."""
        if not self._source.has("model/embedding"):
            return Embedding(np.zeros(0, int), np.zeros((0, 4), int), np.zeros((0, 4)), np.zeros(0))
        vertex = self._read("embedding/vertex", ((), checks.WHOLE))
        corners = self._read("embedding/corners", ((4,), checks.WHOLE))
        weights, filled = self._read("embedding/weights", ((4,), checks.REAL)), self._read("embedding/filled", ((), checks.REAL))
        for name, values in (("vertex", vertex), ("corners", corners)):
            self._place(f"embedding/{name}").between(values, 0, self.count("rest_positions") - 1)
        for name, values, count in (("corners", corners, len(vertex)), ("weights", weights, len(vertex)), ("filled", filled, self.count("tets"))):
            if len(values) != count:
                self._place(f"embedding/{name}").refuse(f"{len(values)} rows", f"{count}")
        return Embedding(vertex, corners, weights, filled)

    @functools.cached_property
    def half_spaces(self):
        if not self._source.has("model/objects/half_space"):
            return []
        self._source.layout("model/objects/half_space", (), checks.WHOLE)
        flags = self._source.rows("model/objects/half_space", 0, self.count("objects/half_space"))
        if len(flags) != len(self.objects):
            self._place("objects/half_space").refuse(f"{len(flags)} rows", f"as many as of names, {len(self.objects)}")
        return [found for found, flag in zip(self.objects, flags) if flag and found.vertices.stop - found.vertices.start == 3]

    def object(self, name):
        for found in self.objects:
            if found.name == name:
                return found
        known = [found.name for found in self.objects]
        told = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
        raise MissingError(f"{self._source.path}: there is no object \"{name}\"; there are {told}")

    def object_of(self, what):
        """An object of this result, by itself, its name or its row."""
        if isinstance(what, str):
            return self.object(what)
        row = what.index if isinstance(what, Object) else what
        if isinstance(row, (int, np.integer)) and not isinstance(row, bool) and 0 <= row < len(self.objects):
            if not isinstance(what, Object) or what == self.objects[row]:
                return self.objects[row]
        told = f"\"{what.name}\" in row {what.index}, it is of another result" if isinstance(what, Object) else " ".join(repr(what).split())[:60]
        raise ArgumentError(f"{self._source.path}: there is no object {told}; expected one of this result, its name, or its row, 0 to "
                            f"{len(self.objects) - 1}")

    def _ranges(self, part):
        """Slices that follow each other from 0 to the end of their array."""
        begin, end = (self._read(f"objects/{part}_{side}", ((), checks.WHOLE)) for side in ("begin", "end"))
        if len(begin) != len(end):
            self._place(f"objects/{part}_end").refuse(f"{len(end)} rows", f"as many as of {part}_begin, {len(begin)}")
        count = self.count(PARTS.get(part, "segments"))
        for row, (first, stop) in enumerate(zip([*begin, count], [0, *end])):
            if first != stop:
                self._place("objects").refuse(f"{part}_begin is {first}" if row < len(begin) else f"/model/{PARTS.get(part, 'segments')} has {first} rows",
                                              f"{stop}, where the object before ends", f", row {row}")
        self._place(f"objects/{part}_end").all_of(end, end >= begin, f"at least {part}_begin")
        return [slice(int(b), int(e)) for b, e in zip(begin, end)]


def owners(ranges, count):
    """Which of these ranges, that follow each other, each row is in."""
    return np.repeat(np.arange(len(ranges)), [part.stop - part.start for part in ranges]) if ranges else np.zeros(count, int)
