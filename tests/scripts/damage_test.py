"""Damaged result files, and every script that reads them: a clear line of error, or what the file still holds, never anything else.
usage: damage_test.py <scripts> <simrun> <folder> [seed count]

With seed and count that many random damages are tried; without them the same few each time. Exit status 77: h5py is missing.
"""
import json
import os
import random
import shutil
import sys
import unittest
import warnings
from unittest import mock

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

import full_result
import in_process

SCRIPTS, SIMRUN, FOLDER, *RANDOM = sys.argv[1:]
SEED, COUNT = map(int, RANDOM or (1, 10))
sys.path.insert(0, SCRIPTS)

import simrun_results as sr
from report import geometry

try:
    import matplotlib  # noqa: F401
except ImportError:
    matplotlib = None
try:
    import vtk
    vtk.vtkObject.GlobalWarningDisplayOff()
except ImportError:
    vtk = None
DISPLAY = os.environ.get("DISPLAY") or shutil.which("Xvfb")


def place(name):
    return os.path.join(FOLDER, name)


def script(name, *words):
    """Exit status and all that was said."""
    done = in_process.run(SCRIPTS, name, *words)
    return done.returncode, done.stdout + done.stderr


def player(path):
    """The frames on a page; a function of report.py that needs no node."""
    try:
        with sr.open(path) as result:
            packed = geometry.packed_to(result, 10, 1_000_000)
            json.dumps(packed.about if packed else None, allow_nan=False)
        return 0, ""
    except sr.ResultError as error:
        return error.exit_status, f"{error}\n"


def contacts(path):
    """Everything of contacts and of the trace, as a notebook would ask for it."""
    try:
        with sr.open(path) as result:
            for frame in result.frames:
                for name in frame.contacts.columns:
                    frame.contacts[name]
                for body in result.objects:
                    frame.contacts.force_on(body.index)
            for step in result.trace.steps:
                result.trace.step(step)
        return 0, ""
    except sr.ResultError as error:
        return error.exit_status, f"{error}\n"


TOOLS = {
    "export vtu": lambda path: script("export.py", path, "-o", place("vtu"), "--frames", "::4"),
    "export obj": lambda path: script("export.py", path, "-o", place("obj"), "--format", "obj", "--frames", "0,3"),
    "export ply": lambda path: script("export.py", path, "-o", place("ply"), "--format", "ply", "--frames", "3", "--objects", "deformable,rigid"),
    "report": lambda path: script("report.py", path, "-o", place("page.html"), "--no-player", "--no-plots"),
    "tail": lambda path: script("tail.py", path, "--once"), "player": player, "contacts": contacts}
def plots_undrawn(path):
    """Read and laid out, all but put on paper, which takes seconds."""
    with mock.patch("matplotlib.backends.backend_pdf.PdfPages.savefig"):
        return TOOLS["plot"](path)


if matplotlib:
    TOOLS["plot"] = lambda path: script("plot.py", path, "-o", place("plots.pdf"))
if vtk and DISPLAY:
    TOOLS["render"] = lambda path: script("render.py", path, "-o", place("still.png"), "--frames", "3", "--size", "64x48")
    TOOLS["render stress"] = lambda path: script("render.py", path, "-o", place("still.png"), "--size", "64x48", "--color", "von_mises")
    TOOLS["render tensor"] = lambda path: script("render.py", path, "-o", place("still.png"), "--size", "64x48", "--color", "max_principal_stress")

