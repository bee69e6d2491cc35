"""The contacts of one frame."""
import functools

import numpy as np

from . import checks
from .errors import ArgumentError, MissingError
from .model import Object

KINDS = {0: "vertex and face", 1: "two edges"}
STATES = {0: "open", 1: "sticking", 2: "sliding"}
ROWS = {"kind": (), "state": (), "pair": (2,), "objects": (2,), "vertices": (4,), "point": (3,), "normal": (3,), "gap": (), "lambda": (),
        "friction": (3,)}  # shape of a row of each column


class Contacts:
    """Arrays of one row a contact, named as in /contacts and read on first use: c.gap, or c["gap"]; c["lambda"] is also c.lambda_."""

    def __init__(self, source, begin, end, model):
        self._source, self._begin, self._end, self._model, self._read = source, begin, end, model, {}

    def __len__(self):
        return self._end - self._begin

    @functools.cached_property
    def columns(self):
        return self._source.read(lambda file: [name for name in file["contacts"] if name not in ("begin", "limits")])

    __iter__ = None

    def __getitem__(self, name):
        if name not in self.columns:
            raise MissingError(f"{self._source.path}: /contacts has no column \"{name}\"; it has {', '.join(self.columns)}")
        if name not in self._read:
            values = self._source.rows(f"contacts/{name}", self._begin, self._end)
            self._check(name, values)
            self._read[name] = values
        return self._read[name]

    def _check(self, name, values):
        """Of what points elsewhere; forces and places are as the file has them."""
        place = checks.Place(self._source.path, f"contacts/{name}", first=self._begin)
        if name in ROWS:
            whole = name in ("kind", "state", "pair", "objects", "vertices")
            place.layout(values.shape, values.dtype, ROWS[name], checks.WHOLE if whole else checks.REAL)
        if name in ("kind", "state"):
            place.between(values, 0, len(KINDS if name == "kind" else STATES) - 1)
        elif name in ("vertices", "objects"):
            place.between(values, 0, self._model.count("rest_positions" if name == "vertices" else "objects/name") - 1)

    def __getattr__(self, name):
        column = "lambda" if name == "lambda_" else name
        if name.startswith("__") or name == "columns" or column not in self.columns:
            raise AttributeError(f"contacts have no {name}")
        return self[column]

    def __dir__(self):
        return [*super().__dir__(), *("lambda_" if name == "lambda" else name for name in self.columns)]

    @property
    def force(self):
        """N, [M,3]: normal force and friction on the first side; on the second it is the opposite."""
        return self["lambda"][:, None] * self["normal"] + self["friction"]

    def sides(self, first, second=None):
        """[M]: 1 where the first side of a contact is of `first` and the second of `second` (not given: of all others), -1 the other way
        round, 0 else. Both may be an object, its name or row, or a list of these; contacts inside `first` are 0."""
        mine = np.zeros(self._model.count("objects/name"), bool)
        mine[self._rows(first)] = True
        others = ~mine
        if second is not None:
            others[:] = False
            others[self._rows(second)] = True
            if (mine & others).any():
                name = self._model.objects[np.flatnonzero(mine & others)[0]].name
                raise ArgumentError(f"{self._source.path}: the force of \"{name}\" on itself is asked for; expected two different objects")
        a, b = self["objects"].T
        return (mine[a] & others[b]).astype(int) - (others[a] & mine[b])

    def _rows(self, what):
        return [self._model.object_of(one).index for one in ([what] if isinstance(what, (str, Object)) or np.isscalar(what) else what)]

    def force_between(self, first, second=None):
        """N, [3]: the force on `first` of `second` (not given: of all others), summed over their contacts; see sides()."""
        return np.sum(self.force * self.sides(first, second)[:, None], axis=0)

    def force_on(self, what):
        """N, [3]: the sum over all contacts of an object: r.object("left"), "left", or its row in /model/objects (Object.index)."""
        row = self._model.object_of(what).index
        first, second = (self["objects"][:, side] == row for side in (0, 1))
        return np.sum(self.force * (first.astype(int) - second)[:, None], axis=0)
