"""Kills a program that writes a result file at random moments and reads what is left. Standard library and h5py only.

usage: kill_test.py <frame_writer> [kills] [vertices] [--readers]

With --readers the file is also read, in the plain way, again and again while the writer runs. Ends with 0 when every
frame and checkpoint that was said to be written was there bit for bit every time, with 77 when h5py is not installed.
"""
import os
import random
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)


def check(path, vertices, at_least):
    """The number of frames in the file, all of which are what the writer wrote; raises where something is wrong."""
    expected = np.arange(3 * vertices).reshape(vertices, 3) / 1048576.0
    with h5py.File(path, "r") as f:
        assert f.attrs["status"] == "running", f.attrs["status"]
        times = f["frames/time"][:]
        n = len(times)
        assert n >= at_least, f"{n} frames of {at_least}"
        assert np.array_equal(times, 0.1 * np.arange(n)), "times"
        for name, shift in (("positions", 0.0), ("velocities", 1e6)):
            dataset = f["frames/" + name]
            chosen = {0, n // 2, n - 2, n - 1} if vertices > 1000 else range(n)
            for k in chosen:
                if 0 <= k < n:
                    assert np.array_equal(dataset[k], k + expected + shift), f"{name} of frame {k} of {n}"
        assert np.array_equal(f["frames/step"][:n], 10 * np.arange(n)), "step numbers"
        assert np.array_equal(f["frames/von_mises"][:n, 0], np.arange(n) + 0.5), "von Mises stress"
        stress = np.arange(n)[:, None] + np.arange(1, 7)
        assert np.array_equal(f["frames/stress"][:n, 0], stress), "stress"
        assert np.array_equal(f["frames/strain"][:n, 0], stress / 8), "strain"
        check_forces(f["frames/contact_forces"], chosen, n)
        step = f["steps/step"][:]
        m = len(step)
        assert m >= 10 * (n - 1), f"{m} steps with {n} frames"
        assert np.array_equal(step, 1 + np.arange(m)), "steps/step"
        assert np.array_equal(f["steps/iterations"][:m], 7 * (1 + np.arange(m))), "steps/iterations"
        assert np.array_equal(f["steps/residual"][:m], 1.0 / (1 + np.arange(m))), "steps/residual"
        assert np.array_equal(f["steps/momentum"][:m, 2], 3.0 * (1 + np.arange(m))), "steps/momentum"
        check_trace(f["trace"], m)
        check_contacts(f["contacts"], n)
        check_checkpoints(f["checkpoint"], n, at_least, expected)
    return n


def check_forces(forces, chosen, n):
    for k in chosen:
        if 0 <= k < n:
            total = np.zeros(forces.shape[1:])
            total[0, 2] = (k % 3) * (k + 1)
            assert np.array_equal(forces[k], total), f"contact forces of frame {k} of {n}"


def check_trace(trace, steps):
    m = len(trace["step"])
    assert m >= steps, f"{m} traced steps of {steps}"
    step = 1 + np.arange(m)
    assert np.array_equal(trace["step"][:], step), "trace/step"
    begin = np.concatenate([[0], np.cumsum(step % 4)])
    assert np.array_equal(trace["begin"][:m + 1], begin), "trace/begin"
    expected = np.concatenate([100.0 * s + np.arange(s % 4) for s in step]) if m else np.zeros(0)
    assert np.array_equal(trace["residual"][:begin[-1]], expected), "trace/residual"


def check_contacts(contacts, n):
    number = np.arange(n) % 3
    begin = np.concatenate([[0], np.cumsum(number)])
    assert np.array_equal(contacts["begin"][:n + 1], begin), "contacts/begin"
    expected = np.repeat(1.0 + np.arange(n), number)
    assert np.array_equal(contacts["lambda"][:begin[-1]], expected), "contacts/lambda"


def check_checkpoints(checkpoint, frames, at_least, expected):
    """After frame 0, 4, 8, ... for good, after the others until the next; the newest is at most a frame behind."""
    m = len(checkpoint["step"])
    assert np.array_equal(checkpoint["step"][:], 40 * np.arange(m)), "checkpoint/step"
    states = [(checkpoint, row, 4 * row) for row in {0, m // 2, m - 2, m - 1} if 0 <= row < m]
    if "last" in checkpoint:
        last = checkpoint["last"]
        assert len(last["step"]) == 1, "checkpoint/last/step"
        frame = int(last["step"][0]) // 10
        assert frame % 4 != 0, f"checkpoint/last after frame {frame}"
        states.append((last, 0, frame))
    newest = max([frame for _, _, frame in states], default=-1)
    assert at_least - 1 <= newest <= frames - 1, f"checkpoint {newest} with {frames} frames, {at_least} returned"
    for group, row, frame in states:
        assert np.array_equal(group["positions"][row], frame + expected), f"checkpoint of frame {frame}"
        assert np.array_equal(group["velocities"][row], frame + expected + 1e6), f"checkpoint of frame {frame}"
        begin, end = group["begin"][row:row + 2]
        assert end - begin == frame % 3, f"contacts of checkpoint {frame}"
        columns = group["contact_reals"].attrs["columns"].split()
        forces = group["contact_reals"][begin:end, columns.index("lambda")]
        assert (forces == frame + 1).all(), f"contacts of checkpoint {frame}"
        assert len(group["contact_integers"]) >= end, f"contacts of checkpoint {frame}"


def check_xdmf(path, at_least):
    with open(path, "rb") as file:
        document = xml.dom.minidom.parseString(file.read())
    n = len(document.getElementsByTagName("Time"))
    assert n >= at_least - 1, f"{n} frames of {at_least} in the XDMF file"


def one_run(program, folder, vertices, readers, failures):
    path = os.path.join(folder, "killed.h5")
    pause = "2" if readers else "0"  # milliseconds between frames
    with subprocess.Popen([program, path, str(vertices), pause], stdout=subprocess.PIPE) as writer:
        lines = writer.stdout.readline()
        end = time.monotonic() + random.uniform(0.0, 0.06)
        reads = 0
        while readers and time.monotonic() < end + 0.2:
            attempt(lambda: check(path, vertices, 1), "reading beside the writer", failures)
            attempt(lambda: check_xdmf(path[:-2] + "xdmf", 1), "XDMF beside the writer", failures)
            reads += 1
        while time.monotonic() < end:
            pass
        writer.kill()
        lines += writer.stdout.read()
    returned = int(lines[:lines.rfind(b"\n")].split(b"\n")[-1])
    attempt(lambda: check(path, vertices, returned), "after the kill", failures)
    attempt(lambda: check_xdmf(path[:-2] + "xdmf", returned), "XDMF after the kill", failures)
    return returned, reads


def attempt(work, what, failures):
    try:
        work()
    except Exception as error:
        failures.append(f"{what}: {type(error).__name__}: {error}")


def main():
    readers = "--readers" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--readers"]
    program = arguments[0]
    kills = int(arguments[1]) if len(arguments) > 1 else 40
    vertices = int(arguments[2]) if len(arguments) > 2 else 300
    random.seed(1)
    failures, frames, reads = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(kills):
            returned, read = one_run(program, folder, vertices, readers, failures)
            frames += returned
            reads += read
    print(f"{kills} kills, {frames / kills:.0f} frames before each on average, {reads} reads beside the writer, "
          f"{len(failures)} failures")
    for failure in failures[:10]:
        print("  " + failure)
    return 1 if failures or frames == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
