"""Runs a quick benchmark and recomputes its page. usage: bench_test.py <scripts folder> <simrun> <folder>

Shares no code with the scripts. Exit status 77: h5py or matplotlib is missing.
"""
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


def bench(name, *options, expected=0):
    command = [sys.executable, os.path.join(SCRIPTS, "bench.py"), name, "--simrun", SIMRUN, "--quick", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
    return done


def rows_of_the_page():
    with open(os.path.join(FOLDER, "README.md")) as file:
        cells = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in file if line.startswith("| rings |")]
    return {row[1]: row for row in cells}


def the_page_holds_what_the_result_files_hold():
    rows = rows_of_the_page()
    assert list(rows) == ["cr-full", "ica"]
    for name, row in rows.items():
        with h5py.File(os.path.join(FOLDER, name + ".window1.h5")) as file:
            iterations, active = file["steps/iterations"][:], file["steps/active"][:]
            total = file["steps/t_total"][:]
        assert len(active) == 20 and active.min() > 5  # they are in contact
        assert row[2] == "window" and row[9] == "0" and row[10] == "20"
        assert row[6] == f"{np.mean(iterations):.3g} ({np.median(iterations):.3g})"
        assert row[7] == f"{np.mean(active):.3g}"
        assert row[5] == f"{np.mean(total):.3g} ({np.median(total):.3g})"


def the_page_tells_of_the_rings_that_fell():
    with h5py.File(os.path.join(FOLDER, "cr-full.window1.h5")) as file:
        rings = int((file["model/objects/type"].asstr()[:] == "deformable").sum())
    with open(os.path.join(FOLDER, "README.md")) as file:
        text = file.read()
    assert f"{rings} rings fall" in text and "120 rings fall" not in text, text[:800]


def a_second_call_keeps_the_runs():
    text = bench("rings", *OPTIONS).stdout
    assert "reference: kept" in text and "ica.window1: kept" in text and ": done" not in text


def the_picture_is_one():
    with open(os.path.join(FOLDER, "iterations.png"), "rb") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def an_unknown_name_is_refused():
    assert "expected one of rings, " in bench("ring", expected=1).stderr


def the_cage_has_the_published_counts():
    """432 tets and 528 faces (60,480 and 73,920 of 140), every tet of positive volume, every face used once or twice."""
    path = os.path.join(FOLDER, "cage.vtk")
    subprocess.run([sys.executable, os.path.join(SCRIPTS, "meshes", "cage.py"), path], check=True)
    with open(path) as file:
        words = file.read().split()
    at = words.index("POINTS")
    x = np.array(words[at + 3:at + 3 + 3 * int(words[at + 1])], float).reshape(-1, 3)
    at = words.index("CELLS")
    tets = np.array(words[at + 3:at + 3 + 5 * int(words[at + 1])], int).reshape(-1, 5)[:, 1:]
    uses = {}
    for tet in tets:
        for k in range(4):
            face = tuple(sorted(np.delete(tet, k)))
            uses[face] = uses.get(face, 0) + 1
    surface = [face for face, count in uses.items() if count == 1]
    assert max(uses.values()) == 2 and len(surface) == 528 and len(tets) == 432 and len(x) == 240
    a, b, c, d = (x[tets[:, k]] for k in range(4))
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) > 0).all()


OPTIONS = ["--solvers", "cr-full,ica", "-o", FOLDER]
shutil.rmtree(FOLDER, ignore_errors=True)
an_unknown_name_is_refused()
bench("rings", *OPTIONS)
the_page_holds_what_the_result_files_hold()
the_page_tells_of_the_rings_that_fell()
the_picture_is_one()
a_second_call_keeps_the_runs()
the_cage_has_the_published_counts()
