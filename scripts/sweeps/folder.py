"""What a sweep leaves in its folder.

    sweep.json              the scene, the options and all runs: what --collect and the tasks of an array job go by
    <name>.h5, .xdmf, .log  a run: its result, and all that simrun said about it
    state/<name>.json       what its last attempt came to; state/<name>.lock is held while it runs
"""
import contextlib
import fcntl
import hashlib
import json
import os

from common.files import replacing

PLAN = "sweep.json"


def file_of(folder, name, ending=".h5"):
    return os.path.join(folder, name + ending)


def state_file(folder, name, ending=".json"):
    return os.path.join(folder, "state", name + ending)


def write_json(path, value):
    """As a whole or not at all."""
    with replacing(path) as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def read_json(path):
    """None where there is none, or none that is whole."""
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def digest_of_scene(scene):
    return hashlib.sha256(json.dumps(scene, sort_keys=True).encode()).hexdigest()


def lock_of_run(folder, name):
    """An open file that is locked as long as it, or a copy of it in a program that was given one, is open; None: somebody has it."""
    lock = open(state_file(folder, name, ".lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    except OSError:  # a file system that cannot lock; HDF5 still refuses a second writer of a file where it can
        pass
    return lock


def remove(*paths):
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
