"""`auto` beside the two methods that it chooses from, on every scene in which there are contacts and that all three take."""
import csv
import os

import numpy as np

from benchmarks import pages, place
from common.files import replacing
from comparison import tables
from comparison.runs import Runs

METHODS = ("auto", "cr-full", "exact")
WANTED = 1.2  # auto over the better of the others
COST = 4500  # s, for the estimate only


class Scene:
    def __init__(self, steps, *settings, meshes=()):
        self.steps, self.settings, self.meshes = steps, settings, meshes


# Steps from the start, through the first contacts and on to where it lies or is pressed, as far as a minute or two go.
SCENES = {
    "armadillo-small": Scene(4000, meshes=("armadillo-small",)),
    "bearing": Scene(600, meshes=("race",)),
    "bouncing-rings": Scene(1000),
    "bucket": Scene(500),
    "bunnies": Scene(400, meshes=("bunny",)),
    "cable-cylinder": Scene(1000),
    "cable-pulley": Scene(1000),
    "constraints": Scene(375),
    "draped-sheet": Scene(400),
    "falling-cloth": Scene(300),
    "first": Scene(600),
    "funnel": Scene(700),
    "letters-small": Scene(120, meshes=("letters",)),
    "materials": Scene(400),
    "mixed-pile-small": Scene(100),
    "pressed-ball": Scene(40),
    "pyramid": Scene(420, meshes=("cage",)),
    "rigid-stack": Scene(200),
    "rings": Scene(700),
    "rings-stiff": Scene(700),
    "skirt-small": Scene(150, meshes=("skirt",)),
    "slope": Scene(500),
    "stirred-heap": Scene(600),
    "strings": Scene(4000),
    "wedge": Scene(1500),
    "bench/chain": Scene(50),
    "bench/house-of-cards": Scene(40),
    "bench/mats": Scene(40),
    "bench/stiff-card": Scene(40),
    "bench/twisted-mat": Scene(120),
    "archway": Scene(40, "--dt", "0.025"),  # these say another method themselves
    "chess-small": Scene(400, meshes=("chess",)),
    "squeeze-bars": Scene(1200),
    "nails-small": Scene(200, meshes=("tied",)),
}
QUICK = {"bench/chain": Scene(5), "slope": Scene(20)}

ABOUT = """Each method from the start of the scene for as many steps, one thread, one after the other, {repeat} time(s); seconds are of the processor for the whole run, the median. *over* is `auto` over
the better of the two that came to the end (wanted: {wanted} at most)."""


def automatic(options):
    """Returns the exit status: 0 where all runs came to their end."""
    known = QUICK if options.quick else SCENES
    scenes = {name: known[name] for name in place.some_of(known, options.only, "scene")}
    print(f"auto: {', '.join(METHODS)} on {len(scenes)} scenes; " + ("a minute or two" if options.quick else f"about {place.spell(COST * options.repeat * len(scenes) / len(SCENES))}"), flush=True)
    place.prepare(tuple(mesh for scene in scenes.values() for mesh in scene.meshes))
    runs = Runs(options.simrun, options.output, options.threads, options.limit)
    rows, path = [], ""
    for name, scene in scenes.items():
        rows.append(row_of(name, scene, turns_of(name, scene, options, runs)))
        path = write(options, runs.version, rows)
    print(f"written: {path}")
    return 0 if all(row[f"{method}_status"] == "done" for row in rows for method in METHODS) else 2


def turns_of(name, scene, options, runs):
    """method -> its runs."""
    done = {method: [] for method in METHODS}
    for turn in range(1, options.repeat + 1):
        for method in METHODS:
            words = ["--solver", method, "--steps", str(scene.steps), *scene.settings]
            done[method].append(runs.run(f"{name.replace('/', '-')}.{method}{turn if turn > 1 else ''}", words, scene=place.scene(name + ".json")))
    return done


def row_of(name, scene, done):
    row = {"scene": name, "steps": scene.steps, "contacts_most": 0, "over": None}
    for method, turns in done.items():
        steps, whole = turns[0].steps, all(run.status == "done" for run in turns)
        row[f"{method}_status"] = "done" if whole else next(run.status for run in turns if run.status != "done")
        row[f"{method}_s"] = float(np.median([run.processor for run in turns])) if whole and all(run.processor for run in turns) else None
        there = len(steps.get("step", ()))
        row[f"{method}_steps"] = there
        row[f"{method}_iterations"] = float(np.mean(steps["iterations"])) if there else None
        row[f"{method}_failures"] = int((steps["status"] != 0).sum()) if there else 0
        row["contacts_most"] = max(row["contacts_most"], int(steps["active"].max()) if there else 0)
    others = [row[f"{method}_s"] for method in METHODS[1:] if row[f"{method}_s"]]
    if row["auto_s"] and others:
        row["over"] = row["auto_s"] / min(others)
    return row


def write(options, version, rows):
    """Table and page; returns the name of the page."""
    with replacing(os.path.join(options.output, "auto.csv"), newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    over = [row for row in rows if row["over"] and row["over"] > WANTED]
    told = f"{sum(row['over'] is not None for row in rows)} scenes, {len(over)} of them above {WANTED}" + (
        ": " + ", ".join(f"{row['scene']} {row['over']:.2f}" for row in over) if over else "") + "."
    head = ["scene", "steps", "contacts that push, most", *(f"{method} s (iterations a step)" for method in METHODS), "over"]
    body = [[row["scene"], row["steps"], row["contacts_most"], *(effort(row, method) for method in METHODS), f"{row['over']:.2f}" if row["over"] else "-"] for row in rows]
    text = ["A quick version: only to see that it works.", ""] if options.quick else []
    text += [ABOUT.format(repeat=options.repeat, wanted=WANTED), "", told, "", *tables.lines(head, body)]
    return pages.write(options.output, "auto beside the methods that it chooses from", pages.facts(version, options.command, options.threads), text, [])


def effort(row, method):
    iterations = f" ({pages.number(row[f'{method}_iterations'])})" if row[f"{method}_iterations"] is not None else ""
    failed = f", {row[f'{method}_failures']} not converged" if row[f"{method}_failures"] else ""
    if row[f"{method}_s"] is None:
        return f"**{row[f'{method}_status']}** after {row[f'{method}_steps']}{iterations}{failed}"
    return f"{pages.number(row[f'{method}_s'])}{iterations}{failed}"
