"""Columns of the table that a user's own Python functions work out, one result file after the other.

    def height(result):            # of simrun_results.open()
        return result.frames[-1].positions[:, 2].max()

A function returns a number, a text, None (an empty cell), or a dictionary of these, which makes a column of each entry.
"""
import os
import runpy
import sys
import traceback

import numpy as np

from common.command_line import Complaint, FileComplaint


class MetricError(Complaint):
    """One line: what keeps a metric from being asked for."""


def parse(text):
    """FILE.py:FUNCTION, with the whole path."""
    path, colon, name = text.rpartition(":")
    if not colon or not path or not name.isidentifier():
        raise MetricError(f"--metric {text}: expected FILE.py:FUNCTION")
    return {"file": os.path.abspath(path), "function": name}


def where(trouble, path):
    """An exception in one line, with the place in the user's file."""
    told = f"{type(trouble).__name__}: " + " ".join(str(trouble).split())
    places = [place.lineno for place in traceback.extract_tb(trouble.__traceback__) if place.filename == path]
    return told + (f" ({os.path.basename(path)}, line {places[-1]})" if places else "")


def run(path):
    """The names of the file, whose neighbours it may import."""
    if os.path.dirname(path) not in sys.path:
        sys.path.append(os.path.dirname(path))
    return runpy.run_path(path)


def load(metrics, taken):
    """name -> function. `taken`: columns that the table has anyway."""
    found, files = {}, {}
    for metric in metrics:
        path, name = metric["file"], metric["function"]
        if not os.path.exists(path):
            raise FileComplaint(f"--metric {path}:{name}: there is no such file")
        if path not in files:
            try:
                files[path] = run(path)
            except (Exception, SystemExit) as error:
                raise MetricError(f"--metric {path}:{name}: the file cannot be run: {where(error, path)}") from error
        function = files[path].get(name)
        if not callable(function):
            there = ", ".join(key for key, value in files[path].items() if callable(value) and not key.startswith("_"))
            raise MetricError(f"--metric {path}:{name}: there is no such function; there are {there or 'none'}")
        if name in taken or name in found:
            raise MetricError(f"--metric {path}:{name}: the table has a column {name} already; call the function otherwise")
        found[name] = function
    return found


def plain(value):
    """What a cell holds; raises TypeError for what is none."""
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0:
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"it returned {type(value).__name__}, expected a number, a text, None, or a dictionary of these")


def columns(functions, result):
    """({column: value}, [what went wrong]) of one result; a function that fails leaves its cells empty."""
    values, troubles = {}, []
    for name, function in functions.items():
        try:
            value = function(result)
            parts = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
            values.update({key: plain(part) for key, part in parts.items()})
        except (Exception, SystemExit) as error:  # whatever a user's function does
            troubles.append(f"metric {name}: {where(error, function.__code__.co_filename if hasattr(function, '__code__') else '')}")
    return values, troubles
