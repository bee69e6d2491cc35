"""Frames and checkpoints of a result: sequences of which only what is asked for is read."""
import functools
import math
import operator

import numpy as np

from . import checks, tensors
from .contacts import Contacts
from .errors import ArgumentError, FrameError
from .model import Object
from .pressure import pressed

REMEDIES = {"velocities": "the scene says \"output\": { \"velocities\": false }",
            "von_mises": "run it with --set output.stress=true",
            "stress": "run it with --set output.stress_tensor=true",
            "strain": "run it with --set output.strain_tensor=true",
            "contact_forces": "run it with --set output.contact_forces=true",
            "tension": "run it with --set output.tension=true, where there are springs"}
REMEDY_CONTACTS = "run it with --set output.contacts=true"


class Rows:
    """A sequence of `count` rows; negative numbers count from the end, slices give lists."""

    what = "row"

    def __init__(self, source, count):
        self._source, self._count = source, count

    def __len__(self):
        return self._count

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self._make(row) for row in range(*number.indices(self._count))]
        try:
            number = operator.index(number)
        except TypeError:
            raise ArgumentError(f"{self._source.path}: there is no {self.what} {number!r}; expected a whole number or a slice") from None
        row = number + self._count if number < 0 else number
        if not 0 <= row < self._count:
            has = f"it has {self._count}, 0 to {self._count - 1}" if self._count else "it has none yet"
            raise FrameError(f"{self._source.path}: there is no {self.what} {number}; {has}")
        return self._make(row)

    def __iter__(self):
        return (self._make(row) for row in range(self._count))


class Frames(Rows):
    """The frames of a result; frame 0 is the initial state. `time` (s) and `step` are arrays over all of them."""

    what = "frame"

    def __init__(self, source, count, model, finite):
        super().__init__(source, count)
        self._model, self._finite, self._known = model, finite, set()

    def _make(self, row):
        return Frame(self, row)

    @functools.cached_property
    def time(self):
        return self._ascending("time", checks.REAL)

    @functools.cached_property
    def step(self):
        return self._ascending("step", checks.WHOLE)

    def _ascending(self, name, kind):
        self._source.layout(f"frames/{name}", (), kind)
        values = self._source.rows(f"frames/{name}", 0, self._count)
        place = checks.Place(self._source.path, f"frames/{name}", "frame {}")
        place.bounded(values, checks.MOST_SECONDS)
        place.at_least(values, 0)
        place.ascending(values)
        return values

    def _need(self, name):
        """Complains where the file does not have this of frames, or has it otherwise than the model."""
        if name in self._known:
            return
        if name in REMEDIES:
            self._source.need(f"frames/{name}", REMEDIES[name])
        expected = (self._count_of(name), *(() if name in checks.OF_SPRINGS else checks.OF_TETS.get(name, (3,))))
        self._source.layout(f"frames/{name}", expected, checks.REAL)
        self._known.add(name)

    def _count_of(self, name):
        """Of tetrahedra, of springs, or of vertices."""
        if name in checks.OF_SPRINGS:
            return len(self._model.springs.vertices)
        return self._model.count("tets" if name in checks.OF_TETS else "rest_positions")

    def read(self, name, vertices=slice(None)):
        """"positions", "velocities" or "contact_forces" of all frames in one array [n,N,3], "tension" [n,P], or "von_mises" [n,T], "stress" or
        "strain" [n,T,6]; of the rows `vertices` only, as NumPy understands them: Object.vertices (or Object.tets), an array of
        numbers or of True and False; or of an object."""
        if not isinstance(name, str) or name not in checks.MOST or name == "rest_positions":
            raise ArgumentError(f"{self._source.path}: {name!r} is nothing that frames.read() gives; expected one of "
                                f"{', '.join(key for key in checks.MOST if key != 'rest_positions')}")
        self._need(name)
        if isinstance(vertices, Object):
            found = self._model.object_of(vertices)
            vertices = found.tets if name in checks.OF_TETS else found.vertices
        chosen, again = self._choice(vertices, self._count_of(name))
        values = self._source.rows(f"frames/{name}", 0, self._count, chosen)
        if self._finite:
            for number, row in enumerate(values):
                checks.frame(self._source.path, name, row, number, int(self.step[number]))
        return values if again is None else values[:, again]

    def _choice(self, rows, count):
        """What HDF5 can read, ascending and each row once, and where each of `rows` is in it (None: as it is)."""
        if isinstance(rows, slice) and (rows.step is None or rows.step > 0):
            begin, end, step = rows.indices(count)
            return slice(begin, max(begin, end), step), None
        try:
            numbers = np.arange(count)[np.asarray(rows, int) if np.size(rows) == 0 else list(rows) if isinstance(rows, tuple) else rows]
        except (IndexError, TypeError, ValueError):
            raise ArgumentError(f"{self._source.path}: frames.read(): {' '.join(repr(rows).split())[:60]} names rows that are not there; "
                                f"expected a slice or whole numbers, 0 to {count - 1}") from None
        once, again = np.unique(numbers, return_inverse=True)
        return (once if len(once) else slice(0, 0)), again.reshape(numbers.shape)

    def nearest(self, time):
        """The frame whose time is closest to `time` (s)."""
        if not isinstance(time, (int, float, np.number)) or not math.isfinite(time):
            raise ArgumentError(f"{self._source.path}: there is no frame nearest to {time!r}; expected a time in s")
        return self[int(np.argmin(np.abs(self.time - time))) if self._count else 0]