DRAW = ("export vtu", "export obj", "export ply", "render", "player")
# dataset, where, value: what is said, and by which tools; the others do not read it and must not mind
WORDS = [
    ("frames/positions", (3, 7, 1), np.nan, "/frames/positions, frame 3 (step 15), vertex 7: nan, expected a finite number",
     ("export obj", "export ply", "render")),
    ("frames/positions", (4, 0, 0), 1e300, "frame 4 (step 20), vertex 0: 1e+300", ("export vtu",)),
    ("frames/velocities", (4, 2, 0), -np.inf, "/frames/velocities, frame 4 (step 20), vertex 2: -inf", ("export vtu",)),
    ("frames/von_mises", (12, 3), np.inf, "/frames/von_mises, frame 12 (step 60), tetrahedron 3: inf", ("export vtu", "render stress")),
    ("frames/stress", (12, 3, 4), np.inf, "/frames/stress, frame 12 (step 60), tetrahedron 3: inf", ("export vtu", "render tensor")),
    ("frames/strain", (12, 3, 0), 1e300, "/frames/strain, frame 12 (step 60), tetrahedron 3: 1e+300", ("export vtu",)),
    ("frames/step", (2,), 3, "/frames/step, frame 2: 3, expected more than 5", ("export vtu", "export obj", "export ply", "render")),
    ("frames/time", (12,), np.nan, "/frames/time, frame 12: nan", ("export vtu", "export obj", "export ply", "render", "render stress")),
    ("model/triangles", (5, 1), 99999, "/model/triangles, row 5: 99999, expected a vertex of its object", DRAW),
    ("model/triangles", (5, 1), -1, "/model/triangles, row 5: -1", DRAW),
    ("model/tets", (0, 2), 2**31 - 1, "/model/tets, row 0: 2147483647, expected a vertex of its object", ("export vtu", "render stress")),
    ("model/objects/vertex_end", (4,), 10**6, "/model/objects, row 5: /model/rest_positions has ", DRAW),
    ("model/objects/triangle_begin", (2,), 0, "/model/objects, row 2: triangle_begin is 0, expected ", (*DRAW, "report")),
    ("model/triangle_object", (40,), 7, "/model/triangle_object, row 40: 7, expected the row of the object", ("export vtu", "render")),
    ("model/rest_positions", (9, 2), np.nan, "/model/rest_positions, vertex 9: nan, expected a finite number", ("export vtu",)),
    ("steps/iterations", (8,), -3, "/steps/iterations, row 8: -3, expected at least 0", ("plot", "report", "tail")),
    ("steps/step", (8,), 10, "/steps/step, row 8: 10, expected 1 more than 8", ("plot", "report", "tail")),
    ("steps/t_solve", (0,), np.nan, "/steps/t_solve, row 0: nan, expected seconds", ("plot", "report")),
    ("steps/status", (59,), 77, "/steps/status, row 59: 77, expected one of 0, 1, 2, 3", ("plot", "report")),
    ("contacts/begin", (12,), 10**9, "/contacts/", ("contacts",)),
    ("contacts/vertices", (0, 3), -5, "/contacts/vertices, row 0: -5, expected a number from 0 to ", ("contacts",)),
    ("trace/begin", (30,), 10**6, "/trace/begin, row 31: ", ("contacts", "plot")),
]


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.whole = full_result.make(SIMRUN, FOLDER, "whole.h5", "--trace")
        warnings.simplefilter("error")  # numbers that NumPy or matplotlib wonder about have got through
        warnings.simplefilter("ignore", DeprecationWarning)

    def damaged(self, work):
        path = place("damaged.h5")
        shutil.copy(self.whole, path)
        with h5py.File(path, "r+") as file:
            work(file)
        return path

    def expect_error(self, answer, words=""):
        status, said = answer
        self.assertEqual(status, 3, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("damaged.h5: ", said)
        self.assertIn(words, said)

    def test_a_whole_file_is_read_by_all(self):
        for name, tool in TOOLS.items():
            self.assertEqual(tool(self.whole)[0], 0, name)

    def test_the_place_and_the_value_are_named(self):
        for name, where, value, words, readers in WORDS:
            def spoil(file, name=name, where=where, value=value):
                file[name][where] = value
            path = self.damaged(spoil)
            for reader in readers:
                if reader in TOOLS and not (reader == "player" and "positions" in name):
                    with self.subTest(damage=(name, where, value), reader=reader):
                        self.expect_error(TOOLS[reader](path), words)

    def test_frames_beside_a_damaged_one_are_exported(self):
        def spoil(file):
            file["frames/positions"][3, 7, 1] = np.nan
        path = self.damaged(spoil)
        status, said = script("export.py", path, "-o", place("others"), "--format", "obj", "--frames", "0:3,4:")
        self.assertEqual((status, len(os.listdir(place("others")))), (0, 12), said)

    def test_stress_that_is_not_there_is_no_damage(self):
        """Rigid bodies have NaN, and so has an element that is turned inside out."""
        def turn(file):
            file["frames/von_mises"][3, 0] = np.nan
            file["frames/stress"][3, 0], file["frames/strain"][3, 0] = np.nan, np.nan
        path = self.damaged(turn)
        with sr.open(path, finite=True) as result:
            rigid = result.object("stone")
            self.assertTrue(np.isnan(result.frames[3].von_mises[rigid.tets]).all())
            self.assertTrue(np.isnan(result.frames[3].von_mises[0]))
            for values in (result.frames[3].principal_stress, result.frames[3].principal_strain):
                self.assertTrue(np.isnan(values[rigid.tets]).all() and np.isnan(values[0]).all() and np.isfinite(values[1]).all())
        self.assertEqual(TOOLS["export vtu"](path)[0], 0)

    def test_parts_that_are_gone_or_of_another_kind(self):
        for name in ("model/triangles", "model/objects/name", "frames/positions", "frames/time", "steps/step", "model/objects/tet_end",
                     "model/rest_positions", "steps/t_total"):
            for what, work in (("gone", lambda file, name=name: file.pop(name)), ("cut", self.cut(name)), ("a folder", self.folder(name)),
                               ("flat", self.flat(name))):
                path = self.damaged(work)
                for reader in ("export vtu", "plot", "player", "report", "render"):
                    if reader in TOOLS:
                        with self.subTest(damage=(name, what), reader=reader):
                            self.judge(plots_undrawn(path) if reader == "plot" else TOOLS[reader](path))

    def test_tensors_that_are_gone_or_of_another_kind(self):
        for work in (lambda file: file.pop("frames/stress"), self.cut("frames/stress"), self.folder("frames/stress"), self.flat("frames/stress")):
            self.judge(TOOLS["export vtu"](self.damaged(work)))

    @staticmethod
    def cut(name):
        def work(file):
            values = file[name][:]
            del file[name]
            file[name] = values[:len(values) // 2]
        return work

    @staticmethod
    def flat(name):
        def work(file):
            values = file[name][:]
            del file[name]
            file[name] = values.ravel() if values.ndim > 1 else values[0]
        return work

    @staticmethod
    def folder(name):
        def work(file):
            del file[name]
            file.create_group(name)
        return work

    def test_the_scene_must_be_the_one_that_was_written(self):
        def edit(file):
            file.attrs["scene"] = file.attrs["scene"].replace("0.06", "0.07")
        for reader in ("report", "plot"):
            if reader in TOOLS:
                self.expect_error(TOOLS[reader](self.damaged(edit)), "the attribute \"scene\" is not the text that was written")

    def judge(self, answer):
        """Whatever was done to the file: a right answer, or one line."""
        status, said = answer
        if status in (1, 3):
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn("damaged.h5", said)
        else:
            self.assertEqual(status, 0, said)

    def test_at_random(self):
        for number in range(COUNT):
            chance = random.Random(1000 * SEED + number)
            path = place("damaged.h5")
            shutil.copy(self.whole, path)
            what = turn_bits(chance, path) if chance.random() < 0.4 else overwrite(chance, path)
            for reader in TOOLS:
                with self.subTest(number=number, damage=what, reader=reader):
                    self.judge(TOOLS[reader](path))


def turn_bits(chance, path):
    """Some, of bytes that are not zero: most of the file is room for more rows."""
    with open(path, "r+b") as file:
        content = np.frombuffer(file.read(), np.uint8)
        there = np.flatnonzero(content)
        places = [int(there[chance.randrange(len(there))]) for _ in range(chance.choice((1, 1, 5, 30)))]
        for at in places:
            file.seek(at)
            file.write(bytes([content[at] ^ (1 << chance.randrange(8))]))
    return f"bits at {places}"


def overwrite(chance, path):
    with h5py.File(path, "r+") as file:
        group = file[chance.choice(("model", "model/objects", "frames", "steps", "contacts", "trace"))]
        data = group[chance.choice([name for name in group if isinstance(group[name], h5py.Dataset) and group[name].size > 0])]
        where = tuple(chance.randrange(size) for size in data.shape)
        values = {"f": (np.nan, np.inf, -1e300, 1e20, -1.0, 0.0, 5e-324), "i": (-1, 2**31 - 1, -2**31, 0, 7, 100000)}
        value = chance.choice(values.get(data.dtype.kind, ("", "x" * 1000, "../a", "fixed", "\n")))
        data[where] = value
        return f"{data.name}{list(where)} = {value}"


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
