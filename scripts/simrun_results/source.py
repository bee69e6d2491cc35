"""The HDF5 file under a result, opened plainly as docs/result-format.md asks of readers beside a run.

HDF5 shares what it knows of a file among all that have it open in a process, and never reads it again: lengths of datasets
are then of different ages, and what was written beyond the end that it knows is out of reach, until all of them have closed
it. release() does that for ours, and each opens the file again when it reads next: the same one, or it says so.
"""
import os
import re
import time
import weakref

import h5py

from . import checks
from .errors import MissingError, ResultError

SIGNATURE = b"\x89HDF\r\n\x1a\n"
TRIES, PAUSE = 4, 0.02  # s: a block may be half written for some nanoseconds, and a file may outgrow its hole
_sources = weakref.WeakSet()


class Source:
    def __init__(self, path):
        self.path, self._file, self._which, self._closed = path, None, None, False
        _sources.add(self)

    def read(self, work, name=""):
        """What work(file) returns, of the dataset `name`; tried again on the file opened anew where the run was just writing."""
        if self._closed:
            raise ResultError(f"{self.path}: this result was closed; open it again")
        for attempt in range(TRIES):
            try:
                return work(self._opened())
            except ResultError:
                raise
            except Exception as error:  # h5py has many for what it cannot make sense of
                failure = error
                self.drop()
                release(self.path)
                time.sleep(PAUSE * (attempt < TRIES - 1))
        reason = " ".join(str(failure.args[0] if failure.args else failure).split()) or type(failure).__name__
        raise ResultError(f"{self.path}: {f'/{name} ' * bool(name)}cannot be read, the file is damaged or not whole: {reason}") from failure

    def layout(self, name, expected, kind):
        """Checks the shape of a row of a dataset, and its type, without reading it."""
        shape, dtype = self.read(lambda file: (self._dataset(file, name).shape, file[name].dtype), name)
        checks.Place(self.path, name).layout(shape, dtype, expected, kind)

    def rows(self, name, begin, end, *more):
        """Rows of a dataset that is known to be there; `more` selects further axes."""
        values = self.read(lambda file: self._dataset(file, name)[(slice(begin, end), *more)], name)
        if len(values) != end - begin:
            raise ResultError(f"{self.path}: /{name} has no row {begin + len(values)}: the file is damaged or was replaced; open it again")
        return values

    def row(self, name, number):
        return self.rows(name, number, number + 1)[0]

    def texts(self, name):
        return self.read(lambda file: [str(text) for text in self._dataset(file, name).asstr()[:]], name)

    def length(self, name):
        return self.read(lambda file: len(self._dataset(file, name)), name)

    def _dataset(self, file, name):
        if not isinstance(file[name], h5py.Dataset):
            raise ResultError(f"{self.path}: /{name} is no dataset; {checks.DAMAGED}")
        return file[name]

    def has(self, name):
        return self.read(lambda file: name in file)

    def need(self, name, remedy):
        if not self.has(name):
            raise MissingError(f"{self.path}: has no /{name}: {remedy}")

    def _opened(self):
        if self._file is None:
            check_signature(self.path)
            file = open_plainly(self.path)
            which = identity(file.id.get_vfd_handle())
            if self._which not in (None, which):
                file.close()
                raise ResultError(f"{self.path}: the file was replaced by another one since; open it again")
            self._file, self._which = file, which
        return self._file

    def renew(self):
        """What is at the path now is read from here on, seen as it is."""
        self.drop()
        self._which = None
        release(self.path)

    def drop(self):
        """Closes the file until something is read."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def close(self):
        self.drop()
        self._closed = True


def identity(file):
    """Of a path, or of a descriptor; None where there is nothing."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def release(path):
    which = identity(path)
    for source in list(_sources):
        if source._file is not None and source._which == which:
            source.drop()


def check_signature(path):
    try:
        with open(path, "rb") as file:
            begin = file.read(len(SIGNATURE))
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror}") from None
    if begin != SIGNATURE:
        raise ResultError(f"{path}: is not an HDF5 file, expected a result file of simrun (out.h5)")


def open_plainly(path):
    """With HDF5's own lock, as h5py does it when it is not told: HDF5 refuses a second open in a process that differs in that.
    Without it only where it is the lock that fails, as it does on read-only and some network file systems. The run itself does
    not mind either."""
    try:
        return h5py.File(path, "r")
    except OSError as failure:
        if not re.search(r"\block", str(failure), re.IGNORECASE):
            raise
        try:
            return h5py.File(path, "r", locking=False)
        except (TypeError, ValueError):  # an h5py that cannot
            raise failure from None
