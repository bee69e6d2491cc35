"""Runs two parts of all that docs/results shows and reads the page; one of them cannot run. usage: all_test.py <scripts folder> <simrun> <folder>

Shares no code with the scripts. Exit status 77: h5py, matplotlib or VTK is missing.
"""
import os
import shutil
import subprocess
import sys

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
    import vtk  # noqa: F401
except ImportError:
    sys.exit(77)

SCRIPTS, SIMRUN, FOLDER = sys.argv[1:]


def everything(*options, expected):
    command = [sys.executable, os.path.join(SCRIPTS, "bench.py"), "all", "--simrun", SIMRUN, "--quick", "-o", FOLDER, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
    return done


def page():
    with open(os.path.join(FOLDER, "README.md")) as file:
        return file.read()


def cells(text, beginning):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith(beginning)]


def the_plan_tells_all_parts_and_runs_none():
    told = everything("--plan", expected=0).stdout
    assert all(name in told for name in ("whole", "letter/rings", "program/pyramid", "figure12", "dumped", "pull")), told
    assert not os.path.exists(FOLDER)


def what_a_part_says_itself_is_refused():
    assert "its parts say that themselves" in everything("--solvers", "ica", expected=1).stderr
    assert "it takes --only, --plan, --again" in everything("--full", expected=1).stderr
    assert "there is no such part" in everything("--only", "whole,figure7", expected=1).stderr


def a_part_that_fails_does_not_end_the_others():
    """Figure 11 is drawn from tables that are not there."""
    done = everything("--only", "rigid-stack,figure11,dumped", expected=2)
    assert "figure11 failed with exit status 1; the others go on" in done.stderr, done.stderr
    became = {row[0].split("]")[0].strip("["): row[2] for row in cells(page(), "| [")}
    assert became == {"rigid-stack": "done", "figure11": "failed with exit status 1", "dumped": "done"}, became


def a_second_call_does_what_is_left():
    told = everything("--only", "rigid-stack,figure11,dumped", expected=2).stdout
    assert "rigid-stack: kept" in told and "dumped: kept" in told and "== figure11" in told, told


def the_page_of_a_part_is_in_it_with_links_that_lead_there():
    text = page()
    assert "## Problems of single steps" in text and "## Rigid stack" in text and "### simcheck" in text
    links = [part.split(")")[0] for part in text.split("](")[1:]]
    files = [link for link in links if not link.startswith(("http", "#"))]
    assert files and all(os.path.exists(os.path.join(FOLDER, link)) for link in files), files


def whole_runs_are_what_their_files_hold():
    everything("--only", "whole", expected=0)
    with h5py.File(os.path.join(FOLDER, "whole", "rings.h5")) as file:
        steps = {name: file["steps"][name][:] for name in ("step", "iterations", "active", "relinearizations", "work_prescribed", "dissipation_scheme", "kinetic_energy",
                                                            "potential_energy", "elastic_energy", "dissipation_friction", "dissipation_damping", "work_correction")}
        frames = len(file["frames/time"])
    row = cells(page(), "| rings |")[0]
    assert row[1] == f"1 to {len(steps['step'])}" and len(steps["step"]) == 100, row
    assert row[2] == f"{np.mean(steps['iterations']):,.0f} ({np.median(steps['iterations']):,.0f}; {steps['iterations'].max():,})", row
    assert row[5] == f"{np.mean(steps['active']):,.0f} ({steps['active'].max():,})", row
    assert row[14] == f"{frames} of {frames}: clean", row
    # What is lost is what the energies of the first and the last step tell: nothing does work on rings that fall.
    energy = sum(steps[name] for name in ("kinetic_energy", "potential_energy", "elastic_energy"))
    first = sum(steps[name][0] for name in ("dissipation_scheme", "dissipation_friction", "dissipation_damping"))
    lost = sum(float(cell) for cell in row[11:14])
    given = steps["work_correction"][1:].sum()
    assert abs(energy[0] + given - energy[-1] - (lost - first)) < 2e-3 * lost, (energy[0] - energy[-1], given, lost)


shutil.rmtree(FOLDER, ignore_errors=True)
the_plan_tells_all_parts_and_runs_none()
what_a_part_says_itself_is_refused()
a_part_that_fails_does_not_end_the_others()
a_second_call_does_what_is_left()
the_page_of_a_part_is_in_it_with_links_that_lead_there()
whole_runs_are_what_their_files_hold()
