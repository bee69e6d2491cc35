#!/usr/bin/python3
"""Compares contact methods on a scene: each from the same checkpoint over the same window of steps.

    scripts/compare.sh scenes/stirred-heap.json
    scripts/compare.sh scenes/stirred-heap.json --solvers cr-full,ica --from 1200 --window 50 --repeat 3
    scripts/compare.sh scenes/stirred-heap.json --full       and each on its own trajectory from the start
    scripts/compare.sh scenes/rings.json --from 0 --window 400 --solvers cr-full,local,acm    all from time 0
    scripts/compare.sh scenes/rings.json --table letter      the published forms against each other
    scripts/compare.sh scenes/rings.json --table program     this program's methods against all

NAME-as-published is the published form of a method (docs/papers): the same as solver.as_published=true for it alone.

The reference method runs from the start to where the window begins. Called again with the same options, what is done is
kept and what was cut off goes on. docs/compare.md explains the columns. Exit status: 0 every run went to its end (steps
that did not converge are counted in the table); 1 usage, or something is missing; 2 a run stopped early or did not
start; 3 a file cannot be read or written; 130 interrupted. Debian packages: python3-numpy python3-h5py.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys

from common import command_line, programs

with command_line.needing("python3-numpy python3-h5py"):
    from comparison import measures, tables
    from comparison.runs import Runs

# Resolution time of Table 1 of Verschoor & Jalba 2019 (Rings) over that of CR (Full): only to say how long it will take.
COST = {"cr-full": 1, "cr-diag": 5.4, "ica": 1.5, "sp-active-set": 10.8, "sp-cr": 9.6}
COST_OF_OTHERS = 10
LETTER = "-as-published"
STARTS_BY_ITSELF = ("acm",)  # cannot go on from the contacts of another method
TABLES = {
    "letter": ([name + LETTER for name in ("cr-full", "cr-diag", "ica", "sp-active-set", "sp-cr", "constraint-anticipation")], "cr-full" + LETTER),
    "program": (["auto", "cr-full", "exact", "cr-diag", "ica", "sp-active-set", "sp-cr", "constraint-anticipation"], "cr-full"),
}
OWN_OPTIONS = {"solver.method": "--solvers", "time.duration": "--duration"}


positive = command_line.positive(int)


def not_negative(text):
    return 0 if text == "0" else positive(text)


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("scene")
    parser.add_argument("--table", choices=TABLES, help="methods and reference of one of the two tables: the letter of the papers, or this program at its default promise")
    parser.add_argument("--solvers", help="methods, separated by commas (cr-full,cr-diag,ica,sp-active-set,sp-cr)")
    parser.add_argument("--reference", help="method that makes the checkpoint and that the others are compared with (cr-full)")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--from", dest="start", metavar="STEP", type=not_negative, help="the window starts after this step (default: two thirds of the duration); 0: all start with the scene")
    start.add_argument("--from-time", metavar="T", type=float, help="the same, in simulated seconds")
    parser.add_argument("--window", metavar="STEPS", type=positive, help="steps of the window (100; with --quick 10)")
    parser.add_argument("--duration", metavar="S", help="simulated seconds of the scene")
    parser.add_argument("--full", action=argparse.BooleanOptionalAction, default=False, help="each method on its own full trajectory, too (takes long)")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="override a value of the scene, as in simrun (repeatable)")
    parser.add_argument("--set-for", metavar="METHOD:KEY=VALUE", action="append", default=[], help="the same in the window and the full trajectory of one method only (repeatable)")
    parser.add_argument("--threads", type=positive, default=1, help="(%(default)s)")
    parser.add_argument("--repeat", metavar="N", type=positive, default=1, help="times that each window is run, in turns; the median is told (%(default)s)")
    parser.add_argument("--repeat-full", metavar="N", type=positive, default=1, help="the same for full trajectories (%(default)s)")
    parser.add_argument("--limit", metavar="SECONDS", type=positive, help="cut off each run but the reference's way to the checkpoint after so long; the table says how far it came")
    parser.add_argument("--quick", action="store_true", help="a window of 10 steps")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="results and tables (results/compare-<scene>)")
    parser.add_argument("--simrun", metavar="PATH", default=programs.find("simrun"), help="the program (%(default)s)")
    options = parser.parse_args()
    check(parser, options)
    return options


def check(parser, options):
    options.name = os.path.splitext(os.path.basename(options.scene))[0]
    options.output = options.output or os.path.join("results", "compare-" + options.name)
    options.window = options.window or (10 if options.quick else 100)
    solvers, reference = TABLES.get(options.table, (["cr-full", "cr-diag", "ica", "sp-active-set", "sp-cr"], "cr-full"))
    options.reference = options.reference or reference
    options.solvers = list(dict.fromkeys(name for name in options.solvers.split(",") if name)) if options.solvers is not None else list(solvers)
    if options.reference not in options.solvers:
        options.solvers.insert(0, options.reference)
    for key, instead in OWN_OPTIONS.items():
        if any(text.split("=")[0] == key for text in options.set):
            parser.error(f"--set {key}: use {instead}")
    options.own = {name: [] for name in options.solvers}
    for text in options.set_for:
        name, _, assignment = text.partition(":")
        if name not in options.own or "=" not in assignment:
            parser.error(f"--set-for {text}: expected METHOD:KEY=VALUE, METHOD one of {', '.join(options.solvers)}")
        if assignment.split("=")[0] in OWN_OPTIONS:
            parser.error(f"--set-for {text}: this cannot differ")
        options.own[name].append(assignment)
    known = programs.ask(options.simrun, "--list-solvers")
    known = [line.split()[0] for line in known.splitlines() if line.strip()]
    for name in options.solvers:
        if method_of(name) not in known:
            parser.error(f"there is no method {name}; expected some of {', '.join(known)}, or one of them with {LETTER}")


def method_of(name):
    return name.removesuffix(LETTER)


def solver_words(name):
    return ["--solver", method_of(name), *(["--set", "solver.as_published=true"] if name.endswith(LETTER) else [])]


def words(assignments):
    return [word for text in assignments for word in ("--set", text)]


def scene_settings(options):
    return (["--duration", options.duration] if options.duration else []) + words(options.set)


def told_settings(options):
    """What makes the runs other than the scene says, for the table."""
    return [shlex.quote(word) for word in [*scene_settings(options), *(part for text in options.set_for for part in ("--set-for", text))]]


def validated(options, name):
    """What simrun says of the scene by a method; a method that does not take it is a wrong argument."""
    command = [options.simrun, options.scene, "--validate", *solver_words(name), *scene_settings(options), *words(options.own[name])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise SystemExit(done.returncode if done.returncode == command_line.FILE else command_line.USAGE)
    return done.stdout


def size_of(options):
    """Steps of the scene and their length, as simrun itself reads it, which every method has to take."""
    told = {name: validated(options, name) for name in options.solvers}
    found = re.search(r"^  (\d+) steps? of (\S+) s,", told[options.reference], re.MULTILINE)
    if not found:
        raise command_line.Complaint("simrun --validate does not tell the number of steps")
    return int(found[1]), float(found[2])


def place_window(options, steps, dt):
    """First and last step number of the window: the state after `start` is where all begin."""
    start = options.start
    if options.from_time is not None:
        start = round(options.from_time / dt)
    if start is None:
        start = 2 * steps // 3
    if start < 0 or (start == 0 and options.start is None):
        raise command_line.Complaint("the window starts before the first step")
    alone = [name for name in options.solvers if method_of(name) in STARTS_BY_ITSELF]
    if start > 0 and alone:
        raise command_line.Complaint(f"{alone[0]} cannot go on from the checkpoint of another method; --from 0 compares all from time 0")
    return start, start + options.window


def spell(seconds):
    seconds = int(seconds + 0.5)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} h" if seconds >= 60 else f"{max(seconds, 1)} s"


def estimate(columns, window, name):
    """Seconds of a run of `window` steps, from the last steps of the reference."""
    last = {key: columns[key][-window:].mean() for key in ("t_total", "t_solve", "t_relinearize")}
    resolution = last["t_solve"] + last["t_relinearize"]
    return window * (last["t_total"] + (COST.get(method_of(name), COST_OF_OTHERS) - 1) * resolution)


def tell_plan(options, steps, start, end):
    print(f"{options.scene}: {steps} steps; results in {options.output}")
    print(f"  1. {options.reference} from the start to step {start}: the checkpoint of all" if start else
          "  1. nothing: all start with the scene, at time 0")
    print(f"  2. steps {start + 1} to {end}, {options.repeat} time(s) in turns, and the first of them by itself: "
          f"{', '.join(options.solvers)}")
    if options.full:
        print(f"  3. steps 1 to {steps} by each of them, on its own, {options.repeat_full} time(s) in turns")
    else:
        print("  3. nothing more; --full also runs each on its own trajectory from the start, which takes long")
    print(f"  {options.threads} thread(s)." + (" How long the rest takes is told after 1." if start else ""), flush=True)


def tell_estimate(options, reference, steps):
    """The rates of the reference's last steps, times the published ratios of the methods."""
    columns = reference.steps
    print("estimate, from the reference's last steps and the ratios of the published table:")
    total = 0
    for name in options.solvers:
        cost = estimate(columns, options.window, name) * (options.repeat + 1 / options.window)
        full = estimate(columns, options.window, name) * steps / options.window * options.repeat_full if options.full else 0
        total += cost + full
        print(f"  {name:24} {spell(cost)}" + (f", full trajectory {spell(full)}" if options.full else ""))
    print(f"  in all about {spell(total)}", flush=True)


