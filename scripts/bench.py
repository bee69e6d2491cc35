#!/usr/bin/python3
"""Runs a benchmark of Verschoor & Jalba 2019, or draws one of its figures; docs/benchmarks.md tells what each is.

    scripts/bench/rings.sh                             the methods on the rings, and the page of it
    scripts/bench/rings.sh --solvers cr-full,ica --full     and each on its own trajectory from the start
    scripts/bench/table1.sh                            rings, pyramid and stiff rings: Table 1
    scripts/bench/figure9.sh                           figures 6, 9, 10, 11 and 12; stiffness.sh: section 6.1; refinement.sh: of Otaduy et al. 2009
    scripts/bench/dumped.sh                            problems of single steps of twelve scenes, by auto, cr-full and exact at two pairs of tolerances
    scripts/bench/whole.sh                             the benchmarks from start to end by the default, judged by simcheck; pull.sh: the large Armadillo's, with its film
    scripts/bench/auto.sh                              auto beside the two methods that it chooses from, on 34 scenes with contacts
    scripts/bench/all.sh --plan                        all that docs/results shows: what its parts are and how long they take; without --plan they run

Everything is left in one folder (results/bench/<name>): result files, comparison.md and .csv, pictures, and README.md with all of it.
Called again with the same options, what is done is kept and what was cut off goes on. Exit status: 0 every run went to
its end; 1 usage, or something is missing; 2 a run stopped early or did not start; 3 a file cannot be read or written; 130 interrupted.
Debian packages: python3-numpy python3-h5py python3-matplotlib; for pictures of frames python3-vtk9 and xvfb, for films ffmpeg.
"""
import os
import shlex
import subprocess
import sys

from common import command_line, programs
from common.files import make_folder

with command_line.needing("python3-numpy python3-h5py python3-matplotlib"):
    import compare
    from benchmarks import automatic, catalogue, dumped, everything, pages, place, plots, studies, whole
    from comparison.runs import Runs

TABLE_1 = ("rings", "pyramid", "rings-stiff")
FIGURES = {"figure10": "armadillo-small", "figure11": None}
NEEDED = {"all": ("simcheck", "simsolve"), "whole": ("simcheck",), "pull": ("simcheck",), "dumped": ("simsolve",), "figure12": ("simsolve",)}
NAMES = [*catalogue.BENCHMARKS, "table1", "dumped", *FIGURES, *studies.STUDIES, "whole", "pull", "auto", "all"]
# Options beyond --threads, --limit, --quick, -o and --simrun.
TAKEN_BY_A_BENCHMARK = ("solvers", "duration", "from_time", "window", "full", "set", "repeat")
TAKEN = {"all": ("only", "plan", "again"), "auto": ("only", "repeat"), "whole": ("duration",), "pull": ("duration",), "dumped": ("repeat",),
         "figure6": (), "figure9": ("duration",), "figure10": ("solvers", "duration", "set", "large"), "figure11": (), "figure12": ("large", "repeat"),
         "refinement": (), "stiffness": ("duration",)}
