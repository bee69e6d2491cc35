"""Frames and checkpoints of a result: sequences of which only what is asked for is read."""
import functools

import numpy as np

from . import checks
from .contacts import Contacts
from .errors import FrameError

REMEDIES = {"velocities": "the scene says \"output\": { \"velocities\": false }",
            "von_mises": "run it with --set output.stress=true",
            "contact_forces": "run it with --set output.contact_forces=true"}
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
        row = number + self._count if number < 0 else number
        if not 0 <= row < self._count:
            has = f"it has {self._count}, 0 to {self._count - 1}" if self._count else "it has none yet"
            raise FrameError(f"{self._source.path}: there is no {self.what} {number}; {has}")
        return self._make(int(row))

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
        expected = (self._model.count("tets"),) if name == "von_mises" else (self._model.count("rest_positions"), 3)
        self._source.layout(f"frames/{name}", expected, checks.REAL)
        self._known.add(name)

    def read(self, name, vertices=slice(None)):
        """"positions", "velocities" or "contact_forces" of all frames in one array [n,N,3], or "von_mises" [n,T]; of the rows
        `vertices` only, as Object.vertices (or Object.tets) gives them."""
        self._need(name)
        values = self._source.rows(f"frames/{name}", 0, self._count, vertices)
        if self._finite:
            for number, row in enumerate(values):
                checks.frame(self._source.path, name, row, number, int(self.step[number]))
        return values

    def nearest(self, time):
        """The frame whose time is closest to `time` (s)."""
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
    def contact_forces(self):
        """N, [N,3]: the sum over all contacts of each vertex."""
        return self._row("contact_forces")

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