def window_settings(options, name, start, end):
    """All but the method is the same. A step that does not converge is counted, and the run goes on."""
    begin = ["--from", str(start)] if start else words(options.set)
    sets = ["solver.on_failure=continue"] if not any("solver.on_failure=" in text for text in options.set) else []
    sets += [f"output.every={options.window}", f"output.checkpoint={max(1, options.window // 4)}", "output.velocities=true"]
    sets += options.own[name]
    return [*begin, *solver_words(name), "--steps", str(end), *words(sets)]


def common_start(options, runs, start):
    """What all windows begin with, as words for Runs.run."""
    if not start:
        return {"scene": options.scene}
    checkpoint = runs.run("reference", [*solver_words(options.reference), "--steps", str(start), *words(options.set)],
                          scene=options.scene)
    if checkpoint.status != "done":
        command_line.say(f"the reference {options.reference} did not get to step {start}: {checkpoint.outcome()}")
        raise SystemExit(command_line.UNFINISHED)
    return {"origin": checkpoint}


def compare(options, runs, steps, start, end):
    """Runs all; returns the measures of the windows and of the full trajectories, by method."""
    begin = common_start(options, runs, start)
    if start:
        tell_estimate(options, begin["origin"], steps)
    runs.limit = options.limit
    windows, firsts = {name: [] for name in options.solvers}, {}
    for name in options.solvers:
        firsts[name] = runs.run(f"{name}.first", window_settings(options, name, start, start + 1), **begin)
    for turn in range(1, options.repeat + 1):
        for name in options.solvers:
            windows[name].append(runs.run(f"{name}.window{turn}", window_settings(options, name, start, end), **begin))
    fulls = {}
    if options.full:
        fulls = {name: [] for name in options.solvers}
        for turn in range(1, options.repeat_full + 1):
            for name in options.solvers:
                settings = [*solver_words(name), *scene_settings(options), *words(options.own[name])]
                fulls[name].append(runs.run(f"{name}.full{turn if turn > 1 else ''}", settings, scene=options.scene))
    return ({name: measures.of_window(name, windows, firsts, options.reference) for name in options.solvers},
            {name: measures.of_full(name, fulls, options.reference) for name in fulls})


def main():
    options = arguments()
    steps, dt = size_of(options)
    start, end = place_window(options, steps, dt)
    tell_plan(options, steps, start, end)
    runs = Runs(options.simrun, options.output, options.threads)
    windows, fulls = compare(options, runs, steps, start, end)
    about = tables.About(options.name, options.reference, start, end, steps, options.repeat, options.repeat_full, options.threads,
                         runs.version, " ".join(told_settings(options)))
    written = tables.write(options.output, about, windows, fulls)
    print("\n" + written.text + f"written: {written.markdown}, {written.csv}")
    everything = [*windows.values(), *fulls.values()]
    return command_line.DONE if all(row["status"] == "done" for row in everything) else command_line.UNFINISHED


if __name__ == "__main__":
    sys.exit(command_line.run(main, "interrupted; the same command goes on from here"))