CAPTION_10 = """Run time and iterations so far, by time step (Verschoor & Jalba 2019, Figure 10: the Armadillo of 200,000 unknowns).
Published: both grow with the compression for all methods, and ICA gets slower with time. Here: {}."""
CAPTION_11 = """Iterations a time step by method (Verschoor & Jalba 2019, Figure 11). Published means (medians): {}."""


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("name", help="benchmark or figure: " + ", ".join(NAMES))
    parser.add_argument("--solvers", help="methods, separated by commas (those of the published table)")
    parser.add_argument("--duration", metavar="S", help="simulated seconds of the scene")
    parser.add_argument("--from-time", metavar="T", type=float, help="where the window begins, in simulated seconds")
    parser.add_argument("--window", metavar="STEPS", type=compare.positive, help="steps of the window")
    parser.add_argument("--full", action="store_true", help="each method on its own full trajectory, too, as in the paper (takes long)")
    parser.add_argument("--repeat", metavar="N", type=compare.positive, default=1, help="times that each window is run, or each problem solved (%(default)s)")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="override a value of the scene (repeatable)")
    parser.add_argument("--threads", type=compare.positive, default=1, help="(%(default)s)")
    parser.add_argument("--limit", metavar="SECONDS", type=compare.positive, help="cut off each run after so long; what it has made is drawn")
    parser.add_argument("--quick", action="store_true", help="a small version that takes a minute or two: only to see that it works")
    parser.add_argument("--large", action="store_true", help="figures 10 and 12: with the Armadillo of 200,000 unknowns")
    parser.add_argument("--only", metavar="PARTS", help="all, auto: these parts, or scenes, alone, separated by commas")
    parser.add_argument("--plan", action="store_true", help="all: only tell the parts and how long each takes")
    parser.add_argument("--again", action="store_true", help="all: parts that came to their end, too; their runs are kept, and those that were cut off go on")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="(results/bench/<name>, with --quick <name>-quick; figure11: that of table1)")
    parser.add_argument("--simrun", metavar="PATH", default=programs.find("simrun"), help="the program (%(default)s)")
    options = parser.parse_args()
    if options.name not in NAMES:
        parser.error(f"there is no benchmark {options.name}; expected one of {', '.join(NAMES)}")
    check_taken(parser, options)
    suffix = "-quick" if options.quick else ""
    folder = "table1" if options.name == "figure11" else options.name  # which only draws what that one has left
    # The table takes the runs of its scenes from their own folders, so that none is made twice.
    options.parts = {name: os.path.join(options.output, name) if options.output else os.path.join("results", "bench", name + suffix)
                     for name in TABLE_1}
    options.output = options.output or os.path.join("results", "bench", folder + suffix)
    options.command = " ".join(["scripts/bench/" + options.name + ".sh", *map(shlex.quote, sys.argv[2:])])
    return options


def check_taken(parser, options):
    """An option that its name does not take would change nothing."""
    taken = TAKEN.get(options.name, TAKEN_BY_A_BENCHMARK)
    for word in sorted({word for words in (TAKEN_BY_A_BENCHMARK, *TAKEN.values()) for word in words}):
        if word not in taken and getattr(options, word) != parser.get_default(word):
            told = ", ".join(spelt(word) for word in taken) or "none of its own"
            why = "its parts say that themselves" if options.name == "all" else "is not for this one"
            parser.error(f"{options.name}: {spelt(word)}: {why}; it takes {told}, and what all of them take")


def spelt(word):
    return "--" + word.replace("_", "-")


def window_of(benchmark, options):
    start = options.from_time if options.from_time is not None else benchmark.quick_from if options.quick else benchmark.from_time
    return start, options.window or (benchmark.quick_window if options.quick else benchmark.window)


def tell_plan(name, benchmark, options, start, window):
    steps = start / benchmark.step
    print(f"{name}: {benchmark.described(options.quick)}")
    if options.quick:
        print("  the quick version: a minute or two, and no figure of it means anything")
    else:
        methods = (options.solvers or benchmark.solvers).split(",")
        factor = sum(compare.COST.get(method, compare.COST_OF_OTHERS) for method in methods)
        cost = benchmark.step_seconds * (steps + window * factor * options.repeat)
        print(f"  to the window about {place.spell(benchmark.step_seconds * steps)}, in all about {place.spell(cost)}"
              + ("; the full trajectories take many times that, told below" if options.full else "")
              + " (estimated for the machine of docs/benchmarks.md)", flush=True)


def compare_command(benchmark, options, folder, start, window):
    command = [sys.executable, os.path.join(place.SCRIPTS, "compare.py"), place.scene(benchmark.scene), "--simrun", options.simrun,
               "--solvers", options.solvers or benchmark.solvers, "--from-time", str(start), "--window", str(window), "-o", folder,
               "--threads", str(options.threads), "--repeat", str(options.repeat)]
    command += ["--limit", str(options.limit)] if options.limit else []
    command += ["--duration", options.duration] if options.duration else []
    command += ["--full"] if options.full else []
    for text in [*(benchmark.quick if options.quick else ()), *options.set]:
        command += ["--set", text]
    return command


