"""Runs scenes/first.json, which scripts/run.sh shows. usage: first_scene_test.py <scripts> <simrun> <scene> <folder>

Exit status 77: h5py is not installed.
"""
import os
import subprocess
import sys
import unittest

try:
    import h5py  # the module needs it
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SCRIPTS, SIMRUN, SCENE, FOLDER = sys.argv[1:]
sys.path.insert(0, SCRIPTS)
import simrun_results as sr  # noqa: E402


class FirstScene(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        path = os.path.join(FOLDER, "first.h5")
        done = subprocess.run([SIMRUN, SCENE, "--quiet", "-o", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.result = sr.open(path)

    @classmethod
    def tearDownClass(cls):
        cls.result.close()

    def frame_at(self, time):
        return self.result.frames[int(np.argmin(abs(self.result.frames.time - time)))]

    def of(self, frame, name):
        return frame.positions[self.result.object(name).vertices]

    def pairs(self, frame):
        """Names of the objects, without the numbers of copies, between which contacts push."""
        names = [found.name.split(".")[0] for found in self.result.objects]
        contacts = frame.contacts
        return {tuple(sorted(names[row] for row in pair)) for pair in contacts.objects[contacts.state != 0]}

    def test_friction_alone_carries_the_ball(self):
        self.assertEqual(self.of(self.frame_at(0.0), "ball")[:, 2].min().round(3), 0.0)
        for time in (0.8, 1.1, 1.4):
            frame = self.frame_at(time)
            self.assertGreater(self.of(frame, "ball")[:, 2].min(), 0.2, time)
            self.assertEqual({pair for pair in self.pairs(frame) if "ball" in pair}, {("ball", "left jaw"), ("ball", "right jaw")})

    def test_soft_and_rigid_bodies_touch_in_the_tray(self):
        found = self.pairs(self.frame_at(1.4))
        for pair in (("block", "ring"), ("ring", "ring"), ("floor", "ring"), ("block", "floor")):
            self.assertIn(pair, found)

    def test_the_ball_ends_on_the_heap_and_all_stays_in_the_tray(self):
        frame = self.result.frames[-1]
        self.assertTrue({pair for pair in self.pairs(frame) if "ball" in pair} & {("ball", "ring"), ("ball", "block")})
        for found in self.result.objects:
            if found.type in ("deformable", "rigid"):
                middle = frame.positions[found.vertices].mean(axis=0)
                self.assertTrue(0 < middle[0] < 0.5 and -0.25 < middle[1] < 0.25 and 0 < middle[2] < 0.3, (found.name, middle))

    def test_pictures_look_at_the_gripper_and_the_tray_too_and_not_at_the_floor(self):
        from shapes import outlook
        names = {self.result.objects[row].name.split(".")[0] for row in outlook.subjects(self.result, list(self.result.frames))}
        self.assertEqual(names, {"ball", "left jaw", "right jaw", "ring", "block", "wall"})

    def test_every_step_has_contacts_and_converges(self):
        steps = self.result.steps
        self.assertTrue((steps["status"] == 0).all())
        self.assertGreater(steps["contacts"].min(), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
