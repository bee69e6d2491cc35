"""The benchmarks from start to end by this program's default: the first table of docs/results, pictures, and the Armadillo's pull."""
import dataclasses
import json
import os
import subprocess
import sys

import numpy as np

from benchmarks import catalogue, pages, place
from common import programs
from common.command_line import say
from comparison import tables
from comparison.runs import Runs

# The published energy goes on as a straight line below 0.7 of the volume, and lets tetrahedra turn inside out.
RESISTING = ("--set", 'materials.rubber={"model":"neo-hookean","young":5e5,"poisson":0.2,"density":1000}')


@dataclasses.dataclass
class Whole:
    scene: str  # in scenes/
    seconds: int  # of the processor, for the estimate only
    meshes: tuple = ()
    settings: tuple = ()
    stages: tuple = ()  # (what it is, its first step, its last step or None), each a row of its own
    published: str = ""  # name in Table 1
    moments: int = 4  # in its picture
    size: str = "500x500"  # of each
    film: bool = False


RINGS_AT_REST = (("the heap", 601, None),)
SCENES = {
    "rings": Whole("rings.json", 60, stages=RINGS_AT_REST, published="Rings"),
    "rings-stiff": Whole("rings-stiff.json", 60, stages=RINGS_AT_REST, published="Rings*"),
    "pyramid": Whole("pyramid.json", 420, ("cage",), stages=(("from the first layers that meet", 241, None),), published="Pyramid"),
    "bunnies": Whole("bunnies.json", 1300, ("bunny",), stages=(("the heap grows", 501, 850), ("the heap", 851, None)), moments=5),
    "bearing": Whole("bearing.json", 120, ("race",)),
    "wedge": Whole("wedge.json", 100),
    "strings": Whole("strings.json", 30),
    "rigid-stack": Whole("rigid-stack.json", 5, moments=2),
    "armadillo-small": Whole("armadillo-small.json", 170, ("armadillo-small",), RESISTING, moments=6, size="400x600"),
    "armadillo-small-published": Whole("armadillo-small.json", 300, ("armadillo-small",), moments=6, size="400x600"),  # its energy lets it turn inside out
}
PULL = {
    "armadillo": Whole("armadillo.json", 5 * 3600, ("armadillo",), ("--dt", "0.005", *RESISTING, "--set", "output.every=10", "--set", "output.checkpoint=25"),
                       (("past the upper rollers", 1, 1000), ("its trunk between them", 1001, 1600), ("its arms come to them", 1601, None)), moments=6, size="500x700", film=True),
}
QUICK = ("rings", "rigid-stack")
QUICK_PULL = {"armadillo-small": dataclasses.replace(PULL["armadillo"], scene="armadillo-small.json", seconds=10, meshes=("armadillo-small",))}
QUICK_DURATION = "0.1"

HEAD = ["scene", "steps", "iterations, mean (median; most)", "published", "processor s a step", "contacts that push, mean (most)", "re-lin., mean (most)", "divided",
        "not converged", "least volume", "work done, J", "lost to friction", "to damping", "to the scheme", "simcheck"]
LEGEND = """Each row a run, or a stage of the one above it. Iterations are those of the island that needs most; published means (medians) are of CR (Full), all contacts as one system, on its own
trajectory (Verschoor & Jalba 2019, Table 1). Seconds are of the processor, the whole run over its steps. The least volume of a tetrahedron, over that at rest, is of the frames. `simcheck`: frames without
intersection of all frames, and its verdict."""


def scenes_of(name, quick):
    if name == "pull":
        return QUICK_PULL if quick else PULL
    return {key: scene for key, scene in SCENES.items() if not quick or key in QUICK}


