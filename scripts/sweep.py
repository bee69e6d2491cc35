#!/usr/bin/python3
"""Runs a scene for every point of a grid of --set values, and makes one table of all results.

    scripts/sweep.py scene.json --grid contact.friction=0.1,0.3,0.5 --grid solver.method=cr-full,ica
    scripts/sweep.py scene.json --zip time.step=0.002,0.001 output.every=10,20 -j 4 -- --duration 0.5
    scripts/sweep.py scene.json --grid contact.friction=0.1,0.3,0.5 --slurm --time 2:00:00 --mem 4G
    scripts/sweep.py scene.json --grid contact.friction=0.1:0.9:0.1 --metric mine.py:height     a column of your own
    scripts/sweep.py --collect -o results/sweep-scene           only the table, of what is there by now

Called again with the same words it keeps what is done, goes on with what was cut off, and runs what is missing. A result of another
scene or another version of simrun is neither taken nor replaced without --redo or --any-version. What follows -- goes to simrun as it
is. docs/sweeps.md has the details. Exit status: 0 all runs are done (or submitted); 1 usage, a mistake in the scene or the grid, or a
decision is needed; 2 a run stopped early, failed or is not done yet, the table tells why; 3 a file cannot be read or written; 130 interrupted.
Debian packages: python3-numpy python3-h5py.
"""
import argparse
import os
import shlex
import sys

from common import command_line, programs
from common.command_line import positive, say
from common.files import make_folder

with command_line.needing("python3-numpy python3-h5py"):
    from comparison.runs import hold
    from sweeps import folder as at
    from sweeps import grid, metrics, plan, running, slurm, table

SHORT_FOR = {"--solver": "solver.method", "--duration": "time.duration", "--steps": "time.duration", "--dt": "time.step"}
OF_THE_SWEEP = {"-o": "-o before the --", "--output": "-o before the --", "--threads": "--threads before the --",
                "--log-file": "nothing: each run has its .log", "--resume": "nothing: the sweep goes on by itself",
                "--from": "nothing: a sweep starts from the scene", "--validate": "--dry-run", "--print-scene": "--dry-run",
                "--print-schema": "simrun itself", "--list-solvers": "simrun itself", "--version": "simrun itself", "--help": "simrun itself"}


def arguments(words):
    split = words.index("--") if "--" in words else len(words)
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("scene", nargs="?", help="scene file; not needed with --collect -o")
    parser.add_argument("--grid", metavar="KEY=VALUES", action="append", default=[],
                        help="a key of the scene and its values, separated by commas; 0.1:0.5:0.1 is a range with its end; of several --grid all "
                        "combinations are run")
    parser.add_argument("--zip", metavar="KEY=VALUES", nargs="+", action="append", default=[],
                        help="keys that vary together: the first values of all, the second values of all, ...")
    parser.add_argument("--metric", metavar="FILE.py:FUNCTION", action="append", default=[],
                        help="a column that this function makes of each result, as simrun_results opens it (repeatable)")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="results and table (results/sweep-<scene>)")
    parser.add_argument("-j", "--jobs", metavar="N", type=positive(int),
                        help="runs at a time (as many as the cores allow; with --slurm as many as Slurm starts)")
    parser.add_argument("--threads", metavar="N", type=positive(int), default=1, help="of each run (%(default)s)")
    parser.add_argument("--redo", choices=("changed", "stopped", "all"),
                        help="run these again and replace their results: of another scene or version; that stopped early; all")
    parser.add_argument("--any-version", action="store_true", help="take results, and go on with runs, of other versions of simrun")
    parser.add_argument("--no-validate", action="store_true",
                        help="do not load every scene before the first run; a scene that cannot be loaded is then a failed run")
    parser.add_argument("--collect", action="store_true", help="only make the table of what is there")
    parser.add_argument("--dry-run", action="store_true", help="only list the runs, and what would be done for each")
    parser.add_argument("--simrun", metavar="PATH", default=programs.find("simrun"), help="the program (%(default)s)")
    cluster = parser.add_argument_group("on a cluster")
    cluster.add_argument("--slurm", action="store_true", help="submit the runs as an array job instead of running them here")
    cluster.add_argument("--wait", action="store_true", help="until the array job has ended, then make the table")
    cluster.add_argument("--account", help="of sbatch, as are the next three")
    cluster.add_argument("--partition", metavar="NAME")
    cluster.add_argument("--time", metavar="LIMIT", help="of each run; what it cuts off goes on when the sweep is called again")
    cluster.add_argument("--mem", metavar="SIZE", help="of each run")
    cluster.add_argument("--sbatch", metavar="OPTIONS", action="append", default=[],
                         help="any other options of sbatch, in one word: --sbatch='--qos=long --constraint=avx2'")
    options = parser.parse_args(words[:split])
    options.own = words[split + 1:]
    check(parser, options)
    return options


