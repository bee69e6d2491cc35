"""A result file of simrun, opened lazily: docs/post-processing.md tells what is where."""
import collections
import functools
import json
import os

from .errors import MissingError, ResultError
from .frames import Checkpoints, Frames
from .source import Source, release
from .tables import Steps, Trace

FORMAT_VERSION = 1
TEXTS = ("program_version", "status", "reason", "scene", "solver", "command_line")
LATER_TEXTS = ("scene_folder", "origin")  # files of the first versions have none

Object = collections.namedtuple("Object", "index name type material vertices tets triangles")


class Result:
    """What the file held when it was opened, or when refresh() was last called. Use it as `with open(path) as result`."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._source = Source(self.path)
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._source.close()

    def __repr__(self):
        return f"<result {self.path}: {self.status}, {len(self.frames)} frames, {self._counts['steps']} steps>"

    def refresh(self):
        """Sees the frames, steps and the status that a run has written since. What was taken before stays as it was."""
        release(os.path.realpath(self.path))
        self._look()

    def _look(self):
        """Status before lengths: a run that is done then has all its rows."""
        self._attributes = self._source.read(lambda file: dict(file.attrs))
        self.format_version = check_format(self.path, self._attributes)
        missing = [name for name in (*TEXTS, "threads") if name not in self._attributes]
        if missing:
            raise ResultError(f"{self.path}: is not a whole result file of simrun, it has no attribute \"{missing[0]}\"")
        for name in TEXTS + LATER_TEXTS:
            if name != "scene":
                setattr(self, name, str(self._attributes.get(name, "")))
        self.threads = int(self._attributes["threads"])
        self._counts = self._source.read(count_rows)
        for name in ("steps", "trace", "frames", "checkpoints"):
            self.__dict__.pop(name, None)

    @functools.cached_property
    def scene(self):
        """The effective scene: overrides applied, defaults filled in."""
        return json.loads(self.scene_text)

    @property
    def scene_text(self):
        return str(self._attributes["scene"])

    @property
    def name(self):
        """Of the scene; of the file where the scene has none."""
        return self.scene.get("name") or os.path.splitext(os.path.basename(self.path))[0]

    def _model(self, name):
        return self._source.read(lambda file: file[f"model/{name}"][:])

    @functools.cached_property
    def rest_positions(self):
        """m, [N,3]."""
        return self._model("rest_positions")

    @functools.cached_property
    def tets(self):
        return self._model("tets")

    @functools.cached_property
    def triangles(self):
        return self._model("triangles")

    @functools.cached_property
    def triangle_object(self):
        return self._model("triangle_object")

    @functools.cached_property
    def objects(self):
        columns = [self._source.texts(f"model/objects/{name}") for name in ("name", "type", "material")]
        for part in ("vertex", "tet", "triangle"):
            begin, end = self._model(f"objects/{part}_begin"), self._model(f"objects/{part}_end")
            columns.append([slice(int(b), int(e)) for b, e in zip(begin, end)])
        return [Object(index, *row) for index, row in enumerate(zip(*columns))]

    def object(self, name):
        for found in self.objects:
            if found.name == name:
                return found
        known = [found.name for found in self.objects]
        told = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
        raise MissingError(f"{self.path}: there is no object \"{name}\"; there are {told}")

    @functools.cached_property
    def frames(self):
        return Frames(self._source, self._counts["frames"], lambda: self.rest_positions)

    @functools.cached_property
    def steps(self):
        return Steps(self._source, self._counts["steps"])

    @property
    def has_velocities(self):
        return self._source.has("frames/velocities")

    @property
    def has_contacts(self):
        return self._source.has("contacts")

    @property
    def has_trace(self):
        return self._counts["trace"] is not None

    @functools.cached_property
    def trace(self):
        self._source.need("trace", "run it with --trace")
        return Trace(self._source, self._counts["trace"] or 0)

    @functools.cached_property
    def checkpoints(self):
        return Checkpoints(self._source, self._counts["checkpoints"], self._counts["last"])


def check_format(path, attributes):
    """The format version, where this is a file that can be read here."""
    if "format" not in attributes or "format_version" not in attributes:
        raise ResultError(f"{path}: is an HDF5 file but not a result file of simrun (it has no attribute \"format\")")
    if attributes["format"] != "simrun":
        raise ResultError(f"{path}: has the format \"{attributes['format']}\", expected \"simrun\"")
    version = int(attributes["format_version"])
    if not 1 <= version <= FORMAT_VERSION:
        raise ResultError(f"{path}: has format version {version}, this reads version {FORMAT_VERSION}; take simrun_results "
                          f"of the program that wrote it ({attributes.get('program_version', 'unknown version')})")
    return version


def count_rows(file):
    """The lengths that docs/result-format.md says to go by: what grows last in each group."""
    checkpoint = file.get("checkpoint")
    return {"frames": len(file["frames/time"]), "steps": len(file["steps/step"]),
            "trace": len(file["trace/step"]) if "trace" in file else None,
            "checkpoints": len(checkpoint["step"]) if checkpoint is not None else 0,
            "last": int(checkpoint is not None and "last" in checkpoint and len(checkpoint["last/step"]) > 0)}
