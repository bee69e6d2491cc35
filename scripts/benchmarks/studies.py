"""Figures that need runs of their own: 6 (convergence), 9 (time steps), 12 (Delassus operator), and stiffness (section 6.1)."""
import json
import os
import subprocess

import h5py
import numpy as np

from benchmarks import place
from benchmarks.catalogue import BENCHMARKS
from common import programs
from common.files import replacing

CAPTION_6 = """Residuals by iteration (Verschoor & Jalba 2019, Figure 6; the preconditioned residual is |r . C^-1 r|^1/2, the constraint
residual the largest of an active row in m). Published for a step of the bearing: the preconditioned residual falls on its lower
envelope, constraints made anew are the peaks, and Full converges much faster than Diag. The paper's preconditioned constraint residual
is not recorded. {}"""
CAPTION_9 = """Iterations of CR (Full) for the pyramid at E = 5e6 Pa, by time step (Verschoor & Jalba 2019, Figure 9, the first second).
Published: a larger dt takes more iterations a step and fewer steps; the total is comparable in all cases. {}"""
CAPTION_STIFF = """Iterations of CR (Full) in all for the pyramid at dt = 0.001 s, E halved from 5e6 to 3.125e5 Pa (Verschoor & Jalba 2019,
section 6.1). Published: similar for all, but about 1.5 times as many at 3.125e5 Pa. {}"""
CAPTION_12 = """Time to build the Delassus operator (constraint-anticipation: dense blocks by sparse Cholesky) and of the whole solve by CR
(Full), for single steps (Verschoor & Jalba 2019, Figure 12: rings, Armadillo, bearing). Published: building the operator costs more than
the whole CR solve, the more so the more constraints. {}"""


CAPTION_CMR = """Rounds of solving, collision detection and re-linearisation until a step is valid, of steps with contacts (Otaduy et al. 2009,
section 6: iterations of constraint manifold refinement). Published: 3 or less in more than 90 % of the cases. Here: {}."""


def totals(runs):
    told = []
    for key, run in runs:
        steps = run.steps
        iterations = int(steps["iterations"].sum()) if len(steps.get("step", ())) else 0
        told.append(f"{key:g}: {iterations} iterations in {len(steps.get('step', ()))} steps, {run.status}, "
                    f"{int((steps['status'] != 0).sum()) if iterations else 0} not converged")
    return told


def short_run(options, default):
    return options.duration or ("0.1" if options.quick else default)


def figure9(options, runs, plots):
    """Returns pictures and what there is to tell."""
    place.prepare(BENCHMARKS["pyramid"].meshes)
    duration, sizes = short_run(options, "1.0"), (0.001, 0.002) if options.quick else (0.0005, 0.001, 0.002, 0.004)
    done = []
    for dt in sizes:
        settings = ["--solver", "cr-full", "--duration", duration, "--dt", str(dt), "--set", "materials.rubber.young=5e6",
                    "--set", "solver.on_failure=continue"]
        done.append((dt, runs.run(f"dt{dt:g}", settings, scene=place.scene("pyramid.json"))))
    told = totals(done)
    caption = CAPTION_9.format(f"Here the first {duration} s. " + "; ".join("dt " + line for line in told) + ".")
    plots.over_time_steps([(dt, run.path) for dt, run in done], os.path.join(options.output, "figure9.png"), caption)
    return [("figure9.png", caption)]


def stiffness(options, runs, plots):
    place.prepare(BENCHMARKS["pyramid"].meshes)
    duration, halvings = short_run(options, "1.0"), (0, 4) if options.quick else range(5)
    done = []
    for k in halvings:
        young = 5e6 / 2**k
        settings = ["--solver", "cr-full", "--duration", duration, "--dt", "0.001", "--set", f"materials.rubber.young={young:g}",
                    "--set", "solver.on_failure=continue"]
        done.append((young, runs.run(f"young{young:g}", settings, scene=place.scene("pyramid.json"))))
    caption = CAPTION_STIFF.format(f"Here the first {duration} s. " + "; ".join("E " + line for line in totals(done)) + ".")
    plots.over_stiffness([(young, run.path) for young, run in done], os.path.join(options.output, "stiffness.png"), caption)
    return [("stiffness.png", caption)]


def figure6(options, runs, plots):
    """Both preconditioners from one state, traced; the step of the window that Full has made anew most often is shown."""
    place.prepare(BENCHMARKS["bearing"].meshes)
    scene, start = place.scene("bearing.json"), 100 if options.quick else 1000
    end = start + (3 if options.quick else 20)
    base = runs.run("start", ["--solver", "cr-full", "--steps", str(start)], scene=scene)
    done = []
    for method in ("cr-diag", "cr-full"):
        settings = ["--solver", method, "--from", str(start), "--steps", str(end), "--trace", "--set", "solver.on_failure=continue",
                    "--set", "solver.together=true"]
        done.append((method, runs.run(f"{method}.trace", settings, origin=base)))
    common = min(len(run.steps["step"]) for _, run in done)
    full = dict(done)["cr-full"].steps
    k = int(full["relinearizations"][:common].argmax())
    step = int(full["step"][k])
    told = ", ".join(f"{plots.label(method)} {len(plots.trace_of(run.path, step))}" for method, run in done)
    caption = CAPTION_6.format(f"Iterations in step {step}: {told}. Tolerances as the scene says: relative 1e-5, constraints 1e-6 m.")
    plots.convergence([(plots.label(m), run.path) for m, run in done], step, os.path.join(options.output, "figure6.png"), caption)
    return [("figure6.png", caption)]


