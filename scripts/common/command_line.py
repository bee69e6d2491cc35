"""Command lines of the scripts: one line for each error, and one scheme of exit statuses.

    0    done
    1    usage, something is missing on this machine, or is not in the file that was named
    2    what was run did not get to its end, or a measured quantity does not hold
    3    a file cannot be read or written, or is damaged
    130  interrupted (Ctrl-C)

docs/troubleshooting.md has the table of all programs. An exception ends a script with its attribute `exit_status`.
"""
import argparse
import contextlib
import os
import re
import sys

DONE, USAGE, UNFINISHED, FILE, INTERRUPTED = 0, 1, 2, 3, 130

# Read when NumPy is imported. Where it computes by OpenBLAS, every small matrix of a stack goes to threads that wait for each other by
# turning round: on two busy cores the determinants of a frame took 200 times as long as by one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Complaint(Exception):
    """One line that names what is wrong and what helps: usage, or something is missing."""

    exit_status = USAGE


class FileComplaint(Complaint):
    """The same of a file that cannot be read or written."""

    exit_status = FILE


class Parser(argparse.ArgumentParser):
    """Errors are one line and the status 1; values may begin with a minus."""

    def __init__(self, **settings):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def error(self, message):
        self.exit(USAGE, f"{self.prog}: {message}\n")

    def parse_args(self, words=None):
        """--camera -1,0,0:0,0,0 is --camera=-1,0,0:0,0,0, which argparse would not see."""
        joined = []
        for word in sys.argv[1:] if words is None else words:
            if joined and joined[-1].startswith("--") and "=" not in joined[-1] and re.match(r"-[\d.]", word):
                joined[-1] += "=" + word
            else:
                joined.append(word)
        return super().parse_args(joined)


def positive(kind):
    """A type for add_argument: whole numbers or real ones above 0."""
    def parse(text):
        value = kind(text)
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text}: expected a number above 0")
        return value
    parse.__name__ = "number"  # which argparse names where `kind` raises ValueError
    return parse


def name():
    return os.path.basename(sys.argv[0])


@contextlib.contextmanager
def needing(packages):
    """Around imports: names Debian's packages where one of them is not there."""
    try:
        yield
    except ImportError as error:
        sys.exit(f"{name()}: {error}. On Debian: apt-get install {packages}, and run this with /usr/bin/python3")


def say(text):
    print(f"{name()}: {text}", file=sys.stderr)


def run(main, interrupted="interrupted"):
    """The exit status of main(), whatever becomes of it."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        say(interrupted)
        return INTERRUPTED
    except OSError as error:
        return of_file(error)
    except Exception as error:
        if not hasattr(error, "exit_status"):
            raise
        say(error)
        return error.exit_status


def of_file(error):
    """Files are opened by name, and files.py names those that are written: only the standard output has none."""
    if error.filename is not None:
        say(f"{error.filename}: {error.strerror}")
        return FILE
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is left of it when Python ends
    if not isinstance(error, BrokenPipeError):  # whoever reads has seen enough
        say(f"the standard output cannot be written: {error.strerror or error}")
    return FILE