def whole(options):
    """Returns the exit status: 0 where every run came to its end and simcheck finds nothing."""
    scenes = scenes_of(options.name, options.quick)
    print(f"{options.name}: {', '.join(scenes)} from start to end by this program's default; "
          + ("a minute or two" if options.quick else f"about {place.spell(sum(scene.seconds for scene in scenes.values()))}"), flush=True)
    place.prepare(tuple(mesh for scene in scenes.values() for mesh in scene.meshes))
    runs = Runs(options.simrun, options.output, options.threads, options.limit)
    rows, pictures, ends, clean = [], [], [], True
    for name, scene in scenes.items():
        duration = options.duration or (QUICK_DURATION if options.quick else None)
        run = runs.run(name, [*scene.settings, *(["--duration", duration] if duration else [])], scene=place.scene(scene.scene))
        found = judged(options, run)
        rows += rows_of(name, scene, run, found)
        ends += [f"- {name}: {run.outcome()}."] if run.status != "done" else []
        clean = clean and run.status == "done" and found is not None and found["exit_status"] == 0
        pictures += drawn(options, name, scene, run)
    body = ["A quick version: only to see that it works.", ""] if options.quick else []
    body += [*tables.lines(HEAD, rows), "", LEGEND, *(["", *ends] if ends else [])]
    title = "From start to end by the default" if options.name == "whole" else "The Armadillo's pull"
    print(f"written: {pages.write(options.output, title, pages.facts(runs.version, options.command, options.threads), body, pictures)}")
    return 0 if clean else 2


def judged(options, run):
    """What simcheck says, as a dict; None where there is nothing to judge."""
    done = subprocess.run([programs.beside(options.simrun, "simcheck"), run.path, "--json"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        say(f"simcheck cannot judge {run.path}: {done.stderr.strip()}")
        return None


def rows_of(name, scene, run, found):
    steps = run.steps
    if not len(steps.get("step", ())):
        return [[name, "0", *["-"] * (len(HEAD) - 2)]]
    whole_run = row(name, scene, steps, slice(None))
    whole_run[4] = pages.number(run.processor / len(steps["step"])) if run.processor else "-"
    whole_run[9], whole_run[-1] = volume_and_verdict(found)
    rows = [whole_run]
    for what, first, last in scene.stages:
        chosen = (steps["step"] >= first) & (steps["step"] <= (last or steps["step"][-1]))
        rows += [row(f"{name}, {what}", scene, steps, chosen)] if chosen.any() else []
    return rows


def row(name, scene, steps, chosen):
    """Of the chosen steps; what is known of the whole run alone is left open."""
    of = lambda column: steps[column][chosen]
    energy = lambda column: pages.number(np.nansum(of(column)))
    published = catalogue.TABLE_1.get((scene.published, "cr-full"))
    numbers, failed = of("step"), int((of("status") != 0).sum())
    return [name, f"{numbers[0]:,} to {numbers[-1]:,}", f"{np.mean(of('iterations')):,.0f} ({np.median(of('iterations')):,.0f}; {np.max(of('iterations')):,})",
            pages.pair(published.iterations) if published else "", "", f"{np.mean(of('active')):,.0f} ({np.max(of('active')):,})",
            f"{np.mean(of('relinearizations')):.1f} ({np.max(of('relinearizations'))})", int((of("substeps") > 1).sum()), failed or "0", "",
            pages.number(np.nansum(of("work_prescribed")) + np.nansum(of("work_loads"))), *(energy("dissipation_" + to) for to in ("friction", "damping", "scheme")), ""]


def volume_and_verdict(found):
    if found is None:
        return "-", "-"
    totals, least = found["totals"], found["totals"]["min_volume_ratio"]
    frames = totals["frames_judged"]
    return (pages.number(least) if found["model"]["tets"] else "-",
            f"{frames - totals['intersecting_frames']} of {frames}: {found['verdict']}")


def drawn(options, name, scene, run):
    """Its picture, and its film; a run without frames, or a machine without what draws them, has none, which is said."""
    if not len(run.frame_step):
        return []
    picture, count = name + ".png", min(scene.moments, len(run.frame_step))
    render = [sys.executable, os.path.join(place.SCRIPTS, "render.py"), run.path]
    wanted = [[*render, "--moments", str(count), "--size", scene.size, "-o", os.path.join(options.output, picture)]]
    wanted += [[*render, "--film", os.path.join(options.output, name + ".mp4"), "--size", scene.size]] if scene.film else []
    told = []
    for command in wanted:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            say(done.stderr.strip())
        told.append(done.returncode == 0)
    return [(picture, f"{name}: {count} moments, evenly from start to end")] if told[0] else []

