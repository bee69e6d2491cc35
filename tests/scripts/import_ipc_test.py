"""Scenes of IPC as scenes of simrun. usage: import_ipc_test.py <scripts> <simrun> <folder>"""
import json
import math
import os
import shutil
import subprocess
import sys
import unittest

SCRIPTS, SIMRUN, FOLDER = sys.argv[1:4]

# A unit cube of six tetrahedra in IPC's own kind of .msh.
CUBE = """$MeshFormat
4 0 8
$EndMeshFormat
$Nodes
1 8
0 3 0 8
1 0 0 0
2 1 0 0
3 1 0 1
4 0 0 1
5 0 1 0
6 1 1 0
7 1 1 1
8 0 1 1
$EndNodes
$Elements
1 6
0 3 4 6
1 1 5 7 6
2 4 7 3 1
3 1 5 8 7
4 4 7 1 8
5 3 1 7 2
6 7 1 6 2
$EndElements
"""
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"
SCENE = """energy FCR
time 0.05 0.005
shapes input 5
input/cube.msh 0 3 0  0 0 0  1 1 1 initVel 0 -1 0  0 90 0
input/cube.msh 0 6 0  0 30 0  1 2 1 material 500 1e4 0.3 \\
    DBC -0.1 -0.1 -0.1  1.1 0.1 1.1  -0.2 0 0  0 0 0  0 0.025 NBC -0.1 0.9 -0.1  1.1 1.1 1.1  3 0 -1  0.01 0.03 \\
    DBC -0.1 0.9 -0.1  0.1 1.1 0.1  0 0 0  0 0 0  0.02 0.5
input/triangle.seg 0 1 0  0 0 0  2 2 2 angularVelocity 0 90 0
input/triangle.obj 3 1 0  0 0 0  2 2 2
input/triangle.pt -3 1 0  0 0 0  1 1 1

# a comment
selfFric 0.1
ground 0.2 0
halfSpace -5 0 0  1 0 0  1 0.1
dampingRatio 0.1
size 2
zoom 0.3
"""


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=FOLDER)


