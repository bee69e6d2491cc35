"""Reads a result file every ten milliseconds while simrun writes it, and compares all of that with the file at the end.

usage: read_beside_test.py <simrun> <scripts folder> [reads]

By h5py as docs/result-format.md says, and by simrun_results with refresh(), each in a process of its own: in one, HDF5 would have
them share what it knows of the file. For frames that are compressed, that are not,
and for small ones that share a chunk. Ends with 0 when every frame, step and contact that was seen was whole and is in the file at
the end bit for bit; with 77 when h5py is not installed. The run has no end of its own: what counts is the number of reads.
"""
import concurrent.futures
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

SCENE = """{ "name": "beside", "time": { "step": 0.001, "duration": DURATION },
  "materials": { "rubber": { "young": 1e5, "poisson": 0.3, "density": 1000, "damping": { "mass": 5 } } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [CELLS, CELLS, CELLS] },
              "floor": { "generate": "slab", "size": [1, 1], "thickness": 0.1 } },
  "objects": [ { "name": "box", "mesh": "box", "material": "rubber", "position": [0, 0, 0.0501], "velocity": [0.3, 0, 0] },
               { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] } ],
  "output": { "every": 1, "checkpoint": 3, "contacts": true, "compression": COMPRESSION } }"""
# Cells along an edge, compression, s (far more than is waited for; 8000 frames and more are not compressed), how the run ends.
KINDS = {"small frames": (1, 1, 1e6, signal.SIGINT), "compressed frames": (12, 1, 7.9, signal.SIGKILL),
         "large frames, not compressed": (12, 0, 1e6, signal.SIGINT)}
OPENINGS = 3  # docs/result-format.md: where reading fails at the very moment of a write, opening once more helps


def digest(*arrays):
    sum_ = hashlib.sha256()
    for array in arrays:
        sum_.update(np.ascontiguousarray(array).tobytes())
    return sum_.digest()


class Seen:
    """What the file has held so far, by name and row; says so where a row is seen again and is another."""

    def __init__(self):
        self.rows = {}

    def add(self, what, row, *arrays):
        new = digest(*arrays)
        assert self.rows.setdefault((what, row), new) == new, f"{what} {row} has changed"


def some(count, number):
    """The newest rows of `count`, and a few of the others: small frames are written faster than they could all be read."""
    newest = range(max(0, count - number), count)
    return sorted({*newest, *(random.randrange(count) for _ in range(number // 2) if count)})


def check_file(path, seen, everything=False):
    """Reads the file plainly: frames, contacts, steps and checkpoints. Returns the number of frames."""
    with h5py.File(path, "r") as f:
        frames, steps, checkpoints = (len(f[name]) for name in ("frames/time", "steps/step", "checkpoint/step"))
        assert np.array_equal(f["frames/step"][:frames], np.arange(frames)), "frames/step"
        assert np.array_equal(f["steps/step"][:steps], 1 + np.arange(steps)), "steps/step"
        assert steps >= frames - 1 and checkpoints >= (frames - 1) // 3, (frames, steps, checkpoints)
        known = {what: [row for name, row in seen.rows if name == what] for what in ("frame", "step", "checkpoint")}
        begin, motion = f["contacts/begin"], [f[f"frames/{name}"] for name in ("time", "positions", "velocities")]
        # By name: values() and items() have None where the file has grown meanwhile, and what fails here is read once more.
        contacts, columns = [f[f"contacts/{name}"] for name in f["contacts"] if name != "begin"], [f[f"steps/{name}"] for name in f["steps"]]
        for k in known["frame"] if everything else some(frames, 10):
            rows = slice(*begin[k:k + 2])
            seen.add("frame", k, *(data[k] for data in motion))
            seen.add("contacts", k, *(data[rows] for data in contacts))
        for k in known["step"] if everything else some(steps, 4):  # columns of wall time too: a row that is written stays
            seen.add("step", k, *(column[k] for column in columns))
        for k in known["checkpoint"] if everything else some(checkpoints, 2):
            seen.add("checkpoint", k, *(f[f"checkpoint/{name}"][k] for name in ("step", "positions", "velocities", "left_over")))
        return frames


def check_result(result, seen):
    """The same by simrun_results, for the newest frame, and one that is older."""
    result.refresh()
    count = len(result.frames)
    for k in {0, count // 2, count - 1} if count else ():
        frame = result.frames[k]
        seen.add("frame", k, np.float64(frame.time), frame.positions, frame.velocities)
    return count, len(result.steps["iterations"]), result.status


def retried(work, path, failures):
    """Once more where the file has grown meanwhile, which may leave it out of reach of who opened it before; and a few times else."""
    without_reason = 0
    while True:
        size = os.path.getsize(path)
        try:
            return work()
        except (OSError, RuntimeError, KeyError) as error:
            failures.append(f"{type(error).__name__}: {error}")
            without_reason += os.path.getsize(path) == size
            if without_reason == OPENINGS:
                raise


def read_by_h5py(path, reads):
    """(what was seen, frames, why openings were repeated)."""
    seen, failures, frames, done = Seen(), [], 0, 0
    while done < reads or frames < 10:
        frames = retried(lambda: check_file(path, seen), path, failures)
        done += 1
        time.sleep(0.01)
    return seen, frames, failures


def read_by_simrun_results(path, reads):
    import simrun_results as sr
    seen, frames, steps, done = Seen(), 0, 0, 0
    with sr.open(path) as result:
        while done < reads or frames < 10:
            frames, now, status = check_result(result, seen)
            assert now >= steps and status == "running", (now, steps, status)
            steps, done = now, done + 1
            time.sleep(0.01)
    return seen, frames, []


def one_kind(simrun, sr, folder, kind, reads):
    cells, compression, duration, end = KINDS[kind]
    scene, path = os.path.join(folder, "scene.json"), os.path.join(folder, "beside.h5")
    with open(scene, "w") as file:
        text = SCENE.replace("CELLS", str(cells)).replace("COMPRESSION", str(compression))
        file.write(text.replace("DURATION", str(duration)))
    if os.path.exists(path):
        os.remove(path)
    with concurrent.futures.ProcessPoolExecutor(2) as readers, \
            subprocess.Popen([simrun, scene, "--quiet", "--threads", "1", "-o", path]) as run:
        try:
            while run.poll() is None and not os.path.exists(path):
                time.sleep(0.01)
            reading = [readers.submit(reader, path, reads) for reader in (read_by_h5py, read_by_simrun_results)]
            found = [reader.result() for reader in reading]
            assert run.poll() is None, "the run has ended before those who read it"
        finally:
            run.send_signal(end)
            run.wait()
    expected = (-9, "running") if end == signal.SIGKILL else (130, "interrupted")
    with h5py.File(path, "r") as f:
        assert (f["frames/positions"].compression is not None) == (kind == "compressed frames")
    with sr.open(path) as result:
        assert (run.returncode, result.status) == expected, (run.returncode, result.status)
        assert len(result.frames) >= max(frames for _, frames, _ in found)
    for seen, frames, failures in found:
        size = len(seen.rows)
        check_file(path, seen, everything=True)  # says so where anything is not what was seen
        print(f"{kind}: {frames} frames and {size} rows seen in {reads} reads, all in the file at the end; "
              f"{len(failures)} openings had to be repeated {failures[:3] or ''}")


def main():
    simrun, scripts = sys.argv[1:3]
    reads = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    sys.path.insert(0, scripts)
    import simrun_results as sr
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            one_kind(simrun, sr, folder, kind, reads)


if __name__ == "__main__":
    main()