def simcheck(options, folder, files):
    """Its verdicts, a line a file."""
    told = []
    for name in files:
        path = os.path.join(folder, name + ".h5")
        try:
            done = subprocess.run([programs.beside(options.simrun, "simcheck"), path], capture_output=True, text=True)
        except OSError:
            return ["simcheck was not found beside simrun."]
        last = [line for line in done.stdout.splitlines() if line.strip()][-1:] or [done.stderr.strip()]
        told.append(f"- {name}: exit status {done.returncode}. {last[0].strip()}")
    return told


def run_benchmark(name, options, folder):
    """Returns the exit status of the comparison; the page is written for whatever there is."""
    benchmark = catalogue.BENCHMARKS[name]
    start, window = window_of(benchmark, options)
    tell_plan(name, benchmark, options, start, window)
    place.prepare(benchmark.meshes)
    status = subprocess.run(compare_command(benchmark, options, folder, start, window)).returncode
    if status not in (0, 2):
        raise SystemExit(status)
    if status == 2 and not os.path.exists(os.path.join(folder, "comparison.csv")):
        raise SystemExit(command_line.UNFINISHED)
    rows = pages.rows_of(folder)
    pictures = draw_iterations(name, rows, folder)
    with open(os.path.join(folder, "comparison.md")) as file:
        details = [line for line in file.read().splitlines() if not line.startswith("# ")]
    what, changed = benchmark.described(options.quick), ", changed by the settings below" if options.quick and benchmark.quick else ""
    body = [what[0].upper() + what[1:] + f" (`scenes/{benchmark.scene}`{changed}).", ""]
    body += ["A quick version: only to see that it works.", ""] if options.quick else []
    body += [*pages.markdown_table(pages.table(name if options.quick else benchmark.published or name, rows)), "", pages.LEGEND, "", *details]
    version = programs.version(options.simrun)
    page = pages.write(folder, name, pages.facts(version, options.command, options.threads), body, pictures,
                       simcheck(options, folder, ["reference", *(f"{method}.window1" for method in rows["window"])]))
    print(f"written: {page}")
    return status


def files_of(rows, folder, part):
    suffix = "full" if part == "full" else "window1"
    return [(plots.label(method), os.path.join(folder, f"{method}.{suffix}.h5"), False) for method in rows[part]]


def published_iterations(scene):
    known = [(method, row) for (where, method), row in catalogue.TABLE_1.items() if where == scene]
    return f"{scene}: " + ", ".join(f"{plots.label(method)} {pages.pair(row.iterations)}" for method, row in known)


def draw_iterations(name, rows, folder):
    part = "full" if rows["full"] else "window"
    scene = catalogue.BENCHMARKS[name].published
    caption = CAPTION_11.format(published_iterations(scene) if scene else "none for this scene")
    runs = [run for run in files_of(rows, folder, part) if os.path.exists(run[1])]
    plots.iterations_per_step(runs, os.path.join(folder, "iterations.png"), caption)
    return [("iterations.png", caption)]


def table1(options):
    """Each scene in a folder of its own; then the table, and figure 11."""
    body, status = [], 0
    for name, folder in options.parts.items():
        status = max(status, run_benchmark(name, options, folder))
    make_folder(options.output)
    for name, folder in options.parts.items():
        rows = pages.rows_of(folder)
        body += pages.table(name if options.quick else catalogue.BENCHMARKS[name].published, rows)
    pictures = draw_figure11(options)
    version = programs.version(options.simrun)
    told = [] if not options.quick else ["Quick versions: only to see that it works.", ""]
    page = pages.write(options.output, "Table 1", pages.facts(version, options.command, options.threads),
                       [*told, *pages.markdown_table(body), "", pages.LEGEND, "", "Each scene by itself: "
                        + ", ".join(f"[{name}]({os.path.relpath(folder, options.output)}/README.md)"
                                    for name, folder in options.parts.items()) + "."], pictures)
    with open(page) as file:
        print("\n" + file.read() + f"written: {page}")
    return status


