"""Files that take their names when they are whole: what stood there before is not lost to a full disk. The error names the file."""
import contextlib
import os


@contextlib.contextmanager
def replacing(path, binary=False):
    new = path + ".new"
    try:
        with open(new, "wb") if binary else open(new, "w", encoding="utf-8") as file:
            yield file
        os.replace(new, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from error
    finally:
        with contextlib.suppress(OSError):
            os.remove(new)
