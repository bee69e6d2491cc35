"""/objects of a result: every object after every step, of runs with output.objects."""
import functools

import numpy as np

from . import checks
from .errors import MissingError

COLUMNS = {"center": (3,), "velocity": (3,), "contact_force": (3,), "contact_torque": (3,), "contact_work": ()}


class ObjectSteps:
    """Arrays of one row a step, read when they are asked for: steps["contact_force"] [S,K,3] of all K objects, or
    steps.of("ball").contact_force [S,3] of one. len() is the number of rows."""

    def __init__(self, source, rows, model):
        self._source, self._rows, self._model = source, rows, model

    def __len__(self):
        return self._rows

    __iter__ = None

    @property
    def columns(self):
        return list(COLUMNS)

    @functools.cached_property
    def step(self):
        """Number of each step, as in /steps."""
        self._source.layout("objects/step", (), checks.WHOLE)
        values = self._source.rows("objects/step", 0, self._rows)
        checks.Place(self._source.path, "objects/step").ascending(values)
        return values

    def __getitem__(self, name):
        return self._read(name)

    def _read(self, name, *chosen):
        if name not in COLUMNS:
            raise MissingError(f"{self._source.path}: /objects has no column \"{name}\"; it has {', '.join(COLUMNS)}")
        self._source.layout(f"objects/{name}", (len(self._model.objects), *COLUMNS[name]), checks.REAL)
        return self._source.rows(f"objects/{name}", 0, self._rows, *chosen)

    def of(self, what):
        """One object: r.object("ball"), "ball", or its row."""
        return OneObject(self, self._model.object_of(what))

    def __repr__(self):
        return f"<{self._rows} steps of {len(self._model.objects)} objects>"


class OneObject:
    """center (m), velocity (m/s), contact_force (N), contact_torque (N m, about the centre): [S,3]; contact_work (J): [S]."""

    def __init__(self, steps, found):
        self._steps, self.object = steps, found

    def __getattr__(self, name):
        if name not in COLUMNS:
            raise AttributeError(f"objects of steps have no {name}; they have {', '.join(COLUMNS)}")
        values = np.asarray(self._steps._read(name, self.object.index))
        self.__dict__[name] = values
        return values

    def __dir__(self):
        return [*super().__dir__(), *COLUMNS]