class Import(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(os.path.join(FOLDER, "ipc/input/scenes"))
        for name, text in (("cube.msh", CUBE), ("triangle.obj", TRIANGLE), ("scenes/a.txt", SCENE)):
            with open(os.path.join(FOLDER, "ipc/input", name), "w", encoding="utf-8") as file:
                file.write(text)
        cls.outcome = run(os.path.join(SCRIPTS, "import_ipc.py"), "ipc/input/scenes/a.txt", "-o", "made/a.json")
        with open(os.path.join(FOLDER, "made/a.json"), encoding="utf-8") as file:
            cls.scene = json.load(file)

    def object(self, name):
        return next(found for found in self.scene["objects"] if found["name"] == name)

    def test_runs_in_simrun(self):
        outcome = run(SIMRUN, "made/a.json", "-o", "made/a.h5", "--quiet")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)

    def test_pictures_know_its_obstacles(self):
        try:
            import h5py  # noqa: F401
        except ImportError:
            self.skipTest("h5py is not installed")
        sys.path.insert(0, SCRIPTS)
        import numpy as np
        import shapes
        import simrun_results as sr
        self.assertEqual(run(SIMRUN, "made/a.json", "-o", "made/b.h5", "--quiet", "--steps", 1).returncode, 0)
        with sr.open(os.path.join(FOLDER, "made/b.h5")) as result:
            positions = result.frames[0].positions
            self.assertEqual([found.name for found in result.half_spaces], ["ground", "half-space"])
            low, high = shapes.scene_box(result, positions)
            self.assertLess(np.linalg.norm(high - low), 20)
            ground = shapes.near_part(result, positions)[result.object("ground").vertices]
            self.assertLess(abs(ground[:, 1]).max(), 1e-9)
            self.assertGreater(abs(positions[result.object("ground").vertices]).max(), 1e4)
            self.assertLess(abs(ground).max(), 1e3)
            rest = np.ones(len(positions), bool)
            for found in result.half_spaces:
                rest[found.vertices] = False
            self.assertTrue((shapes.near_part(result, positions)[rest] == positions[rest]).all())
            segments, points = shapes.thin_parts(result)
            self.assertEqual((len(segments), len(points)), (3, 3))

    def test_what_is_not_expressed_is_told_with_its_line(self):
        self.assertEqual(self.outcome.returncode, 0)
        told = self.outcome.stderr.splitlines()
        self.assertEqual(len(told), 3, told)
        for line, words in ((16, "dampingRatio 0.1"), (5, "DBC: it begins at 0.02 s"), (17, "size 2")):
            self.assertTrue(any(f"a.txt: line {line}: {words}" in text for text in told), (line, told))

    def test_time_and_materials_are_those_of_the_text(self):
        self.assertEqual(self.scene["time"], {"step": 0.005, "duration": 0.05})
        self.assertEqual(self.scene["materials"][self.object("cube")["material"]],
                         {"model": "corotational", "young": 1e5, "poisson": 0.4, "density": 1000.0})
        self.assertEqual(self.scene["materials"][self.object("cube-2")["material"]]["young"], 1e4)
        self.assertEqual(self.scene["contact"]["friction"], 0.1)

    def test_bodies_are_scaled_turned_moved_and_begin_as_told(self):
        first, second = self.object("cube"), self.object("cube-2")
        self.assertEqual((first["position"], first["velocity"]), ([0, 3, 0], [0, -1, 0]))
        self.assertAlmostEqual(first["angular_velocity"][1], math.pi / 2)
        self.assertEqual(self.scene["meshes"][second["mesh"]]["scale"], [1, 2, 1])
        self.assertAlmostEqual(second["rotation"]["degrees"] * second["rotation"]["axis"][1], 30)
        self.assertEqual(second["boundary"], [{"list": [0, 1, 2, 3], "motion": {"velocity": [-0.2, 0, 0]}, "release": 0.025},
                                              {"list": [4]}])

    def test_accelerations_of_vertices_are_forces_on_their_masses(self):
        (load,) = self.object("cube-2")["loads"]
        self.assertEqual(load, {"body_force": ["(t > 0.01 && t < 0.03) ? 1500.0 : 0", "(t > 0.01 && t < 0.03) ? 0.0 : 0",
                                               "(t > 0.01 && t < 0.03) ? -500.0 : 0"], "list": [4, 5, 6, 7]})

    def test_friction_of_obstacles_is_that_of_their_pairs(self):
        self.assertEqual(self.scene["contact"]["pairs"], [{"between": ["ground", "*"], "friction": 0.2}])

    def test_without_self_collision_bodies_meet_only_obstacles_of_their_own_kind(self):
        with open(os.path.join(FOLDER, "ipc/input/through.txt"), "w", encoding="utf-8") as file:
            file.write("shapes input 2\ninput/cube.msh 0 1 0 0 0 0 1 1 1\ninput/cube.msh 0.3 1.5 0.2 0 0 0 1 1 1\n"
                       "time 0.02 0.01\nselfCollisionOff\nground 0 0\n")
        outcome = run(os.path.join(SCRIPTS, "import_ipc.py"), "ipc/input/through.txt", "-o", "made/through.json")
        self.assertEqual((outcome.returncode, outcome.stderr), (0, ""))
        self.assertEqual(run(SIMRUN, "made/through.json", "-o", "made/through.h5", "--quiet").returncode, 0)
        with open(os.path.join(FOLDER, "made/through.json"), encoding="utf-8") as file:
            pairs = json.load(file)["contact"]["pairs"]
        self.assertEqual(pairs, [{"between": ["*", "*"], "exclude": True}, {"between": ["ground", "*"], "friction": 0.0}])

    def test_obstacles_are_surfaces_segments_points_and_half_spaces(self):
        wire = self.object("triangle")
        self.assertEqual(self.scene["meshes"][wire["mesh"]]["segments"], [[0, 1], [0, 2], [1, 2]])
        self.assertEqual(wire["motion"], {"axis": [0, 90, 0], "degrees_per_second": 90, "center": [1, 1, 1]})
        self.assertTrue(self.scene["meshes"][self.object("triangle-2")["mesh"]]["file"].endswith("triangle.obj"))
        self.assertEqual(self.scene["meshes"][self.object("triangle-3")["mesh"]]["generate"], "points")
        self.assertEqual(self.object("ground")["rotation"], {"axis": [-1, 0, 0], "degrees": 90})

    def test_mistakes_are_told_in_a_line(self):
        for text, words in (("shapes input 1\ninput/none.msh 0 0 0 0 0 0 1 1 1\n", "none.msh: is in none of the folders"),
                            ("shapes input 1\ninput/cube.msh 0 0 0\n", "line 2: input/cube.msh 0 0 0: expected a file"),
                            ("shapes input 2\ninput/cube.msh 0 0 0 0 0 0 1 1 1\n", "expected 1 more shapes"),
                            ("time a b\n", "line 1: a b: expected numbers")):
            with open(os.path.join(FOLDER, "ipc/input/bad.txt"), "w", encoding="utf-8") as file:
                file.write(text)
            outcome = run(os.path.join(SCRIPTS, "import_ipc.py"), "ipc/input/bad.txt", "-o", "made/bad.json")
            self.assertIn(outcome.returncode, (1, 3), outcome.stderr)
            self.assertIn(words, outcome.stderr)
            self.assertEqual(len(outcome.stderr.splitlines()), 1, outcome.stderr)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main(verbosity=1)
