#!/usr/bin/python3
"""Makes a scene of simrun from a scene of IPC (Li et al. 2020), in its text format.

    scripts/import_ipc.py IPC/input/tutorialExamples/2cubesFall.txt              writes 2cubesFall.json
    scripts/import_ipc.py IPC/input/tutorialExamples/2cubesFall.txt -o a/b.json   and meshes that must be written anew beside it
    simrun 2cubesFall.json

Shapes are read from the folder that IPC itself lies in. Taken over are shapes with their materials, initial and told velocities and
DBC boxes, obstacles from .obj, .seg and .pt files, ground, halfSpace and meshCO, the energy, time and friction. What cannot be
expressed is told, one line each, with the line of the text. What concerns its pictures, solver and accuracy is passed over: simrun has
its own. y points up, as in IPC. Exit status: 0 done; 1 usage, something is missing, or a file
that the scene names is not there; 3 a file cannot be read or written; 130 interrupted. Debian packages: python3-numpy.
"""
import json
import os
import sys

from common import command_line
from common.files import make_folder, replacing

with command_line.needing("python3-numpy"):
    import ipc.reader
    import ipc.scene


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("scene", metavar="scene.txt", help="scene of IPC")
    parser.add_argument("--root", metavar="FOLDER", help="IPC's folder, which the files that the scene names are below (found by itself)")
    parser.add_argument("-o", "--output", metavar="scene.json", help="(named after the scene, in this folder)")
    return parser.parse_args()


def main():
    options = arguments()
    output = options.output or os.path.splitext(os.path.basename(options.scene))[0] + ".json"
    make_folder(os.path.dirname(os.path.abspath(output)))
    shapes, settings = ipc.reader.read(options.scene)
    scene, lost = ipc.scene.make(options.scene, shapes, settings, options.root, output)
    with replacing(output) as file:
        file.write(json.dumps(scene, indent=2) + "\n")
    for line in lost:
        print(line, file=sys.stderr)
    print(f"{output}: {len(scene['objects'])} objects" + (f"; not expressed: {len(lost)}, see above" if lost else ""))
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
