#!/usr/bin/python3
"""Writes frames of a result file in formats of other programs.

    scripts/export.py out.h5                                      all frames: out/out.0000.vtu ... and out/out.pvd, for VTK and ParaView
    scripts/export.py out.h5 --format vtkhdf                      all frames in one file, out/out.vtkhdf: ParaView from 5.12 on
    scripts/export.py out.h5 --format xdmf                        out.xdmf anew, of a result that was renamed
    scripts/export.py out.h5 --format obj --frames 0:100:10       every tenth surface, a group an object: Blender, MeshLab
    scripts/export.py out.h5 --format ply --frames last -o shapes the last one, in colours of the objects
    scripts/export.py out.h5 --objects left,right --surfaces      the surfaces of two objects

A vtu or vtkhdf has everything that the file holds of a frame: displacement, velocity, contact_force, object, von_mises, stress,
strain. All coordinates and fields are those of the result, bit for bit. A file that a run is still writing is exported as far as it is. This is a script and
no part of simrun, which only simulates. Exit status: 0 done; 1 usage, or a frame or object that is not there; 3 a file cannot be read
or written, or the frame holds what is no number; 130 interrupted. Debian packages: python3-numpy python3-h5py.
"""
import os
import sys

from common import command_line
from common.files import make_folder

with command_line.needing("python3-numpy python3-h5py"):
    import exports
    import shapes
    import simrun_results as sr
    from shapes.select import HELP_FRAMES


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("result", metavar="out.h5", help="result file")
    parser.add_argument("--format", choices=exports.FORMATS, default="vtu", help="(%(default)s)")
    parser.add_argument("--frames", default="all", help=HELP_FRAMES + " (%(default)s)")
    parser.add_argument("--objects", action="append", metavar="NAME", help="some objects, by name or type (deformable, rigid, scripted, "
                        "fixed), separated by commas (all)")
    parser.add_argument("--surfaces", action="store_true", help="vtu, vtkhdf: triangles only; without it tetrahedra, and triangles of objects "
                        "that have none. obj and ply are surfaces anyway")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where the files go (named after the result, beside it)")
    return parser.parse_args()


def write_each(options, result, numbers, pieces, stem):
    """A file a frame, and for vtu the list of them."""
    form = exports.FORMATS[options.format]
    digits = max(4, len(str(len(result.frames) - 1)))
    files = [f"{stem}.{number:0{digits}d}.{options.format}" for number in numbers]
    for number, path in zip(numbers, files):
        form.write(path, result, result.frames[number], pieces)
    if options.format == "vtu":
        form.write_collection(stem + ".pvd", result.frames.time[numbers].tolist(), files)
    return files + [stem + ".pvd"] * (options.format == "vtu")


def refuse_for_xdmf(options):
    """It is what simrun writes: all frames, beside the result."""
    for name, given in (("--frames", options.frames != "all"), ("--objects", options.objects), ("--surfaces", options.surfaces),
                        ("-o", options.output)):
        if given:
            raise command_line.Complaint(f"--format xdmf takes no {name}: it refers to all of the result, from beside it")


def write(options, result):
    if options.format == "xdmf":
        refuse_for_xdmf(options)
        print(f"{len(result.frames)} frames: {exports.FORMATS['xdmf'].write_beside(result, options.result)}")
        return
    numbers = shapes.choose_frames(options.frames, len(result.frames), options.result)
    objects = shapes.choose_objects(options.objects, result)
    pieces = exports.pieces_of(result, objects, options.format in exports.OF_VOLUMES and not options.surfaces)
    name = os.path.splitext(os.path.basename(options.result))[0]
    folder = options.output or os.path.splitext(options.result)[0]
    make_folder(folder)
    stem = os.path.join(folder, name)
    if options.format == "vtkhdf":
        files = [stem + ".vtkhdf"]
        numbers = sorted(set(numbers))  # steps of a series
        exports.FORMATS["vtkhdf"].write_all(files[0], result, numbers, pieces)
    else:
        files = write_each(options, result, numbers, pieces, stem)
    frames, collection = files[:len(numbers)], files[len(numbers):]
    print(f"{len(numbers)} {'frame' if len(numbers) == 1 else 'frames'}: {frames[0]}"
          + (f" to {os.path.basename(frames[-1])}" if frames[1:] else "") + "".join(f", {path}" for path in collection))


def main():
    options = arguments()
    with sr.open(options.result, finite=True) as result:
        write(options, result)
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
