"""All that docs/results shows, part after part, and one page of it: scripts/bench/all.sh."""
import dataclasses
import json
import os
import re
import shlex
import subprocess
import sys
import time

from benchmarks import catalogue, pages, place
from common import command_line, programs
from common.command_line import say
from common.files import make_folder, replacing
from comparison import tables
from comparison.runs import hold


@dataclasses.dataclass
class Part:
    title: str
    words: tuple  # of the command, under scripts/
    quick: tuple  # in place of all but the first of them
    seconds: int  # it took on a machine of two cores of an AMD EPYC (docs/performance.md): for the estimate only
    page: str = "README.md"  # that it leaves in its folder
    meshes: tuple = ()  # where the command does not make them itself
    folder: str = ""  # where that is not its own


def comparison(what, scene, table, start, window, seconds, *more, repeat=3, limit=1200, meshes=()):
    """A table of scripts/compare.py: the windows in turns, then what `more` asks for."""
    words = ("compare.py", f"scenes/{scene}.json", "--table", table, *more, "--from", str(start), "--window", str(window), "--repeat", str(repeat), "--limit", str(limit))
    if scene.startswith("rings"):
        small = ("--from", "450", "--window", "5", "--duration", "0.455", *(word for text in catalogue.FEW_RINGS for word in ("--set", text)))
    else:
        small = ("--from", "2", "--window", "2", "--duration", "0.01")
    quick = (f"scenes/{scene}.json", "--table", table, *more, *small)
    return Part(what, words, quick, seconds, "comparison.md", meshes)


def benchmark(what, name, seconds, *more):
    return Part(what, ("bench.py", name, *more), (name, *more, "--quick"), seconds)


LETTER, PROGRAM, FIGURE_11 = "The letter of the papers: ", "Every method of this program: ", "Figure 11, its steps of "
PARTS = {
    "whole": benchmark("From start to end by the default", "whole", 2400),
    "letter/rings": comparison(LETTER + "rings", "rings", "letter", 450, 10, 2600, "--full"),
    "letter/rings-stiff": comparison(LETTER + "stiff rings", "rings-stiff", "letter", 450, 10, 6500, "--full"),
    "letter/pyramid": comparison(LETTER + "pyramid", "pyramid", "letter", 450, 10, 9000, "--full", limit=3600, meshes=("cage",)),
    "program/rings": comparison(PROGRAM + "rings", "rings", "program", 450, 10, 2100, "--full"),
    "program/rings-stiff": comparison(PROGRAM + "stiff rings", "rings-stiff", "program", 450, 10, 2000, "--full"),
    "program/pyramid": comparison(PROGRAM + "pyramid", "pyramid", "program", 450, 10, 8000, "--full", limit=3600, meshes=("cage",)),
    "program/bearing": comparison(PROGRAM + "bearing", "bearing", "program", 0, 4000, 2400, "--reference", "auto", repeat=1, limit=300, meshes=("race",)),
    "program/bunnies": comparison(PROGRAM + "bunnies", "bunnies", "program", 600, 6, 1500, "--reference", "auto", repeat=1, limit=120, meshes=("bunny",)),
    "rigid-stack": benchmark("Rigid stack", "rigid-stack", 300, "--solvers", "cr-full,cr-diag,ica,sp-active-set,sp-cr"),
    "figure6": benchmark("Figure 6", "figure6", 120),
    "figure9": benchmark("Figure 9", "figure9", 1500),
    "figure10": benchmark("Figure 10", "figure10", 3600, "--limit", "1200", "--solvers", "cr-full,ica,sp-active-set,sp-cr"),
    "figure11/rings": comparison(FIGURE_11 + "rings", "rings", "program", 330, 60, 120, "--solvers", "cr-full,cr-diag,ica,sp-active-set,sp-cr", repeat=1),
    "figure11/rings-stiff": comparison(FIGURE_11 + "stiff rings", "rings-stiff", "program", 330, 60, 120, "--solvers", "cr-full,ica,sp-active-set", repeat=1),
    "figure11/pyramid": comparison(FIGURE_11 + "the pyramid", "pyramid", "program", 450, 60, 900, "--solvers", "cr-full,ica,sp-active-set,sp-cr", repeat=1, limit=300, meshes=("cage",)),
    "figure11": Part("Figure 11", ("bench.py", "figure11"), ("figure11", "--quick"), 10, "figure11.md"),
    "figure12": benchmark("Figure 12", "figure12", 1200, "--limit", "900"),
    "stiffness": benchmark("Iterations over stiffness", "stiffness", 1500),
    "refinement": benchmark("Rounds of refinement", "refinement", 600),
    "dumped": benchmark("Problems of single steps", "dumped", 1800, "--limit", "900"),
    "auto": benchmark("`auto` beside the methods that it chooses from", "auto", 4500, "--limit", "900"),
    "pull": benchmark("The Armadillo's pull", "pull", 6 * 3600, "--limit", str(6 * 3600)),
}
RECORD = "parts.json"