# scene -> first step, last step, number of steps whose problem is kept
DUMPS = {"rings": (500, 1400, 6), "bearing": (200, 1200, 5), "armadillo-small": (1500, 9500, 6)}
QUICK_DUMPS = {"bearing": (10, 30, 2)}
ONLY_WITH_PATIENCE = {"armadillo": (1500, 9500, 5)}


def figure12(options, runs, plots):
    """Problems of some steps of a run by CR (Full), each solved anew by both."""
    chosen = QUICK_DUMPS if options.quick else {**DUMPS, **(ONLY_WITH_PATIENCE if options.large else {})}
    simsolve = programs.beside(options.simrun, "simsolve")
    series, lines = {}, []
    for name, (first, last, count) in chosen.items():
        place.prepare(BENCHMARKS[name].meshes)
        steps = [first + round(i * (last - first) / (count - 1)) for i in range(count)]
        words = [word for step in steps for word in ("--dump-problem", str(step))]
        run = runs.run(name, ["--solver", "cr-full", "--steps", str(last), "--set", "solver.on_failure=continue"],
                       scene=place.scene(BENCHMARKS[name].scene), again=words)
        points = []
        for step in steps:
            problem = os.path.join(options.output, f"{name}.step{step}.hdf5")
            if os.path.exists(problem) and contacts_of(problem):
                ours, dense = solve(simsolve, problem, "cr-full", options), solve(simsolve, problem, "constraint-anticipation", options)
                if ours and dense and dense["construction_seconds"]:
                    points.append((ours["contacts"], ours["seconds"], dense["construction_seconds"]))
                    lines.append(f"- {name}, step {step}: {ours['contacts']} contacts, CR (Full) {ours['seconds']:.3g} s ({ours['status']}), "
                                 f"the operator alone {dense['construction_seconds']:.3g} s, {dense['construction_seconds'] / ours['seconds']:.2g} times")
        if run.status == "not finished":
            lines.append(f"- {name}: {run.outcome()}")
        if points:
            series[name] = points
        elif run.status != "done":
            lines.append(f"- {name}: {run.outcome()}")
    caption = CAPTION_12.format("")
    if series:
        plots.delassus(series, os.path.join(options.output, "figure12.png"), caption.strip())
    return [("figure12.png", caption.strip() + "\n\n" + "\n".join(lines))] if series else []


def refinement(options, runs, plots):
    """Rounds of each step of the letters and of the cloth by ICA, as published and as it is here."""
    place.prepare(("letters",))
    series, told = {}, []
    for name, steps in (("letters-small", 120), ("falling-cloth", 100)):
        for method in ("ica", "ica-as-published"):
            words = ["--solver", "ica", *(["--set", "solver.as_published=true"] if method != "ica" else []), "--steps", str(20 if options.quick else steps)]
            run = runs.run(f"{name}.{method}", words, scene=place.scene(name + ".json"))
            if not len(run.steps.get("step", ())):
                continue
            touching = (run.steps["contacts"] > 0) & (run.steps["substeps"] == 1)  # of a divided step they are a sum over its parts
            divided = int((run.steps["substeps"] > 1).sum())
            rounds = run.steps["relinearizations"][touching] + 1
            series[f"{name}, {method}"] = rounds
            part = 100 * np.mean(rounds <= 3) if len(rounds) else 0
            told.append(f"{name} by {method} {part:.0f} % of {len(rounds)} steps, most {rounds.max() if len(rounds) else 0}, and {divided} divided ones ({plots.short(run.outcome())})")
    caption = CAPTION_CMR.format("; ".join(told))
    if series:
        plots.rounds(series, os.path.join(options.output, "refinement.png"), caption)
    return [("refinement.png", caption)] if series else []


def contacts_of(problem):
    with h5py.File(problem) as file:
        return len(file["fclib_global/vectors/mu"])


def solve(simsolve, problem, method, options, tolerances=()):
    """The answer of simsolve, at its own tolerances or these two; kept beside the problem."""
    path = ".".join([problem[:-5], method, *tolerances, "json"])
    words = [word for pair in zip(("--tolerance", "--constraint-tolerance"), tolerances) for word in pair]
    words += ["--repeat", str(options.repeat)] if options.repeat > 1 else []
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(problem):
        print(" ".join(["simsolve", os.path.basename(problem), "--solver", method, *words]), flush=True)
        try:
            done = subprocess.run([simsolve, problem, "--solver", method, *words, "--json", "--threads", str(options.threads)],
                                  capture_output=True, text=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            print(f"  no answer: cut off after {options.limit} s", flush=True)
            return None
        if done.returncode not in (0, 2):
            print(f"  no answer: {done.stderr.strip()[:300]}", flush=True)
            return None
        with replacing(path) as file:
            file.write(done.stdout)
    with open(path) as file:
        return json.load(file)


STUDIES = {"figure6": (figure6, "convergence of one step of the bearing", 90), "figure9": (figure9, "the pyramid by time step", 1500),
           "figure12": (figure12, "building the Delassus operator", 1800), "refinement": (refinement, "rounds of constraint manifold refinement a step", 300),
           "stiffness": (stiffness, "the pyramid by stiffness", 1500)}
