"""The scenes of docs/coming-from.md run. usage: coming_from_test.py <source folder> <simrun> <folder>. Exit status 77: h5py is not installed."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

SOURCE, SIMRUN, FOLDER = sys.argv[1:4]
PAGE = os.path.join(SOURCE, "docs", "coming-from.md")


class ComingFrom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(FOLDER)
        with open(PAGE, encoding="utf-8") as file:
            cls.text = file.read()
        cls.scenes = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", cls.text, re.MULTILINE | re.DOTALL)]

    def result(self, name):
        scene, = (scene for scene in self.scenes if scene["name"] == name)
        path = os.path.join(FOLDER, name)
        with open(path + ".json", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        done = subprocess.run([SIMRUN, path + ".json", "--quiet", "--threads", "1", "-o", path + ".h5"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        file = h5py.File(path + ".h5")
        self.addCleanup(file.close)
        self.assertTrue((file["steps/status"][:] == 0).all())
        return file

    def object(self, file, name):
        """Its vertices in all frames."""
        row = list(file["model/objects/name"].asstr()[:]).index(name)
        return file["frames/positions"][:, file["model/objects/vertex_begin"][row]:file["model/objects/vertex_end"][row]]

    def test_the_cubes_touch_and_the_lower_one_is_held(self):
        file = self.result("two-cubes")
        self.assertGreater(file["steps/contacts"][:].max(), 0)
        lower = self.object(file, "lower")
        bottom = lower[0, :, 1] < -0.4999
        self.assertEqual(bottom.sum(), 25)
        self.assertEqual(abs(lower[-1, bottom] - lower[0, bottom]).max(), 0)

    def test_the_stone_lands_on_the_beam(self):
        stone = self.object(self.result("held-beam"), "stone")
        self.assertGreater(stone[:, :, 2].min(), -0.15)  # 1 s of fall are 4.9 m

    def test_the_box_slides_as_far_as_the_page_says(self):
        box = self.object(self.result("box-on-a-slope"), "box").mean(axis=1)
        slid = np.linalg.norm(box[-1] - box[0])
        self.assertIn(f"it has slid {slid:.3f} m", self.text)
        angle, step = np.radians(20), 0.005
        self.assertAlmostEqual(slid, 9.81 * (np.sin(angle) - 0.3 * np.cos(angle)) / 2 * (1 + step), delta=1e-3)

    def test_the_block_is_pressed_until_it_rests(self):
        file = self.result("pressed-block")
        kinetic = file["steps/kinetic_energy"][:]
        self.assertLess(kinetic[-1], 1e-3 * kinetic.max())
        self.assertGreater(abs(file["frames/contact_forces"][-1]).max(), 0)

    def test_the_cube_lands_and_does_not_rebound(self):
        file = self.result("thrown-cube")
        cube = self.object(file, "cube")
        self.assertGreater(cube[:, :, 2].min(), 0)
        self.assertAlmostEqual(cube[-1, :, 2].min(), 0, delta=1e-3)
        self.assertAlmostEqual(file["steps/momentum"][0, 0], 10, delta=1e-9)  # 1 kg at 10 m/s

    def test_every_scene_of_the_page_is_looked_at(self):
        self.assertEqual(sorted(scene["name"] for scene in self.scenes),
                         ["box-on-a-slope", "held-beam", "pressed-block", "thrown-cube", "two-cubes"])

    def test_links_lead_somewhere(self):
        for page, anchor in re.findall(r"\]\(([^)#\s]*)(#[^)]*)?\)", self.text):
            path = os.path.join(os.path.dirname(PAGE), page) if page else PAGE
            with open(path, encoding="utf-8") as file:
                headings = [re.sub(r"[^a-z0-9 _-]", "", line.lstrip("#").strip().lower()).replace(" ", "-") for line in file if line.startswith("#")]
            self.assertTrue(not anchor or anchor[1:] in headings, page + anchor)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