def everything(options):
    """Returns the exit status: 0 where every part went to its end, 2 otherwise."""
    names = place.some_of(PARTS, options.only, "part")  # in their order: figure 11 is drawn from what came before
    tell_plan(names, options)
    if options.plan:
        return 0
    make_folder(options.output)
    with hold(options.output, "scripts/bench/all.sh"):
        version = programs.version(options.simrun)
        record = read_record(options.output)
        for name in names:
            command = command_of(name, options)
            if not options.again and ended(record.get(name), command, version):
                print(f"{name}: kept", flush=True)
            else:
                run_part(name, command, version, record, options)
            page = write(options, version, record)
        print(f"written: {page}")
    return 0 if all(record[name]["status"] == 0 for name in names) else 2


def tell_plan(names, options):
    record = read_record(options.output)
    version = programs.version(options.simrun) if not options.plan or os.access(options.simrun, os.X_OK) else None
    print(f"all: {len(names)} part(s), one after the other; results in {options.output}")
    left = 0
    for name in names:
        done = not options.again and ended(record.get(name), command_of(name, options), version)
        left += 0 if done else PARTS[name].seconds
        print(f"  {name:20} {'there already' if done else 'a minute or two' if options.quick else 'about ' + place.spell(PARTS[name].seconds):16} {PARTS[name].title}")
    print("  the quick version, and no figure of it means anything" if options.quick else
          f"  in all about {place.spell(left) if left else 'nothing'} (two cores of an AMD EPYC, otherwise idle); interrupted, the same command goes on", flush=True)


def command_of(name, options):
    part = PARTS[name]
    words = [part.words[0], *(part.quick if options.quick else part.words[1:])]
    words += ["--limit", str(options.limit)] if options.limit else []  # the last one counts
    return [*words, "--threads", str(options.threads)]


def folder_of(name, options):
    return os.path.join(options.output, PARTS[name].folder or name)


def ended(row, command, version):
    """By this version of the program; None: there is none yet, so that whichever it was is told."""
    return row is not None and row["command"] == command and row["status"] in (0, 2) and version in (None, row["version"])


def read_record(folder):
    """name -> what became of it."""
    try:
        with open(os.path.join(folder, RECORD)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def run_part(name, command, version, record, options):
    print(f"\n== {name}: {PARTS[name].title}", flush=True)
    place.prepare(PARTS[name].meshes)
    before = record.get(name)
    spent = before["seconds"] if before and (before["command"], before["version"]) == (command, version) else 0.0
    started = time.monotonic()
    script, *words = command
    status = call([sys.executable, os.path.join(place.SCRIPTS, script), *words, "--simrun", os.path.abspath(options.simrun),
                   "-o", os.path.abspath(folder_of(name, options))])
    record[name] = {"command": command, "version": version, "quick": options.quick, "status": status, "seconds": spent + time.monotonic() - started}
    with replacing(os.path.join(options.output, RECORD)) as file:
        json.dump(record, file, indent=1)
    if status == command_line.INTERRUPTED:
        raise KeyboardInterrupt
    if status not in (0, 2):
        say(f"{name} failed with exit status {status}; the others go on")


def call(command):
    """Its exit status. Ctrl-C goes to it as well, and it ends by itself when its runs have closed their files."""
    with subprocess.Popen(command, cwd=place.TOP) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


TOLD = {0: "done", 2: "done; some runs stopped, or were cut off", command_line.INTERRUPTED: "interrupted"}


def write(options, version, record):
    """One page: what became of each part, then what each has left."""
    there = [name for name in PARTS if name in record]
    head = ["part", "what it is", "became", "took", "by", "command"]
    rows = [[f"[{name}](#{anchor(PARTS[name].title)})", PARTS[name].title, TOLD.get(record[name]["status"], f"failed with exit status {record[name]['status']}"),
             place.spell(record[name]["seconds"]), record[name]["version"].removeprefix("simrun "), f"`scripts/{shlex.join(record[name]['command'])}`"] for name in there]
    quick = [name for name in there if record[name]["quick"]]
    body = [f"Quick versions, only to see that they work, no figure of them means anything: {', '.join(quick)}.", ""] if quick else []
    body += [*tables.lines(head, rows), ""]
    for name in there:
        body += [f"## {PARTS[name].title}", "", *section(name, options), ""]
    return pages.write(options.output, "Results of the benchmarks", pages.facts(version, options.command, options.threads), body, [])


def anchor(title):
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def section(name, options):
    """The page of the part without its title: headings a level lower, links from where this page is."""
    folder = folder_of(name, options)
    try:
        with open(os.path.join(folder, PARTS[name].page)) as file:
            lines = file.read().splitlines()
    except OSError:
        return ["It has left no page."]
    inside = os.path.relpath(folder, options.output)
    lines = [line for k, line in enumerate(lines) if k or not line.startswith("# ")]
    return ["#" + line if line.startswith("#") else re.sub(r"\]\((?!https?:|#|/)([^)]*)\)", rf"]({inside}/\1)", line) for line in lines]
