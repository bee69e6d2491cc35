"""Runs scripts/compare.sh and recomputes its table from the result files. usage: compare_test.py <compare.sh> <simrun> <scene> <folder>

Shares no code with the script. Exit status 77: no h5py.
"""
import csv
import math
import os
import shutil
import statistics
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

COMPARE, SIMRUN, SCENE, FOLDER = sys.argv[1:]
START, WINDOW = 330, 20
METHODS = ["cr-full", "cr-diag", "ica"]
OPTIONS = ["--solvers", ",".join(METHODS), "--from", str(START), "--window", str(WINDOW), "--repeat", "2"]


def compare(folder, *options, expected=0):
    done = subprocess.run([COMPARE, SCENE, "--simrun", SIMRUN, "-o", folder, *options], capture_output=True, text=True)
    assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
    return done


def table(folder, part="window"):
    with open(os.path.join(folder, "comparison.csv"), newline="") as file:
        return {row["solver"]: row for row in csv.DictReader(file) if row["part"] == part}


def column(folder, name, key):
    with h5py.File(os.path.join(folder, name + ".h5")) as file:
        return [float(value) for value in file["steps/" + key][:]]


def frame(folder, name, k):
    """Of the five rings, which are the rows before the floor's."""
    with h5py.File(os.path.join(folder, name + ".h5")) as file:
        moved = file["model/objects/vertex_begin"][5]
        assert file["model/objects/type"].asstr()[5] == "fixed"
        assert file["frames/step"][k] == (START if k == 0 else START + (1 if name.endswith("first") else WINDOW))
        return file["frames/positions"][k][:moved], file["frames/velocities"][k][:moved]


def near(text, value):
    assert math.isclose(float(text), value, rel_tol=1e-9, abs_tol=1e-300), (text, value)


def every_number_is_that_of_the_files(folder):
    rows = table(folder)
    assert list(rows) == METHODS
    for name, row in rows.items():
        runs = [f"{name}.window{k}" for k in (1, 2)]
        assert row["status"] == "done" and row["outcome"] == "done" and int(row["steps"]) == WINDOW and row["runs"] == "2"
        near(row["iterations_mean"], sum(column(folder, runs[0], "iterations")) / WINDOW)
        near(row["iterations_median"], statistics.median(column(folder, runs[0], "iterations")))
        near(row["constraints_mean"], sum(column(folder, runs[0], "active")) / WINDOW)
        near(row["relinearizations_mean"], sum(column(folder, runs[0], "relinearizations")) / WINDOW)
        near(row["residual_worst"], max(column(folder, runs[0], "residual")))
        near(row["constraint_error_worst"], max(column(folder, runs[0], "constraint_error")))
        assert int(row["failures"]) == sum(status != 0 for status in column(folder, runs[0], "status"))
        for key, parts in (("resolution_ms", ["t_solve", "t_relinearize"]), ("collision_ms", ["t_detect"]), ("total_ms", ["t_total"])):
            times = [[1000 * sum(values) for values in zip(*(column(folder, run, p) for p in parts))] for run in runs]
            near(row[key + "_mean"], sum(statistics.mean(t) for t in times) / 2)
            near(row[key + "_median"], sum(statistics.median(t) for t in times) / 2)
        reference = sum(column(folder, "cr-full.window1", "iterations"))
        near(row["iterations_ratio"], sum(column(folder, runs[0], "iterations")) / reference)
        turns = [sum(column(folder, run, "t_total")) / sum(column(folder, f"cr-full.window{k}", "t_total")) for k, run in zip((1, 2), runs)]
        near(row["total_ratio"], sum(turns) / 2)
        near(row["total_ratio_least"], min(turns))
        near(row["total_ratio_most"], max(turns))
    assert float(rows["cr-full"]["constraints_mean"]) > 5  # it is a heap
    return rows


def all_start_from_the_same_bits(folder):
    start = frame(folder, "cr-full.window1", 0)
    with h5py.File(os.path.join(folder, "reference.h5")) as file:
        state = file["checkpoint/last"] if "last" in file["checkpoint"] else file["checkpoint"]
        assert state["step"][-1] == START
        moved = len(start[0])
        for ours, stored in zip(start, ("positions", "velocities")):
            assert ours.tobytes() == state[stored][-1][:moved].tobytes()
    for name in METHODS:
        for run in ("first", "window1", "window2"):
            for a, b in zip(frame(folder, f"{name}.{run}", 0), start):
                assert a.tobytes() == b.tobytes(), (name, run)
        with h5py.File(os.path.join(folder, f"{name}.window1.h5")) as file:
            assert file.attrs["solver"] == name
            assert file["steps/step"][:].tolist() == list(range(START + 1, START + WINDOW + 1))


def agreement_is_that_of_the_states(folder, rows):
    for name in METHODS:
        for run, key in (("first", "first"), ("window1", "end")):
            (x0, _), (x, v) = frame(folder, f"cr-full.{run}", 0), frame(folder, f"{name}.{run}", -1)
            xr, vr = frame(folder, f"cr-full.{run}", -1)
            near(rows[name][key + "_positions"], math.sqrt(((x - xr) ** 2).sum() / ((xr - x0) ** 2).sum()))
            near(rows[name][key + "_velocities"], math.sqrt(((v - vr) ** 2).sum() / (vr ** 2).sum()))
    assert float(rows["cr-full"]["end_positions"]) == 0
    assert 0 < float(rows["ica"]["first_velocities"]) < 0.01  # another method, the same problem


