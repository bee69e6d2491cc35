"""The programs of this checkout that scripts call, and others that must not outlive a script."""
import ctypes
import os
import signal
import subprocess

from .command_line import Complaint

PR_SET_PDEATHSIG = 1
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def find(name):
    for preset in ("release", "ci"):
        path = os.path.join(TOP, "build", preset, "apps", name)
        if os.access(path, os.X_OK):
            return path
    return name


def beside(simrun, name):
    """Another program of the same build."""
    path = os.path.join(os.path.dirname(simrun), name)
    return path if os.path.dirname(simrun) else name


def ask(program, question):
    """What it prints, for instance when asked for its --version."""
    try:
        return subprocess.run([program, question], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Complaint(f"no program at {program}; build it, or name simrun with --simrun ({error})") from None


def version(program):
    """Its first line; the terms that it comes under follow."""
    return ask(program, "--version").strip().splitlines()[0]


def end_with_parent(parent):
    """To be called in the child: SIGTERM for it when the parent dies."""
    def prepare():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)
    return prepare
