"""Problems of single steps of many scenes, each solved by several methods at two pairs of tolerances."""
import csv
import os

import h5py

from benchmarks import pages, place, studies
from common import programs
from common.files import replacing
from comparison import tables
from comparison.runs import Runs

METHODS = ("auto", "cr-full", "exact")
TOLERANCES = (("5e-5", "1.25e-6"), ("1e-7", "1e-8"))  # kg m/s and m: eps1 of the paper and a quarter of its eps2; 500 and 125 times less
COLUMNS = ("problem", "unknowns", "contacts", "method", "tolerance", "constraint_tolerance", "status", "iterations", "products", "passes",
           "factorisations", "seconds", "repeat", "momentum", "normal", "tangential", "reason")
RUNS_COST, SOLVES_COST = 400, 1400  # s, with --limit 900: for the estimate only


class Scene:
    """What is run, and the steps whose problems are kept: first contacts, a growing heap, rest."""

    def __init__(self, path, steps, settings=(), meshes=()):
        self.path, self.steps, self.settings, self.meshes = path, steps, settings, meshes


SCENES = {
    "rings": Scene("rings.json", (450, 500, 600, 1200)),
    "rings-dt10": Scene("rings.json", (30, 49, 60), ("--dt", "0.01")),
    "pyramid": Scene("pyramid.json", (250, 300, 400), meshes=("cage",)),
    "bunnies": Scene("bunnies.json", (303, 408), meshes=("bunny",)),
    "armadillo-small": Scene("armadillo-small.json", (1000, 2000, 3000), meshes=("armadillo-small",)),
    "stiff-card": Scene("bench/stiff-card.json", (1, 2, 40)),
    "house-of-cards": Scene("bench/house-of-cards.json", (1, 2, 20)),
    "mats": Scene("bench/mats.json", (10, 13, 40)),
    "twisted-mat": Scene("bench/twisted-mat.json", (34, 48, 60)),
    "chain": Scene("bench/chain.json", (1, 21, 50)),
    "rigid-stack": Scene("rigid-stack.json", (10, 50)),
    "mixed-pile-small": Scene("mixed-pile-small.json", (60, 100)),
}
QUICK = {"chain": Scene("bench/chain.json", (1,))}

ABOUT = """Of each step the problem that took its run the most iterations, or was not solved (`--dump-hardest`), each solved from v = 0 without
forces by `simsolve`, {threads} thread(s). Tolerances: {tolerances}. Iterations are as each method counts them, seconds those of the
method alone, the shortest of `repeat` in dumped.csv."""


def dumped(options):
    """Returns the exit status: 0 where every solve has its answer, converged or not, 2 otherwise."""
    print(f"dumped: {what(options)}; " + ("a minute or two" if options.quick else f"about {place.spell(RUNS_COST + SOLVES_COST * options.repeat)}"), flush=True)
    runs = Runs(options.simrun, options.output, options.threads, options.limit)
    scenes = QUICK if options.quick else SCENES
    place.prepare(tuple(mesh for scene in scenes.values() for mesh in scene.meshes))
    rows, missing = [], []
    for name, scene in scenes.items():
        problems, told = problems_of(name, scene, options, runs)
        missing += told
        for problem in problems:
            for pair in TOLERANCES:
                for method in METHODS:
                    answer = studies.solve(programs.beside(options.simrun, "simsolve"), problem, method, options, pair)
                    rows.append(row_of(problem, method, pair, answer, options))
        if rows:
            write(options, runs.version, rows, missing)
    if not rows:
        return 2
    print(f"written: {write(options, runs.version, rows, missing)}")
    return 2 if missing or any(row["status"] == "no answer" for row in rows) else 0


def what(options):
    scenes = QUICK if options.quick else SCENES
    return f"{sum(len(scene.steps) for scene in scenes.values())} problems of {', '.join(scenes)}"


def problems_of(name, scene, options, runs):
    """Files, and a line for each that there is not."""
    words = ["--dump-hardest", *(word for step in scene.steps for word in ("--dump-problem", str(step)))]
    run = runs.run(name, ["--steps", str(scene.steps[-1]), *scene.settings], scene=place.scene(scene.path), again=words)
    files = [os.path.join(options.output, f"{name}.step{step}.hdf5") for step in scene.steps]
    return ([file for file in files if os.path.exists(file)],
            [f"- {title(file)}: not there, the run: {run.outcome()}" for file in files if not os.path.exists(file)])


def title(problem):
    scene, step = os.path.basename(problem)[:-5].rsplit(".step", 1)
    return f"{scene}, step {step}"


def row_of(problem, method, pair, answer, options):
    row = dict.fromkeys(COLUMNS, "") | {"problem": title(problem), "method": method, "tolerance": pair[0], "constraint_tolerance": pair[1]}
    if answer:
        return row | {key: answer[key] for key in COLUMNS if key in answer and key != "tolerance"} | {
            key: answer["residual"][key] for key in ("momentum", "normal", "tangential")}
    with h5py.File(problem) as file:
        row["unknowns"] = len(file["fclib_global/vectors/f"])
    return row | {"contacts": studies.contacts_of(problem), "status": "no answer",
                  "reason": f"cut off after {options.limit} s" if options.limit else "simsolve ended without an answer"}


def write(options, version, rows, missing):
    """Table and page; returns the name of the page."""
    with replacing(os.path.join(options.output, "dumped.csv"), newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    pairs = " and ".join(spell(pair) for pair in TOLERANCES)
    body = [ABOUT.format(threads=options.threads, tolerances=pairs), "", *summary(rows), "", *reasons(rows), *missing, "", "## All", "", *details(rows)]
    body = ["A quick version: only to see that it works.", "", *body] if options.quick else body
    return pages.write(options.output, "Problems of single steps", pages.facts(version, options.command, options.threads), body, [])


def spell(pair):
    return f"({pair[0]} kg m/s, {pair[1]} m)"


def converged(row):
    return row["status"] == "converged"


def summary(rows):
    """A row a problem: iterations and seconds by method at both pairs."""
    head = ["problem", "unknowns", "contacts", *(f"{method}, {pair[0]}" for pair in TOLERANCES for method in METHODS)]
    cells = {}
    for row in rows:
        line = cells.setdefault(row["problem"], [row["problem"], row["unknowns"], row["contacts"]])
        effort = f"{row['iterations']}, {pages.number(row['seconds'])} s" if row["iterations"] != "" else ""
        line.append(effort if converged(row) else f"**{row['status']}** {effort}".strip())
    return list(tables.lines(head, cells.values()))


def reasons(rows):
    """A line for each solve that did not converge, in simsolve's own words, with what is missing."""
    left = [row for row in rows if not converged(row)]
    told = [f"{len(rows) - len(left)} of {len(rows)} solves converged."]
    told += ["", *(f"- {row['problem']}, {row['method']} at ({row['tolerance']}, {row['constraint_tolerance']}): {row['status']}. {row['reason']}{residual(row)}"
                   for row in left)] if left else []
    return told


def residual(row):
    if row["momentum"] == "":
        return ""
    values = [pages.number(row[key]) for key in ("momentum", "normal", "tangential")]
    return ". Residual: momentum {} kg m/s, normal {} m, tangential {} m.".format(*values)


def details(rows):
    head = ["problem", "unknowns", "contacts", "method", "tolerances", "status", "iterations", "products", "factorisations", "seconds"]
    return list(tables.lines(head, ([*(row[key] for key in head[:4]), f"{row['tolerance']}, {row['constraint_tolerance']}",
                                     *(row[key] for key in head[5:9]), pages.number(row["seconds"])] for row in rows)))