def draw_figure11(options):
    """From what table1 has left, or scripts/compare.sh -o FOLDER/rings and so on."""
    pictures = []
    there = [name for name, folder in options.parts.items() if os.path.exists(os.path.join(folder, "comparison.csv"))]
    if not there:
        raise command_line.Complaint(f"there is no {options.parts['rings']}/comparison.csv; scripts/bench/table1.sh makes it, or the part program/rings of all.sh")
    for picture, names in (("figure11-rings.png", ("rings", "rings-stiff")), ("figure11-pyramid.png", ("pyramid",))):
        runs, names = [], [name for name in names if name in there]
        if not names:
            continue
        for name in names:
            folder = options.parts[name]
            rows = pages.rows_of(folder)
            for label, file, _ in files_of(rows, folder, "full" if rows["full"] else "window"):
                star = name == "rings-stiff"
                runs += [(label + (" *" if star else ""), file, star)] if os.path.exists(file) else []
        caption = CAPTION_11.format("; ".join(published_iterations(catalogue.BENCHMARKS[name].published) for name in names))
        plots.iterations_per_step(runs, os.path.join(options.output, picture), caption)
        pictures.append((picture, caption))
    return pictures


def figure11(options):
    """Draws figure 11 once more, from the results of table1.sh."""
    pictures = draw_figure11(options)
    version = programs.version(options.simrun)
    pages.write(options.output, "Figure 11", pages.facts(version, options.command, options.threads), [], pictures, name="figure11.md")
    return 0


def figure10(options):
    """Each method on its own trajectory of the Armadillo."""
    name = "armadillo" if options.large else "armadillo-small"
    benchmark = catalogue.BENCHMARKS[name]
    place.prepare(benchmark.meshes)
    duration = options.duration or ("0.3" if options.quick else None)
    methods = (options.solvers or "cr-full,ica,sp-active-set").split(",")
    steps = round(1000 * float(duration or 12.5))
    print(f"figure10: {name}, {steps} steps by each of {', '.join(methods)}: about "
          f"{place.spell(benchmark.step_seconds * steps * sum(compare.COST.get(m, compare.COST_OF_OTHERS) for m in methods))}", flush=True)
    runs = Runs(options.simrun, options.output, options.threads, options.limit)
    done = [(method, runs.run(method, ["--solver", method, *(["--duration", duration] if duration else []), *compare.words(options.set),
                                       "--set", "output.checkpoint=250"], scene=place.scene(benchmark.scene))) for method in methods]
    told = "; ".join(f"{plots.label(method)} {int(run.steps['step'][-1]) if len(run.steps.get('step', ())) else 0} steps, {plots.short(run.outcome())}"
                     for method, run in done)
    caption = CAPTION_10.format(f"{name}; {told}")
    plots.totals_over_steps([(plots.label(m), run.path) for m, run in done if os.path.exists(run.path)],
                            os.path.join(options.output, "figure10.png"), caption)
    page = pages.write(options.output, "Figure 10", pages.facts(runs.version, options.command, options.threads), [],
                       [("figure10.png", caption)])
    print(f"written: {page}")
    return 0 if all(run.status == "done" for _, run in done) else 2


def study(options):
    function, what, cost = studies.STUDIES[options.name]
    print(f"{options.name}: {what}; " + ("a minute or two" if options.quick else f"about {place.spell(cost)}"), flush=True)
    runs = Runs(options.simrun, options.output, options.threads, options.limit)
    pictures = function(options, runs, plots)
    page = pages.write(options.output, options.name, pages.facts(runs.version, options.command, options.threads),
                       ["A quick version: only to see that it works."] if options.quick else [], pictures)
    print(f"written: {page}")
    return 0 if pictures else 2


def main():
    options = arguments()
    if not options.plan:
        for name in ("simrun", *NEEDED.get(options.name, ())):  # complains where there is none
            programs.version(options.simrun if name == "simrun" else programs.beside(options.simrun, name))
    if options.name == "table1":
        return table1(options)
    if options.name == "all":
        return everything.everything(options)
    if options.name in ("whole", "pull"):
        return whole.whole(options)
    if options.name == "auto":
        return automatic.automatic(options)
    if options.name == "dumped":
        return dumped.dumped(options)
    if options.name in FIGURES:
        return {"figure10": figure10, "figure11": figure11}[options.name](options)
    if options.name in studies.STUDIES:
        return study(options)
    return run_benchmark(options.name, options, options.output)


if __name__ == "__main__":
    sys.exit(command_line.run(main, "interrupted; the same command goes on from here"))
