#!/usr/bin/python3
"""Shows the newest time steps of a result file, and those that follow while the run goes on.

    scripts/tail.py out.h5                                   the last ten steps, then those that come, until the run ends
    scripts/tail.py out.h5 -n 1 --once                       the last step, and no more
    scripts/tail.py out.h5 --columns step,t_solve,residual   other columns of /steps (docs/result-format.md)

The run is not disturbed: the file is only read. Steps reach it with the next frame, or a hundred at a time. Exit status: 0 the run is
done (with --once: or goes on); 1 usage, or a column that is not there; 2 it was stopped, interrupted or killed; 3 the file cannot be
read; 130 interrupted. Debian packages: python3-numpy python3-h5py.
"""
import fcntl
import os
import struct
import sys
import time

from common import command_line

with command_line.needing("python3-numpy python3-h5py"):
    import simrun_results as sr

COLUMNS = "step,time,substeps,iterations,contacts,active,sliding,min_gap,residual,t_total"
F_OFD_GETLK = 36  # of Linux; not every Python names it
LOCK = struct.Struct("hhqqi4x")  # struct flock


def is_written(path):
    """Whether a run on this machine has the file: it holds a lock on the last byte there can be (output/descriptor.cpp)."""
    with open(path, "rb") as file:
        asked = LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 2**63 - 2, 1, 0)
        return LOCK.unpack(fcntl.fcntl(file, F_OFD_GETLK, asked))[0] != fcntl.F_UNLCK


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("result", metavar="out.h5", help="the result file")
    parser.add_argument("-n", type=command_line.positive(int), default=10, metavar="STEPS", help="how many steps to begin with (%(default)s)")
    parser.add_argument("--columns", default=COLUMNS, help="columns of /steps that hold single numbers (%(default)s)")
    parser.add_argument("--every", type=command_line.positive(float), default=1.0, metavar="SECONDS", help="time between two looks (%(default)s)")
    parser.add_argument("--once", action="store_true", help="do not wait for more")
    return parser.parse_args()


def text(name, value):
    return "-" if name == "min_gap" and value != value else f"{value:.6g}"


def show(result, columns, begin):
    """Prints the steps from row `begin` on; returns how many there are in all."""
    values = [result.steps[name] for name in columns]
    for row in range(begin, len(result.steps)):
        print(" ".join(f"{text(name, column[row]):>{max(10, len(name))}}" for name, column in zip(columns, values)))
    sys.stdout.flush()
    return len(result.steps)


def follow(options):
    columns = options.columns.split(",")
    with sr.open(options.result) as result:
        for name in columns:
            if result.steps[name].ndim > 1:
                raise sr.MissingError(f"{options.result}: /steps/{name} holds vectors, expected a column of single numbers")
        print(" ".join(f"{name:>10}" for name in columns))
        rows = show(result, columns, max(0, len(result.steps) - options.n))
        while result.status == "running":
            going_on = is_written(options.result)  # before the look: what was written until then is seen
            if going_on and options.once:
                break
            result.refresh()
            if len(result.steps) > rows:
                rows = show(result, columns, max(rows, len(result.steps) - options.n))
            if result.status == "running" and not going_on:
                print("no run on this machine writes the file any more. If none does elsewhere, it was killed; go on with: "
                      f"simrun --resume {options.result}")
                return command_line.UNFINISHED
            time.sleep(options.every if result.status == "running" else 0)
        print(f"{result.status}{': ' + result.reason if result.reason else ''}, {len(result.frames)} frames, {rows} steps")
        going = options.once and result.status == "running"
        return command_line.DONE if result.status == "done" or going else command_line.UNFINISHED


def main():
    return follow(arguments())


if __name__ == "__main__":
    sys.exit(command_line.run(main))
