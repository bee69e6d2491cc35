"""The tables of a result: /steps and /events, a row a time step, and /trace, a row an iteration of the contact solver."""
import re

import numpy as np

from . import checks
from .errors import MissingError

STATUS = {0: "converged", 1: "iteration limit", 2: "breakdown", 3: "collision"}
MARKS = {0: "nothing", 1: "constraints changed their state", 2: "last before constraints were made anew", 3: "relaxation"}


class Columns:
    """Columns of a group by name, as NumPy arrays that are read on first use. len() is the number of rows."""

    group = None

    def __init__(self, source, rows):
        self._source, self._rows, self._read = source, rows, {}
        self.columns = source.read(lambda file: list(file[self.group]))

    def __len__(self):
        return self._rows

    def __contains__(self, name):
        return name in self.columns

    def keys(self):
        """The names of the columns: dict() is all of them."""
        return self.columns

    __iter__ = None  # over rows or over names? .columns says which

    def __getitem__(self, name):
        self._need(name)
        if name not in self._read:
            self._source.layout(f"{self.group}/{name}", *self._layout(name))
            values = self._source.rows(f"{self.group}/{name}", 0, self._rows)
            self._check(name, values)
            values.setflags(write=False)
            self._read[name] = values
        return self._read[name]

    def _need(self, name):
        if name not in self.columns:
            raise MissingError(f"{self._source.path}: /{self.group} has no column \"{name}\"; it has {', '.join(self.columns)}")

    def _attribute(self, name, attribute):
        self._need(name)
        return str(self._source.read(lambda file: file[self.group][name].attrs.get(attribute, "")))

    def unit(self, name):
        return self._attribute(name, "units")

    def meaning(self, name):
        return self._attribute(name, "meaning")

    def row(self, step):
        """Where the time step of that number is: in a run that started from a checkpoint the rows begin later."""
        return find_step(self._source, self.group, self["step"], step)


ENERGIES = ("kinetic_energy", "elastic_energy", "potential_energy", "contact_energy")  # the last is younger: of acm, and 0 before


class Steps(Columns):
    """/steps."""

    group = "steps"
    _layout = staticmethod(checks.column_layout)

    def _check(self, name, values):
        checks.column(self._source.path, name, values, self.status_names if name == "status" else ())

    @property
    def energy(self):
        """J, [S]: kinetic, elastic, potential, and what is in the layers of acm."""
        return sum(self[name] for name in ENERGIES if name in self)

    @property
    def status_names(self):
        """Number in the column "status" -> name, as the file tells it."""
        told = self.meaning("status") if "status" in self else ""
        return {int(number): name.strip() for number, name in re.findall(r"(\d+) ([^,]+)", told)} or dict(STATUS)


class Events(Columns):
    """/events, of the method acm: the kicks of each step, its layers, its smallest clock, what culling cost."""

    group = "events"
    _layout = staticmethod(checks.event_layout)

    def _check(self, name, values):
        checks.event(self._source.path, name, values)


class TraceStep:
    """What the contact solver went through in one time step; arrays of one value an iteration."""

    def __init__(self, source, step, begin, end):
        self.step = step
        for name in ("residual", "preconditioned_residual", "constraint_residual", "mark"):
            source.layout(f"trace/{name}", (), checks.WHOLE if name == "mark" else checks.REAL)
        self.residual, self.preconditioned_residual, self.constraint_residual, self.mark = (
            source.rows(f"trace/{name}", begin, end) for name in
            ("residual", "preconditioned_residual", "constraint_residual", "mark"))

    def __len__(self):
        return len(self.residual)


class Trace:
    """/trace, step by step. `steps` are the numbers of the steps that were traced, `begin` where the rows of each start."""

    def __init__(self, source, rows):
        self._source = source
        self.steps = source.rows("trace/step", 0, rows)
        self.begin = source.rows("trace/begin", 0, rows + 1)
        for name in ("step", "begin"):
            source.layout(f"trace/{name}", (), checks.WHOLE)
        checks.Place(source.path, "trace/step").ascending(self.steps)
        checks.Place(source.path, "trace/begin").begins(self.begin)

    def __len__(self):
        return len(self.steps)

    def step(self, number):
        row = find_step(self._source, "trace", self.steps, number)
        return TraceStep(self._source, int(self.steps[row]), int(self.begin[row]), int(self.begin[row + 1]))

    @property
    def iterations(self):
        """Rows of each step, all solves and attempts of it together."""
        return np.diff(self.begin)


def find_step(source, where, numbers, step):
    found = np.flatnonzero(numbers == step)
    if not len(found):
        has = f"it has {numbers[0]} to {numbers[-1]}" if len(numbers) else "it has none"
        raise MissingError(f"{source.path}: /{where} has no step {step}; {has}")
    return int(found[0])