class Frame:
    """One moment. Arrays [N,3] over all vertices, read on first use and kept as long as the frame is."""

    def __init__(self, frames, index):
        self._frames, self._source, self.index = frames, frames._source, index

    def __repr__(self):
        return f"<frame {self.index}, step {self.step}, {self.time:g} s>"

    @property
    def time(self):
        return float(self._frames.time[self.index])

    @property
    def step(self):
        return int(self._frames.step[self.index])

    def _row(self, name):
        self._frames._need(name)
        values = self._source.row(f"frames/{name}", self.index)
        if self._frames._finite:
            checks.frame(self._source.path, name, values, self.index, self.step)
        return values

    @functools.cached_property
    def positions(self):
        """m, world coordinates."""
        return self._row("positions")

    @functools.cached_property
    def velocities(self):
        """m/s."""
        return self._row("velocities")

    @property
    def displacements(self):
        """m, from the positions at rest, where /model placed the objects."""
        return self.positions - self._frames._model.rest_positions

    @functools.cached_property
    def von_mises(self):
        """Pa, [T]: of every tetrahedron; NaN for those of objects that are not deformable."""
        return self._row("von_mises")

    @functools.cached_property
    def stress(self):
        """Pa, [T,6]: xx, xy, xz, yy, yz, zz of the Cauchy stress of every tetrahedron; NaN as von_mises."""
        return self._row("stress")

    @functools.cached_property
    def strain(self):
        """[T,6], in the same order: the Green-Lagrange strain of every tetrahedron, in the axes at rest."""
        return self._row("strain")

    @functools.cached_property
    def principal_stress(self):
        """Pa, [T,3]: the largest first."""
        return tensors.principal(self.stress)

    @functools.cached_property
    def principal_strain(self):
        """[T,3]: the largest first."""
        return tensors.principal(self.strain)

    @functools.cached_property
    def contact_forces(self):
        """N, [N,3]: the sum over all contacts of each vertex."""
        return self._row("contact_forces")

    @functools.cached_property
    def tension(self):
        """N, [P]: of every spring, what pulls its ends together."""
        return self._row("tension")

    @functools.cached_property
    def mean_tension(self):
        """N, [N]: of every vertex the mean of the springs that end there, NaN where none does."""
        ends = self._frames._model.springs.vertices
        count = self._frames._model.count("rest_positions")
        total = sum(np.bincount(ends[:, side], self.tension, count) for side in (0, 1))
        springs = np.bincount(ends.ravel(), minlength=count)
        return np.divide(total, springs, out=np.full(count, np.nan), where=springs > 0)

    @functools.cached_property
    def limits(self):
        """(springs [L], N [L]): strain limits that push in this frame, of runs with output.contacts; positive where they pull the ends together."""
        self._source.need("contacts", REMEDY_CONTACTS)
        if not self._source.has("contacts/limits"):
            return np.zeros(0, int), np.zeros(0)
        begins = self._source.rows("contacts/limits/begin", self.index, self.index + 2)
        checks.Place(self._source.path, "contacts/limits/begin", first=self.index).begins(begins)
        springs, forces = (self._source.rows(f"contacts/limits/{name}", int(begins[0]), int(begins[1])) for name in ("spring", "lambda"))
        checks.Place(self._source.path, "contacts/limits/spring", first=int(begins[0])).between(springs, 0, len(self._frames._model.springs.vertices) - 1)
        return springs, forces

    @functools.cached_property
    def _pressed(self):
        model = self._frames._model
        areas, pressures = pressed(self.positions, model.triangles, self.contact_forces)
        for plane in model.half_spaces:  # its triangle is of any size
            for values in (areas, pressures):
                values[plane.vertices] = np.where(values[plane.vertices] != 0, np.nan, 0)
        return areas, pressures

    @property
    def contact_areas(self):
        """m^2, [N]: of the surface around each vertex that a contact force acts on; 0 elsewhere, NaN where there is no area."""
        return self._pressed[0]

    @property
    def contact_pressures(self):
        """Pa, [N]: the part of the contact force along the normal over contact_areas, positive where it presses."""
        return self._pressed[1]

    @functools.cached_property
    def contacts(self):
        """Those of the last solve of the frame's step, with its forces and directions."""
        self._source.need("contacts", REMEDY_CONTACTS)
        begins = self._source.rows("contacts/begin", self.index, self.index + 2)
        self._source.layout("contacts/begin", (), checks.WHOLE)
        checks.Place(self._source.path, "contacts/begin", first=self.index).begins(begins)
        return Contacts(self._source, int(begins[0]), int(begins[1]), self._frames._model)


class Checkpoints(Rows):
    """The states from which `simrun --resume` can go on, the oldest first; /checkpoint/last, where there is one, at the end."""

    what = "checkpoint"

    def __init__(self, source, count, last):
        super().__init__(source, count + last)
        self._regular = count

    def _make(self, row):
        return Checkpoint(self._source, "checkpoint", row) if row < self._regular else Checkpoint(self._source, "checkpoint/last", 0)


class Checkpoint:
    def __init__(self, source, group, row):
        self._source, self._group, self._row = source, group, row
        self.step, self.time = int(self._value("step")), float(self._value("time"))

    def __repr__(self):
        return f"<checkpoint, step {self.step}, {self.time:g} s>"

    def _value(self, name):
        return self._source.row(f"{self._group}/{name}", self._row)

    @functools.cached_property
    def positions(self):
        """m, [N,3]."""
        return self._value("positions")

    @functools.cached_property
    def velocities(self):
        """m/s, [N,3]."""
        return self._value("velocities")

    @functools.cached_property
    def left_over(self):
        """kg m/s, [N,3]: what the last solve missed, for the next step."""
        return self._value("left_over")
