#!/usr/bin/python3
"""Draws what is in result files: iterations, residuals, constraints, timings, energy, momentum.

    scripts/plot.py out.h5                                   all of them: out-iterations.png, out-residuals.png ...
    scripts/plot.py out.h5 --kind energy -o energy.svg       one, to a file
    scripts/plot.py out.h5 -o out.pdf                        all of them, each a page
    scripts/plot.py a.h5 b.h5 c.h5 -o pictures               several runs in each picture: pictures/iterations.png ...

A file that a run is still writing is drawn as far as it is. docs/post-processing.md explains the pictures. Exit status: 0 done;
1 usage, or something is missing; 3 a file cannot be read or written. Debian packages: python3-numpy python3-h5py
python3-matplotlib.
"""
import argparse
import contextlib
import os
import sys

try:
    import plots
    import simrun_results as sr
    from matplotlib.backends.backend_pdf import PdfPages
except ImportError as error:
    sys.exit(f"plot.py: {error}. On Debian: apt-get install python3-numpy python3-h5py python3-matplotlib, and run this with "
             "/usr/bin/python3")

FORMATS = ("png", "svg", "pdf")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(1, f"plot.py: {message}\n")


def arguments():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="out.h5", help="result files; several are drawn in the same pictures")
    parser.add_argument("--kind", action="append", metavar="KIND", help="some of " + ", ".join(plots.KINDS) + ", separated by commas "
                        "(repeatable; all)")
    parser.add_argument("--over", choices=("step", "time"), help="horizontal axis: time steps or simulated time (iterations, residuals and "
                        "timings by step, the others by time)")
    parser.add_argument("--step", type=int, help="residuals: the time step whose iterations are drawn, of a run with --trace (the one with "
                        "the most)")
    parser.add_argument("-o", "--output", metavar="PLACE", help="a folder, or a file that ends in .png, .svg or .pdf; with several kinds "
                        "only a .pdf, of one page each (beside the first result, named after it)")
    parser.add_argument("--format", choices=FORMATS, help="(png, or as the output file ends)")
    parser.add_argument("--dpi", type=int, default=120, help="of PNG pictures (%(default)s)")
    options = parser.parse_args()
    options.kind = [kind for text in options.kind or [",".join(plots.KINDS)] for kind in text.split(",") if kind]
    for kind in options.kind:
        if kind not in plots.KINDS:
            parser.error(f"--kind {kind}: there is no such kind; expected some of {', '.join(plots.KINDS)}")
    if options.step is not None and "residuals" not in options.kind:
        parser.error("--step: only residuals are drawn of a single step")
    if options.dpi < 1:
        parser.error(f"--dpi {options.dpi}: expected a number of at least 1")
    check_output(parser, options)
    return options


def check_output(parser, options):
    """options.file: the one file for everything, or None; options.stem: the beginning of all names, else."""
    ending = os.path.splitext(options.output or "")[1][1:].lower()
    options.file = options.output if ending in FORMATS and not os.path.isdir(options.output) else None
    if options.file:
        if options.format not in (None, ending):
            parser.error(f"--format {options.format}: the output {options.output} ends differently")
        if len(options.kind) > 1 and ending != "pdf":
            parser.error(f"-o {options.output}: a .{ending} holds one picture, and {len(options.kind)} kinds are asked for; name one with "
                         "--kind, or a folder, or a .pdf")
    options.format = options.format or (ending if options.file else "png")
    options.stem = os.path.join(options.output, "") if options.output else os.path.splitext(options.results[0])[0] + "-"


def draw(options, results):
    """kind, figure: one after the other."""
    for kind in options.kind:
        settings = {"over": options.over} if options.over else {}
        if kind == "residuals" and options.step is not None:
            settings["step"] = options.step
        yield kind, plots.draw(results, kind, **settings)


def write(options, results):
    folder = os.path.dirname(options.file or options.stem)
    if folder:
        os.makedirs(folder, exist_ok=True)
    if options.file and options.format == "pdf":
        with PdfPages(options.file) as pages:
            for _, figure in draw(options, results):
                pages.savefig(figure)
        print(options.file)
        return
    for kind, figure in draw(options, results):
        path = options.file or f"{options.stem}{kind}.{options.format}"
        figure.savefig(path, dpi=options.dpi, format=options.format)
        print(path, flush=True)


def main():
    options = arguments()
    with contextlib.ExitStack() as stack:
        try:
            write(options, [stack.enter_context(sr.open(path)) for path in options.results])
        except (sr.ResultError, OSError) as error:
            print(f"plot.py: {error}", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