def what_is_done_is_kept_and_what_was_cut_off_goes_on(folder):
    path = os.path.join(folder, "ica.window2.h5")
    with h5py.File(path) as file:
        before = [file[name][-1].tobytes() for name in ("frames/positions", "frames/velocities")]
    with h5py.File(path, "r+") as file:
        file.attrs.modify("status", np.bytes_("running"))
    os.remove(os.path.join(folder, "cr-diag.first.h5"))
    text = compare(folder, *OPTIONS).stdout
    assert "cr-full.window1: kept" in text and "ica.window1: kept" in text
    assert "cr-diag.first: done" in text and "ica.window2: done" in text
    with h5py.File(path) as file:
        assert "--resume" in file.attrs["command_line"].splitlines()[-1]
        assert before == [file[name][-1].tobytes() for name in ("frames/positions", "frames/velocities")]
    every_number_is_that_of_the_files(folder)


def another_setting_is_not_taken_for_the_old_one(folder):
    text = compare(folder, *OPTIONS, "--set", "contact.friction=0.4").stdout
    assert "kept" not in text
    with h5py.File(os.path.join(folder, "ica.window1.h5")) as file:
        assert '0.4' in file.attrs["scene"]


def a_method_that_stops_is_shown_as_such(folder):
    """One iteration is not enough for a heap; the run is told to stop there."""
    own = ["--set-for", "ica:solver.on_failure=stop", "--set-for", "ica:solver.max_iterations=1"]
    text = compare(folder, *OPTIONS, *own, "--full", "--repeat-full", "2", "--duration", "0.35", expected=2).stdout
    for part in ("window", "full"):
        row = table(folder, part)["ica"]
        run = "ica.window1" if part == "window" else "ica.full"
        with h5py.File(os.path.join(folder, run + ".h5")) as file:
            assert file.attrs["status"] == "stopped"
            last, reason = file["steps/step"][-1], file.attrs["reason"]
            made = int(file["steps/accepted"][:].sum())
        assert row["status"] == "stopped" and reason in row["outcome"] and f"at step {last}" in row["outcome"], row
        assert int(row["steps"]) == made and int(row["failures"]) == 1
        assert row["end_positions"] == ""
        assert table(folder, part)["cr-full"]["status"] == "done"
    turns = [sum(column(folder, f"cr-diag.full{k}", "t_total")) / sum(column(folder, f"cr-full.full{k}", "t_total")) for k in ("", "2")]
    row = table(folder, "full")["cr-diag"]
    assert row["runs"] == "2" and float(row["processor_s"]) > 0
    near(row["total_ratio_least"], min(turns))
    near(row["total_ratio_most"], max(turns))
    assert "| ica | stopped |" in text and "ica did not get to the end" in text
    with open(os.path.join(folder, "comparison.md")) as file:
        assert file.read() in text
    assert "--set-for ica:solver.max_iterations=1" in text.split("## ")[0]  # whoever reads the table knows


def steps_that_fail_are_counted(folder):
    compare(folder, *OPTIONS, "--set-for", "ica:solver.max_iterations=10")
    row = table(folder)["ica"]
    failed = sum(status != 0 for status in column(folder, "ica.window1", "status"))
    assert failed > 0 and int(row["failures"]) == failed and row["status"] == "done"
    with open(os.path.join(folder, "comparison.md")) as file:
        assert f"ica did not converge on {failed} of {WINDOW} step(s)" in file.read()


def steppers_of_their_own_are_columns_too(folder):
    """local goes on from the checkpoint of another method, and all that there is starts from time 0."""
    compare(folder, "--solvers", "cr-full,local", *OPTIONS[2:6])
    row = table(folder)["local"]
    near(row["iterations_mean"], sum(column(folder, "local.window1", "iterations")) / WINDOW)
    near(row["parts_mean"], sum(column(folder, "local.window1", "substeps")) / WINDOW)
    assert row["status"] == "done" and float(row["constraints_mean"]) > 5 and float(row["end_positions"]) < 0.1, row
    text = compare(folder, "--solvers", "cr-full,local,acm", "--from", "0", "--window", "3").stdout
    assert [row["steps"] for row in table(folder).values()] == ["3", "3", "3"] and "All from time 0" in text and "local makes no contact problem" in text
    with h5py.File(os.path.join(folder, "acm.window1.h5")) as file:
        assert file.attrs["solver"] == "acm" and file["frames/step"][:].tolist() == [0, 3]
    done = compare(folder, "--solvers", "cr-full,acm", *OPTIONS[2:6], expected=1)
    assert "--from 0 compares all from time 0" in done.stderr


def mistakes_are_refused(folder):
    for options in (["--solvers", "cr-ful"], ["--set", "solver.method=ica"], ["--set-for", "qp:a=1"], ["--window", "0"],
                    ["--from", "3", "--from-time", "0.1"]):
        done = compare(folder, *options, expected=1)
        assert done.stderr.startswith("compare.py: ") and not done.stdout, options


shutil.rmtree(FOLDER, ignore_errors=True)
mistakes_are_refused(FOLDER)
compare(FOLDER, *OPTIONS)
ROWS = every_number_is_that_of_the_files(FOLDER)
all_start_from_the_same_bits(FOLDER)
agreement_is_that_of_the_states(FOLDER, ROWS)
what_is_done_is_kept_and_what_was_cut_off_goes_on(FOLDER)
a_method_that_stops_is_shown_as_such(FOLDER)
steps_that_fail_are_counted(FOLDER)
steppers_of_their_own_are_columns_too(FOLDER)
another_setting_is_not_taken_for_the_old_one(FOLDER)
