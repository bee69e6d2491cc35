"""The tiny scene of the tests of sweeps, and how they call the script and read what it left. Shares no code with the scripts."""
import csv
import json
import os
import shutil
import subprocess
import sys
import unittest

import in_process

SCENE = {
    "name": "drop",
    "time": {"step": 0.001, "duration": 0.6},
    "materials": {"rubber": {"young": 5e5, "poisson": 0.2, "density": 1000}},
    "meshes": {"block": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
    "objects": [
        {"name": "block", "mesh": "block", "material": "rubber", "position": [0, 0, 0.06], "velocity": [1, 0, 0]},
        {"name": "floor", "type": "fixed", "mesh": "slab", "position": [0, 0, -0.05]}],
    "output": {"every": 100, "checkpoint": 20},
}
GRID = ["--grid", "contact.friction=0.1,0.3,0.5", "--grid", "solver.method=cr-full,ica"]
NAMES = [f"friction={mu}_method={method}" for mu in ("0.1", "0.3", "0.5") for method in ("cr-full", "ica")]


def write_scene(path, **changes):
    with open(path, "w") as file:
        json.dump({**SCENE, **changes}, file)


class Sweep:
    """The script, called for one scene and one folder."""

    def __init__(self, script, simrun, scene, folder):
        self.script, self.simrun, self.scene, self.folder = script, simrun, scene, folder

    def words(self, *options):
        return [sys.executable, self.script, self.scene, "--simrun", self.simrun, "-o", self.folder, *options]

    def start(self, *options):
        return subprocess.Popen(self.words(*options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, *options):
        return subprocess.run(self.words(*options), capture_output=True, text=True)

    def call_here(self, *options):
        """The same without an interpreter of its own: for what is refused or told before anything is run."""
        scripts, name = os.path.split(self.script)
        return in_process.run(scripts, name, *self.words(*options)[2:])

    def path(self, name):
        return os.path.join(self.folder, name)

    def table(self):
        with open(self.path("table.csv"), newline="") as file:
            return list(csv.DictReader(file))


def without_timings(rows):
    return [{key: value for key, value in row.items() if not key.endswith(("_ms_mean", "_ms_median", "total_s"))} for row in rows]


class SweepCase(unittest.TestCase):
    """Each test with a folder and a scene of its own. A subclass has `programs`: the script, simrun, and where the folders go."""
    programs = None

    def setUp(self):
        self.script, self.simrun, folder = self.programs
        self.place = os.path.join(folder, self._testMethodName)
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        self.scene = os.path.join(self.place, "drop.json")
        write_scene(self.scene)

    def sweep(self, name="sweep"):
        return Sweep(self.script, self.simrun, self.scene, os.path.join(self.place, name))

    def finished(self, done, status=0):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr
