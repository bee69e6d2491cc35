"""Dumps a problem, solves it by the methods of scripts/bench/dumped.sh, and judges what its table says of them.
usage: dumped_test.py <scripts folder> <simrun> <folder>

Residuals are computed here, from the formulas of docs/simsolve.md. Shares no code with the scripts. Exit status 77: h5py or
matplotlib is missing.
"""
import csv
import json
import os
import shutil
import subprocess
import sys

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError:
    sys.exit(77)

SCRIPTS, SIMRUN, FOLDER = sys.argv[1:]
SIMSOLVE = os.path.join(os.path.dirname(SIMRUN), "simsolve")
METHODS = ["auto", "cr-full", "exact"]
TOLERANCES = [("5e-5", "1.25e-6"), ("1e-7", "1e-8")]
PROBLEM = os.path.join(FOLDER, "chain.step1.hdf5")


def dumped(simrun=SIMRUN, folder=FOLDER):
    command = [sys.executable, os.path.join(SCRIPTS, "bench.py"), "dumped", "--simrun", simrun, "--quick", "-o", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


def rows_of(folder):
    with open(os.path.join(folder, "dumped.csv"), newline="") as file:
        return list(csv.DictReader(file))


def page_of(folder):
    with open(os.path.join(folder, "README.md")) as file:
        return file.read()


def dense(group):
    """A matrix of FCLIB in compressed columns."""
    p, i, x = (group[key][:] for key in "pix")
    full = np.zeros((int(group["m"][0]), int(group["n"][0])))
    for column in range(full.shape[1]):
        full[i[p[column]:p[column + 1]], column] = x[p[column]:p[column + 1]]
    return full


def misses(solution):
    """Of momentum, kg m/s, and of Signorini's and Coulomb's laws, m: not more than what simsolve has, whose compliances are larger."""
    with h5py.File(solution) as file:
        problem = file["fclib_global"]
        M, H = dense(problem["M"]), dense(problem["H"])
        f, w, mu = (problem["vectors/" + key][:] for key in ("f", "w", "mu"))
        v, r = file["solution/v"][:], file["solution/r"][:]
    M = np.where(M == 0, M.T, M)  # one triangle stands for both
    k = ((H**2).T @ (1 / np.diag(M))).reshape(-1, 3).mean(axis=1)
    u, kr = (H.T @ v + w).reshape(-1, 3), k[:, None] * r.reshape(-1, 3)
    assert kr[:, 0].max() > 0  # something is held
    normal = np.abs(kr[:, 0] - np.maximum(kr[:, 0] - u[:, 0], 0))
    asked, bound = kr[:, 1:] - u[:, 1:], mu * np.maximum(kr[:, 0], 0)
    allowed = asked * np.minimum(1, bound / np.maximum(np.linalg.norm(asked, axis=1), 1e-300))[:, None]
    return np.linalg.norm(M @ v - H @ r - f), max(normal.max(), np.linalg.norm(kr[:, 1:] - allowed, axis=1).max())


def the_table_holds_what_simsolve_says():
    """Once more by hand: the same counts, and solutions that are as good as was asked for."""
    rows = rows_of(FOLDER)
    assert [(row["tolerance"], row["method"]) for row in rows] == [(pair[0], method) for pair in TOLERANCES for method in METHODS]
    with h5py.File(PROBLEM) as file:
        contacts, unknowns = len(file["fclib_global/vectors/mu"]), len(file["fclib_global/vectors/f"])
        assert file["solution"].attrs["solve"]  # the hardest one of its step
    assert contacts > 0
    for row in rows:
        pair = (row["tolerance"], row["constraint_tolerance"])
        solution = os.path.join(FOLDER, "by-hand.hdf5")
        done = subprocess.run([SIMSOLVE, PROBLEM, "--solver", row["method"], "--tolerance", pair[0], "--constraint-tolerance", pair[1],
                               "--threads", "1", "--json", "-o", solution], capture_output=True, text=True)
        answer = json.loads(done.stdout)
        assert pair in TOLERANCES and row["problem"] == "chain, step 1"
        assert (int(row["contacts"]), int(row["unknowns"])) == (contacts, unknowns)
        assert row["status"] == answer["status"] == "converged", row
        for key in ("iterations", "products", "factorisations"):
            assert int(row[key]) == answer[key], (key, row)
        assert float(row["momentum"]) == answer["residual"]["momentum"] and float(row["seconds"]) > 0
        momentum, conditions = misses(solution)
        rounding = 1e-12
        assert momentum <= float(pair[0]) + rounding and conditions <= float(pair[1]) + rounding, (row, momentum, conditions)


def the_page_has_a_row_a_problem():
    lines = [line for line in page_of(FOLDER).splitlines() if line.startswith("| chain, step 1 |")]
    assert len(lines) == 1 + len(METHODS) * len(TOLERANCES), lines
    cells = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert [cell.split(",")[0] for cell in cells[3:]] == [row["iterations"] for row in rows_of(FOLDER)], cells
    assert "6 of 6 solves converged" in page_of(FOLDER)


def a_second_call_keeps_what_is_there():
    text = dumped()
    assert "chain: kept" in text and "simsolve" not in text, text


def a_solve_that_does_not_converge_has_its_reason():
    """By a simsolve that is allowed one iteration only."""
    folder, programs = os.path.join(FOLDER, "one-iteration"), os.path.join(FOLDER, "programs")
    os.makedirs(programs)
    os.symlink(SIMRUN, os.path.join(programs, "simrun"))
    with open(os.path.join(programs, "simsolve"), "w") as file:
        file.write(f'#!/bin/sh\nexec "{SIMSOLVE}" "$@" --max-iterations 1\n')
    os.chmod(file.name, 0o755)
    dumped(os.path.join(programs, "simrun"), folder)
    row = next(row for row in rows_of(folder) if row["method"] == "cr-full")
    assert row["status"] == "iteration limit" and row["reason"] and float(row["momentum"]) > float(row["tolerance"]), row
    page = page_of(folder)
    assert f"- chain, step 1, cr-full at (5e-5, 1.25e-6): iteration limit. {row['reason']}" in page and "**iteration limit** 1" in page, page
    assert "6 of 6 solves converged" not in page


SIMRUN = os.path.abspath(SIMRUN)
SIMSOLVE = os.path.abspath(SIMSOLVE)
shutil.rmtree(FOLDER, ignore_errors=True)
dumped()
the_table_holds_what_simsolve_says()
the_page_has_a_row_a_problem()
a_second_call_keeps_what_is_there()
a_solve_that_does_not_converge_has_its_reason()