def check(parser, options):
    for word in options.own:
        if word.split("=")[0] in OF_THE_SWEEP:
            parser.error(f"-- {word}: use {OF_THE_SWEEP[word.split('=')[0]]}")
    for word in (word for group in options.zip for word in group if "=" not in word):
        parser.error(f"--zip {word}: expected KEY=VALUE,VALUE,...; the scene file stands before --zip")
    if not options.scene and not (options.collect and options.output):
        parser.error("no scene file given; only --collect -o FOLDER does without")
    if not options.collect and not options.grid and not options.zip:
        parser.error("there is nothing to vary: name keys and values, as in --grid contact.friction=0.1,0.3")
    given = [name for name in ("wait", "account", "partition", "time", "mem", "sbatch") if getattr(options, name)]
    if given and not options.slurm:
        parser.error(f"--{given[0]} is for --slurm")
    check_own(parser, options)
    options.metrics = [metrics.parse(text) for text in options.metric]
    name = os.path.splitext(os.path.basename(options.scene or ""))[0]
    options.output = options.output or os.path.join("results", "sweep-" + name)
    options.jobs_asked = options.jobs
    options.jobs = options.jobs or max(1, len(os.sched_getaffinity(0)) // options.threads)


def check_own(parser, options):
    """What follows -- must not undo what the grid sets: the table would tell values that no run had."""
    keys = [text.partition("=")[0].strip() for text in [*options.grid, *(text for group in options.zip for text in group)]]
    own = [word.partition("=")[2] or following for word, following in zip(options.own, [*options.own[1:], ""])
           if word == "--set" or word.startswith("--set=")]
    set_by_own = [text.partition("=")[0] for text in own]
    set_by_own += [SHORT_FOR[word.partition("=")[0]] for word in options.own if word.partition("=")[0] in SHORT_FOR]
    for key in keys:
        for other in set_by_own:
            if f"{key}.".startswith(f"{other}.") or f"{other}.".startswith(f"{key}."):
                parser.error(f"what follows -- sets {other}, and the grid sets {key}: leave one of them away")


def complete(options):
    """The version, and paths that hold anywhere."""
    options.version = programs.version(options.simrun).removeprefix("simrun ")
    if os.sep in options.simrun:
        options.simrun = os.path.abspath(options.simrun)
    options.scene = os.path.abspath(options.scene)


def told(options, runs):
    """What each needs; for --dry-run all of it, else only what needs a decision."""
    needs = [plan.look(options, run) for run in runs]
    undecided = [(run, need) for run, need in zip(runs, needs) if need.action in ("changed", "foreign")]
    if options.dry_run:
        for run, need in zip(runs, needs):
            print(f"{run['name']}: {need.action} ({need.why})")
            print("    " + shlex.join([options.simrun, options.scene, *run["words"]]))
    elif undecided:
        text = "\n".join(f"  {run['name']}: {need.why}" for run, need in undecided[:20])
        more = f"\n  ... and {len(undecided) - 20} more" if len(undecided) > 20 else ""
        raise plan.Refused(f"{len(undecided)} result(s) in {options.output} are not of this sweep:\n{text}{more}\nNothing was run. To go on: "
                           + advice(options, {need.action for _, need in undecided}))
    return needs


def advice(options, actions):
    """What helps against these, with the options that were not given yet."""
    told = []
    if "changed" in actions:
        told.append("--redo changed runs again what has changed and replaces it")
        told += [] if options.any_version else ["--any-version takes results of other versions of simrun"]
    if "foreign" in actions:
        told.append("move away what cannot be read" + (", or --redo all runs everything again" if options.redo != "all" else ""))
    return "; ".join([*told, "-o starts in another folder"])


def tell_table(options, written):
    """The table, and the exit status that its rows come to."""
    rows, text, paths = written
    print("\n" + text + "written: " + ", ".join(paths))
    return command_line.DONE if all(row["status"] == "done" and not row["troubles"] for row in rows) else command_line.UNFINISHED


def run_here(options, the_plan, runs, needs):
    todo = [run for run, need in zip(runs, needs) if need.action in ("run", "resume")]
    for run, need in zip(runs, needs):
        if need.action == "keep":
            print(f"{run['name']}: kept ({need.why})", flush=True)
    counter = iter(range(1, len(todo) + 1))

    def tell(ended):
        print(f"[{next(counter)}/{len(todo)}] {table_line(options, the_plan, ended)}", flush=True)

    def begin(name, action):
        print(f"{name}: {'goes on' if action == 'resume' else 'begins'}", flush=True)
    interrupted = running.run_all(options, todo, tell, begin)
    status = tell_table(options, table.write(options.output, the_plan))
    if interrupted:
        say("interrupted; the same command goes on from here")
        return command_line.INTERRUPTED
    return status


def table_line(options, the_plan, ended):
    run = next(run for run in the_plan["runs"] if run["name"] == ended.name)
    row = table.row_of(options.output, run)
    went_on = "went on, " if ended.action == "resume" else "kept, " if ended.action == "keep" else ""
    reason = f": {table.short(row['reason'])}" if row["reason"] else ""
    return f"{ended.name}: {went_on}{row['status']}, {row.get('steps', 0)} steps, {ended.seconds:.1f} s{reason}"


def run_on_slurm(options, the_plan, runs, needs):
    todo = [run for run, need in zip(runs, needs) if need.action in ("run", "resume")]
    print(f"{len(runs) - len(todo)} of {len(runs)} runs are kept", flush=True)
    if todo:
        try:
            slurm.submit(options, the_plan, todo, __file__)
        except KeyboardInterrupt:
            say("no longer waiting; the array job goes on")
            return command_line.INTERRUPTED
        if not options.wait:
            print(f"the table, now or when it has ended: {shlex.join([sys.argv[0], '--collect', '-o', options.output])}")
            return command_line.DONE
    return tell_table(options, table.write(options.output, the_plan))


def run_task(plan_file, index):
    """A task of an array job: one run, with what --slurm has written down."""
    the_plan = at.read_json(plan_file)
    run = the_plan["runs"][int(index)]
    options = argparse.Namespace(**the_plan["task"], output=os.path.dirname(os.path.dirname(plan_file)), jobs=1)
    try:
        complete(options)
        if options.version != the_plan["version"] and not options.any_version:
            raise plan.Refused(f"simrun is {options.version}, and was {the_plan['version']} when the sweep was submitted; submit it again")
        now = plan.make_runs(options, [grid.Point(run["name"], run["values"])])[0]
        if at.digest_of_scene(now["scene"]) != run["scene_digest"]:
            raise plan.Refused(f"{options.scene} has changed since the sweep was submitted; submit it again")
    except command_line.Complaint as error:
        at.write_json(at.state_file(options.output, run["name"]), {"exit_status": error.exit_status, "reason": str(error)})
        raise
    interrupted = running.run_all(options, [now], lambda ended: print(table_line(options, the_plan, ended), flush=True))
    row = table.row_of(options.output, run)
    if interrupted:
        return command_line.INTERRUPTED
    return command_line.DONE if row["status"] == "done" else command_line.UNFINISHED


def make_plan(options, runs, before):
    """What sweep.json holds."""
    task = {name: getattr(options, name) for name in ("simrun", "scene", "own", "threads", "any_version", "redo")}
    return {"scene": options.scene, "options": options.own, "version": options.version, "task": task,
            "slurm_jobs": (before or {}).get("slurm_jobs", []), "metrics": options.metrics,
            "runs": [{"name": run["name"], "values": run["values"], "words": run["words"], "scene": run["scene"],
                      "scene_digest": at.digest_of_scene(run["scene"])} for run in runs]}


def sweep(options):
    complete(options)
    if options.slurm:
        slurm.need_slurm()
    lock = None if options.dry_run or not os.path.isdir(options.output) else hold(options.output, "sweep")
    axes = grid.axes(options.grid, options.zip)
    metrics.load(options.metrics, [*table.AFTER_VALUES, *(key for axis in axes for key in axis[0])])  # complains before anything is run
    runs = plan.make_runs(options, grid.points(axes))
    if options.dry_run:
        told(options, runs)
        return command_line.DONE
    make_folder(os.path.join(options.output, "state"))
    lock = lock or hold(options.output, "sweep")
    plan_file = os.path.join(options.output, at.PLAN)
    before = at.read_json(plan_file)
    if options.slurm:
        slurm.refuse_while_queued(before)
    needs = told(options, runs)
    if not options.no_validate:
        plan.ask_all(options, [run for run, need in zip(runs, needs) if need.action == "run"], "--validate")
    for run, need in zip(runs, needs):
        if need.action == "run" and not plan.clear(options, run):
            raise plan.Refused(f"{run['name']} is being run by somebody else; nothing was run")
    options.redo = None  # what was to be run again is gone
    the_plan = make_plan(options, runs, before)
    at.write_json(plan_file, the_plan)
    go = run_on_slurm if options.slurm else run_here
    status = go(options, the_plan, the_plan["runs"], needs)
    lock.close()
    return status


def collect(options):
    the_plan = at.read_json(os.path.join(options.output, at.PLAN))
    if the_plan is None:
        raise plan.Refused(f"{options.output} holds no sweep (it has no {at.PLAN})")
    if options.metrics:
        the_plan["metrics"] = options.metrics
        metrics.load(options.metrics, table.columns_taken(the_plan))
        at.write_json(os.path.join(options.output, at.PLAN), the_plan)
    return tell_table(options, table.write(options.output, the_plan))


def main(words):
    if words[:1] == ["--task"]:
        return run_task(*words[1:3])
    options = arguments(words)
    return collect(options) if options.collect else sweep(options)


if __name__ == "__main__":
    sys.exit(command_line.run(lambda: main(sys.argv[1:]), "interrupted before anything was run"))
