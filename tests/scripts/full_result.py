"""A small run with everything that frames can hold, for the tests of scripts: two materials, a rigid body, a floor, a wall of triangles
only, contacts of all of them, and names that need quoting.
"""
import json
import os
import subprocess
import sys

WALL = """OFF
8 12 0
0.2 -0.3 0
0.25 -0.3 0
0.25 0.3 0
0.2 0.3 0
0.2 -0.3 0.3
0.25 -0.3 0.3
0.25 0.3 0.3
0.2 0.3 0.3
3 0 2 1
3 0 3 2
3 4 5 6
3 4 6 7
3 0 1 5
3 0 5 4
3 1 2 6
3 1 6 5
3 2 3 7
3 2 7 6
3 3 0 4
3 3 4 7
"""
SCENE = {
    "name": "small <&> \"quoted\"",
    "time": {"step": 0.001, "duration": 0.06},
    "materials": {"rubber": {"young": 5e5, "poisson": 0.3, "density": 1000},
                  "gum": {"model": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}},
    "meshes": {"box": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
               "floor": {"generate": "slab", "size": [1, 1], "thickness": 0.1},
               "wall": {"file": "wall.off"}},
    "objects": [
        {"name": "wall", "type": "fixed", "mesh": "wall"},
        {"name": "rubber box", "mesh": "box", "material": "rubber", "position": [0.003, 0.007, 0.051], "velocity": [0.2, 0, -0.5]},
        {"name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05]},
        {"name": "stone", "type": "rigid", "mesh": "box", "material": "rubber", "position": [-0.2, 0, 0.052], "velocity": [0, 0, -0.3]},
        {"name": "gum", "mesh": "box", "material": "gum", "position": [0.01, 0, 0.155], "velocity": [0, 0, -0.5]}],
    "output": {"every": 5, "stress": True, "stress_tensor": True, "strain_tensor": True, "contact_forces": True, "contacts": True},
}
FRAMES = 13


def write_scene(folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "wall.off"), "w", encoding="utf-8") as file:
        file.write(WALL)
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(SCENE, file)
    return path


def make(simrun, folder, name="out.h5", *options):
    """The path of the result."""
    path = os.path.join(folder, name)
    done = subprocess.run([simrun, write_scene(folder), "--quiet", "--threads", "1", "-o", path, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return path


def start(simrun, folder, name="running.h5"):
    """A run that goes on until it is killed, with frames some ten milliseconds apart; its file may not be there yet."""
    path = os.path.join(folder, name)
    running = subprocess.Popen([simrun, write_scene(folder), "--quiet", "--threads", "1", "--duration", "1000", "--set", "output.every=50",
                                "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return path, running


def script(scripts, name, *options):
    return subprocess.run([sys.executable, os.path.join(scripts, name), *options], capture_output=True, text=True)
