#!/usr/bin/python3
"""Draws what is in result files: iterations, residuals, layers, constraints, timings, energy, momentum, volumes, forces between objects.

    scripts/plot.py out.h5                                   all of them: out-iterations.png, out-residuals.png ...
    scripts/plot.py out.h5 --kind energy -o energy.svg       one, to a file
    scripts/plot.py out.h5 -o out.pdf                        all of them, each a page
    scripts/plot.py a.h5 b.h5 c.h5 -o pictures               several runs in each picture: pictures/iterations.png ...
    scripts/plot.py out.h5 --kind force --objects ball,floor the force on ball of floor (run with --set output.contacts=true)

A file that a run is still writing is drawn as far as it is. docs/post-processing.md explains the pictures. Exit status: 0 done;
1 usage, something is missing or not in the file; 3 a file cannot be read or written; 130 interrupted. Debian packages:
python3-numpy python3-h5py python3-matplotlib.
"""
import contextlib
import io
import os
import sys

from common import command_line
from common.files import make_folder, refuse_inputs, replacing

with command_line.needing("python3-numpy python3-h5py python3-matplotlib"):
    import plots
    import simrun_results as sr
    from matplotlib.backends.backend_pdf import PdfPages

FORMATS = ("png", "svg", "pdf")


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("results", nargs="+", metavar="out.h5", help="result files; several are drawn in the same pictures")
    parser.add_argument("--kind", action="append", metavar="KIND", help="some of " + ", ".join(plots.KINDS) + ", separated by commas "
                        "(repeatable; all that have something to say), or force, with --objects")
    parser.add_argument("--over", choices=("step", "time"), help="horizontal axis: time steps or simulated time (iterations, residuals and "
                        "timings by step, the others by time)")
    parser.add_argument("--step", type=int, help="residuals: the time step whose iterations are drawn, of a run with --trace (the one with "
                        "the most)")
    parser.add_argument("--objects", metavar="A[,B]", help="force: the object that it acts on, and the one that it comes from (all others); "
                        "a name stands for all copies, * for any text")
    parser.add_argument("-o", "--output", metavar="PLACE", help="a folder, or a file that ends in .png, .svg or .pdf; with several kinds "
                        "only a .pdf, of one page each (beside the first result, named after it)")
    parser.add_argument("--format", choices=FORMATS, help="(png, or as the output file ends)")
    parser.add_argument("--dpi", type=command_line.positive(int), default=120, help="of PNG pictures (%(default)s)")
    options = parser.parse_args()
    options.kind = [kind for text in options.kind for kind in text.split(",") if kind] if options.kind else None
    for kind in options.kind or ():
        if kind not in plots.KINDS and kind not in plots.OF_OBJECTS:
            parser.error(f"--kind {kind}: there is no such kind; expected some of {', '.join([*plots.KINDS, *plots.OF_OBJECTS])}")
    check_objects(parser, options)
    if options.step is not None and options.kind and "residuals" not in options.kind:
        parser.error("--step: only residuals are drawn of a single step")
    check_output(parser, options)
    return options


def check_objects(parser, options):
    wanted = any(kind in plots.OF_OBJECTS for kind in options.kind or ())
    if wanted and not options.objects:
        parser.error("--kind force: say of which object, or between which two: --objects A,B")
    if options.objects and not wanted:
        parser.error(f"--objects {options.objects}: only the force is drawn of objects; add --kind force")
    names = [name.strip() for name in options.objects.split(",")] if options.objects else []
    if len(names) > 2 or not all(names):
        parser.error(f"--objects {options.objects}: expected one name, or two with a comma between them")
    options.objects = names


def check_output(parser, options):
    """options.file: the one file for everything, or None; options.stem: the beginning of all names, else."""
    ending = os.path.splitext(options.output or "")[1][1:].lower()
    options.file = options.output if ending in FORMATS and not os.path.isdir(options.output) else None
    if options.file:
        if options.format not in (None, ending):
            parser.error(f"--format {options.format}: the output {options.output} ends differently")
        if (options.kind is None or len(options.kind) > 1) and ending != "pdf":
            count = len(options.kind) if options.kind else "all"
            parser.error(f"-o {options.output}: a .{ending} holds one picture, and {count} kinds are asked for; name one with "
                         "--kind, or a folder, or a .pdf")
    elif ending and not os.path.isdir(options.output):
        parser.error(f"-o {options.output}: pictures end in .png, .svg or .pdf; a new folder with a dot in its name must be made first")
    options.format = options.format or (ending if options.file else "png")
    options.stem = os.path.join(options.output, "") if options.output else os.path.splitext(options.results[0])[0] + "-"


def draw(options, results):
    """kind, figure: one after the other."""
    for kind in options.kind:
        settings = {"over": options.over} if options.over else {}
        if kind == "residuals" and options.step is not None:
            settings["step"] = options.step
        if kind in plots.OF_OBJECTS:
            settings["objects"] = options.objects
        yield kind, plots.draw(results, kind, **settings)


def check_before_writing(options, results):
    """What would otherwise be found when some of the pictures are there."""
    for kind in options.kind:
        refuse_inputs(path_of(options, kind), options.results)
    if options.step is not None:
        for result in results:
            result.trace.step(options.step)  # complains where there is none
    for result in results if options.objects else ():
        plots.forces.check(result, *options.objects)


def path_of(options, kind):
    return options.file or f"{options.stem}{kind}.{options.format}"


def write(options, results):
    options.kind = options.kind or plots.kinds_of(results)
    check_before_writing(options, results)
    make_folder(os.path.dirname(options.file or options.stem))
    if options.file and options.format == "pdf":
        whole = io.BytesIO()  # PdfPages cannot be left behind half-written
        with PdfPages(whole) as pages:
            for _, figure in draw(options, results):
                pages.savefig(figure)
        with replacing(options.file, binary=True) as file:
            file.write(whole.getvalue())
        print(options.file)
        return
    for kind, figure in draw(options, results):
        path = path_of(options, kind)
        with replacing(path, binary=True) as file:
            figure.savefig(file, dpi=options.dpi, format=options.format)
        print(path, flush=True)


def main():
    options = arguments()
    with contextlib.ExitStack() as stack:
        write(options, [stack.enter_context(sr.open(path)) for path in options.results])
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
