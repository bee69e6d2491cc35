"""The contacts of one frame."""
import functools

import numpy as np

from .errors import MissingError

KINDS = {0: "vertex and face", 1: "two edges"}
STATES = {0: "open", 1: "sticking", 2: "sliding"}


class Contacts:
    """Arrays of one row a contact, named as in /contacts and read on first use: c.gap, or c["gap"]; c["lambda"] is also c.lambda_."""

    def __init__(self, source, begin, end):
        self._source, self._begin, self._end, self._read = source, begin, end, {}

    def __len__(self):
        return self._end - self._begin

    @functools.cached_property
    def columns(self):
        return self._source.read(lambda file: [name for name in file["contacts"] if name != "begin"])

    __iter__ = None

    def __getitem__(self, name):
        if name not in self.columns:
            raise MissingError(f"{self._source.path}: /contacts has no column \"{name}\"; it has {', '.join(self.columns)}")
        if name not in self._read:
            self._read[name] = self._source.rows(f"contacts/{name}", self._begin, self._end)
        return self._read[name]

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

    def force_on(self, row):
        """N, [3]: the sum over all contacts of the object in this row of /model/objects (Object.index)."""
        first, second = (self["objects"][:, side] == row for side in (0, 1))
        return np.sum(self.force * (first.astype(int) - second)[:, None], axis=0)
