#!/usr/bin/python3
"""Writes one HTML page about one or several result files: numbers, plots, and a player of the frames that can be turned.

    scripts/report.py out.h5                                to out.html
    scripts/report.py cr-full.h5 ica.h5 -o compared.html    side by side
    scripts/report.py out.h5 --frames 60 --max-size 5       a small page

The page is a single file that loads nothing from anywhere, for any browser on a desk or a phone; docs/report.md tells what is on
it. A file that a run still writes is shown as far as it goes. The first page takes node and npm to build the player.
Exit status: 0 the page is written; 1 usage, a file that cannot be read, or something is missing.
Debian packages: python3-numpy python3-h5py; python3-matplotlib for the plots; nodejs npm for the player.
"""
import argparse
import contextlib
import os
import sys

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError as error:
    sys.exit(f"report.py: {error}. On Debian: apt-get install python3-numpy python3-h5py, and run this with "
             "/usr/bin/python3")

import simrun_results
from exports.output import replacing
from report import bundle, figures, geometry, page
from report.errors import ReportError

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEGABYTE = 1_000_000


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(1, f"report.py: {message}\n")


def positive(kind):
    def parse(text):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text}: expected a number above 0")
        return value
    parse.__name__ = "number"
    return parse


def arguments():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="out.h5", help="result files")
    parser.add_argument("-o", "--output", metavar="PAGE", help="(default: the first result's name, ending in .html)")
    parser.add_argument("--frames", metavar="N", type=positive(int), default=300, help="at most so many frames of each run, evenly thinned (%(default)s)")
    parser.add_argument("--max-size", metavar="MB", type=positive(float), default=20, help="size of the page in megabytes; frames are thinned to fit (%(default)s)")
    parser.add_argument("--no-player", action="store_true", help="numbers and plots only; needs no node")
    parser.add_argument("--no-plots", action="store_true", help="numbers and player only")
    parser.add_argument("--cache", metavar="FOLDER", default=os.path.join(TOP, "build", "report"), help="where the player is built (build/report of the checkout)")
    options = parser.parse_args()
    options.output = options.output or os.path.splitext(options.results[0])[0] + ".html"
    if os.path.splitext(options.output)[1] in (".h5", ".hdf5"):
        parser.error(f"-o {options.output}: this is the name of a result file; expected a name ending in .html")
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
        print(f"report.py: {plot_trouble}", file=sys.stderr)
    nothing = [None] * len(results)
    trouble = "This page was made without the player." if options.no_player else "No frame has been written yet."
    text = page.written(results, nothing, trouble, pictures, plot_trouble, made)
    if made:
        players = players_of(results, options, len(text.encode()) + len(made.script.encode()) + 4000)
        text = page.written(results, players, trouble, pictures, plot_trouble, made)
    return text


def main():
    options = arguments()
    with contextlib.ExitStack() as stack:
        try:
            results = [stack.enter_context(simrun_results.open(path)) for path in options.results]
            with replacing(options.output) as file:
                file.write(page_of(results, options))
            print(f"{options.output}: {os.path.getsize(options.output) / MEGABYTE:.1f} MB")
        except (ReportError, simrun_results.ResultError) as error:
            print(f"report.py: {error}", file=sys.stderr)
            return 1
        except OSError as error:
            print(f"report.py: {error.filename}: {error.strerror}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
