"""Files that take their names when they are whole: what stood there before is not lost to a full disk. And names for people."""
import contextlib
import errno
import os

from .command_line import Complaint, FileComplaint

REMEDIES = {errno.ENOSPC: "make room, or write to another place", errno.EDQUOT: "make room, or write to another place",
            errno.ENOENT: "make its folder first", errno.EISDIR: "choose another name", errno.ENOTDIR: "choose another name",
            errno.EEXIST: "choose another name"}


def cannot_write(path, error):
    """What to raise; the caller says from what."""
    why = error.strerror or str(error)
    return FileComplaint(f"{path}: cannot be written: {why}; {REMEDIES.get(error.errno, 'write to another place')} (-o)")


@contextlib.contextmanager
def new_name(path):
    """A name beside `path`, with its ending, to write to; what is there takes the place of `path` at the end, or goes away."""
    stem, ending = os.path.splitext(path)
    new = f"{stem}.new{ending}"
    try:
        yield new
        os.replace(new, path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            os.remove(new)


@contextlib.contextmanager
def replacing(path, binary=False, **settings):
    """The open file."""
    with new_name(path) as new:
        with open(new, "wb") if binary else open(new, "w", encoding="utf-8", **settings) as file:
            yield file


def refuse_inputs(path, inputs):
    """What is written must not take the place of what it is made of."""
    for name in inputs:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, name):
                raise Complaint(f"{path}: is the file {name} that is read; choose another name for the output")


def make_folder(folder):
    try:
        os.makedirs(folder or ".", exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def short_names(paths):
    """Different ones: the file's name, with as much of its folder as it takes."""
    parts = [os.path.abspath(path).split(os.sep) for path in paths]
    length = 1
    while len({tuple(part[-length:]) for part in parts}) < len({tuple(part) for part in parts}):
        length += 1
    return ["/".join(part[-length:]) for part in parts]
