#!/usr/bin/python3
"""Writes one HTML page about one or several result files: numbers, plots, and a player of the frames that can be turned.

    scripts/report.py out.h5                                to out.html
    scripts/report.py cr-full.h5 ica.h5 -o compared.html    side by side
    scripts/report.py out.h5 --frames 60 --max-size 5       a small page

The page is a single file that loads nothing from anywhere, for any browser on a desk or a phone; docs/report.md tells what is on
it. A file that a run still writes is shown as far as it goes. The first page takes node and npm to build the player.
Exit status: 0 the page is written; 1 usage, or something is missing; 3 a file cannot be read or written; 130 interrupted.
Debian packages: python3-numpy python3-h5py; python3-matplotlib for the plots; nodejs npm for the player.
"""
import contextlib
import os
import sys

from common import command_line
from common.files import refuse_inputs, replacing

with command_line.needing("python3-numpy python3-h5py"):
    import simrun_results
    from report import bundle, figures, geometry, page
    from report.errors import ReportError

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
OWN = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "simrun", "report")
CACHE = os.path.join(TOP, "build", "report") if os.path.exists(os.path.join(TOP, "CMakeLists.txt")) else OWN
MEGABYTE = 1_000_000


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("results", nargs="+", metavar="out.h5", help="result files")
    parser.add_argument("-o", "--output", metavar="PAGE", help="(default: the first result's name, ending in .html)")
    parser.add_argument("--frames", metavar="N", type=command_line.positive(int), default=300, help="at most so many frames of each run, evenly thinned (%(default)s)")
    parser.add_argument("--max-size", metavar="MB", type=command_line.positive(float), default=20, help="size of the page in megabytes; frames are thinned to fit (%(default)s)")
    parser.add_argument("--no-player", action="store_true", help="numbers and plots only; needs no node")
    parser.add_argument("--no-plots", action="store_true", help="numbers and player only")
    parser.add_argument("--cache", metavar="FOLDER", default=CACHE, help="where the player is built (build/report of the checkout; of an "
                        "installed simrun ~/.cache/simrun/report)")
    options = parser.parse_args()
    options.output = options.output or os.path.splitext(options.results[0])[0] + ".html"
    if os.path.splitext(options.output)[1].lower() not in (".html", ".htm"):
        parser.error(f"-o {options.output}: the page is an HTML file; expected a name ending in .html")
    return options


def plots_of(results):
    """Pictures by name, and what there is to say about those that are missing."""
    with_steps = [result for result in results if len(result.steps)]
    if not with_steps:
        return [], "There are no plots: no time step has been written yet."
    try:
        return list(figures.pictures(with_steps)), ""
    except ReportError as error:
        return [], f"There are no plots: {error}"


def players_of(results, options, page_so_far):
    """Shares what the page has left among the runs; a small one leaves more to the others."""
    left = options.max_size * MEGABYTE - page_so_far
    players = []
    for k, result in enumerate(results):
        about = 1000 + 300 * len(result.objects)  # the JSON of a run, roughly
        player = geometry.packed_to(result, options.frames, int(left / (len(results) - k)) - about)
        players.append(player)
        left -= sum(map(len, player.parts.values())) + about if player else 0
    return players


def page_of(results, options):
    made = None if options.no_player else bundle.made(options.cache)
    pictures, plot_trouble = ([], "") if options.no_plots else plots_of(results)
    if plot_trouble:
        command_line.say(plot_trouble)
    nothing = [None] * len(results)
    trouble = "This page was made without the player." if options.no_player else "No frame has been written yet."
    text = page.written(results, nothing, trouble, pictures, plot_trouble, made)
    if made:
        players = players_of(results, options, len(text.encode()) + len(made.script.encode()) + 4000)
        for result, player in zip(results, players):
            if player and player.dropped:
                command_line.say(f"{result.path}: frames that hold what is no number are left out: {', '.join(map(str, player.dropped))}")
        text = page.written(results, players, trouble, pictures, plot_trouble, made)
    return text


def main():
    options = arguments()
    refuse_inputs(options.output, options.results)
    with contextlib.ExitStack() as stack:
        results = [stack.enter_context(simrun_results.open(path)) for path in options.results]
        with replacing(options.output) as file:
            file.write(page_of(results, options))
        print(f"{options.output}: {os.path.getsize(options.output) / MEGABYTE:.1f} MB")
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
