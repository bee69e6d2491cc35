"""A result file of simrun, opened lazily: docs/post-processing.md tells what is where."""
import functools
import json
import os

import numpy as np

from .checks import DAMAGED
from .errors import MissingError, ResultError
from .frames import Checkpoints, Frames
from .model import Model
from .objects import ObjectSteps
from .source import Source
from .tables import Events, Steps, Trace

FORMAT_VERSION = 1
TEXTS = ("program_version", "status", "reason", "scene", "solver", "command_line")
LATER_TEXTS = ("scene_folder", "origin")  # files of the first versions have none
STATUSES = ("running", "done", "stopped", "interrupted")


class Result:
    """What the file held when it was opened, or when refresh() was last called. Use it as `with open(path) as result`."""

    def __init__(self, path, finite=False):
        self.path, self._finite = os.fspath(path), finite
        self._source = Source(self.path)
        self._model = Model(self._source)
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
        self._look()

    def _look(self):
        """Status before lengths: a run that is done then has all its rows."""
        self._source.renew()
        self._attributes = self._source.read(lambda file: dict(file.attrs))
        self.format_version = check_format(self.path, self._attributes)
        missing = [name for name in (*TEXTS, "threads") if name not in self._attributes]
        if missing:
            raise ResultError(f"{self.path}: is not a whole result file of simrun, it has no attribute \"{missing[0]}\"")
        for name in TEXTS + LATER_TEXTS:
            text = self._attributes.get(name, "")
            if not isinstance(text, str):
                raise ResultError(f"{self.path}: the attribute \"{name}\" is {text}, expected a text; {DAMAGED}")
            if name != "scene":
                setattr(self, name, text)
        if self.status not in STATUSES:
            raise ResultError(f"{self.path}: the attribute \"status\" is \"{self.status}\", expected one of {', '.join(STATUSES)}; {DAMAGED}")
        self.threads = whole(self.path, self._attributes, "threads")
        self._counts = self._source.read(count_rows)
        for name in ("steps", "trace", "frames", "checkpoints", "object_steps", "events"):
            self.__dict__.pop(name, None)

    @functools.cached_property
    def scene(self):
        """The effective scene: overrides applied, defaults filled in."""
        told = self._attributes.get("scene_digest")
        if told is not None and told != digest(self.scene_text.encode()):
            raise ResultError(f"{self.path}: the attribute \"scene\" is not the text that was written (scene_digest); {DAMAGED}")
        try:
            scene = json.loads(self.scene_text)
        except (ValueError, RecursionError) as error:
            raise ResultError(f"{self.path}: the attribute \"scene\" is not JSON ({error}); {DAMAGED}") from None
        if not isinstance(scene, dict):
            raise ResultError(f"{self.path}: the attribute \"scene\" is no JSON object; {DAMAGED}")
        return scene

    @property
    def scene_text(self):
        return str(self._attributes["scene"])

    @property
    def name(self):
        """Of the scene; of the file where the scene has none."""
        return str(self.scene.get("name") or "") or os.path.splitext(os.path.basename(self.path))[0]

    @property
    def rest_positions(self):
        """m, [N,3]."""
        return self._model.rest_positions

    @property
    def tets(self):
        return self._model.tets

    @property
    def triangles(self):
        return self._model.triangles

    @property
    def segments(self):
        """[S,2]: vertices, of cables."""
        return self._model.segments

    @property
    def mass(self):
        """kg, [N]: lumped, of the vertices of deformable objects; 0 of others."""
        return self._model.mass

    @property
    def springs(self):
        """vertices [P,2], rest_length (m) and stiffness (N/m) [P], of sheets of springs and of cables."""
        return self._model.springs

    @property
    def triangle_object(self):
        return self._model.triangle_object

    @property
    def objects(self):
        return self._model.objects

    @property
    def half_spaces(self):
        """The objects whose one triangle stands for all of its plane."""
        return self._model.half_spaces

    def object(self, name):
        return self._model.object(name)

    @functools.cached_property
    def frames(self):
        return Frames(self._source, self._counts["frames"], self._model, self._finite)

    @functools.cached_property
    def steps(self):
        return Steps(self._source, self._counts["steps"])

    @property
    def has_velocities(self):
        return self._source.has("frames/velocities")

    @property
    def has_stress(self):
        return self._source.has("frames/von_mises")

    @property
    def has_stress_tensor(self):
        return self._source.has("frames/stress")

    @property
    def has_strain_tensor(self):
        return self._source.has("frames/strain")

    @property
    def has_tension(self):
        return self._source.has("frames/tension")

    @property
    def has_contact_forces(self):
        return self._source.has("frames/contact_forces")

    @property
    def has_contacts(self):
        return self._source.has("contacts")

    @property
    def has_object_steps(self):
        return self._counts["objects"] is not None

    @functools.cached_property
    def object_steps(self):
        """Every object after every step."""
        self._source.need("objects", "run it with --set output.objects=true")
        return ObjectSteps(self._source, self._counts["objects"] or 0, self._model)

    @property
    def has_events(self):
        return self._counts["events"] is not None

    @functools.cached_property
    def events(self):
        """What was done in every step; of the method acm."""
        self._source.need("events", "only runs of the method acm have it")
        return Events(self._source, self._counts["events"] or 0)

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
    if not isinstance(attributes["format"], str) or attributes["format"] != "simrun":
        raise ResultError(f"{path}: has the format \"{attributes['format']}\", expected \"simrun\"")
    version = whole(path, attributes, "format_version")
    if not 1 <= version <= FORMAT_VERSION:
        raise ResultError(f"{path}: has format version {version}, this reads version {FORMAT_VERSION}; take simrun_results "
                          f"of the program that wrote it ({attributes.get('program_version', 'unknown version')})")
    return version


def whole(path, attributes, name):
    value = attributes[name]
    if not isinstance(value, (int, np.integer)):
        raise ResultError(f"{path}: the attribute \"{name}\" is {value}, expected a whole number; {DAMAGED}")
    return int(value)


def digest(text):
    """Of bytes, as docs/result-format.md has it."""
    value = 0x9e3779b97f4a7c15
    for byte in text:
        value = (value ^ byte) * 0xbf58476d1ce4e5b9 & (2**64 - 1)
        value ^= value >> 32
    return f"{value:016x}"


def count_rows(file):
    """The lengths that docs/result-format.md says to go by: what grows last in each group."""
    checkpoint = file.get("checkpoint")
    return {"frames": len(file["frames/time"]), "steps": len(file["steps/step"]),
            "trace": len(file["trace/step"]) if "trace" in file else None,
            "events": len(file["events/step"]) if "events" in file else None,
            "objects": len(file["objects/step"]) if "objects" in file else None,
            "checkpoints": len(checkpoint["step"]) if checkpoint is not None else 0,
            "last": int(checkpoint is not None and "last" in checkpoint and len(checkpoint["last/step"]) > 0)}
