"""scripts/tail.py beside a run, and what it says of one that was killed. usage: tail_test.py <tail.py> <simrun> <folder>

Exit status 77: h5py is not installed.
"""
import os
import shutil
import signal
import subprocess
import sys
import unittest

try:
    import h5py
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

TAIL, SIMRUN, FOLDER = sys.argv[1:4]
SCENE = """{ "name": "fall", "time": { "step": 0.001, "duration": 0.02 }, "materials": { "rubber": {} },
  "meshes": { "box": { "generate": "box" } }, "objects": [ { "name": "box", "mesh": "box", "material": "rubber" } ] }"""


def tail(*arguments):
    return subprocess.run([sys.executable, TAIL, *arguments], capture_output=True, text=True, cwd=FOLDER)


def simrun(*arguments):
    return [SIMRUN, "scene.json", "--quiet", "--threads", "1", *arguments]


class Tail(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(FOLDER)
        with open(os.path.join(FOLDER, "scene.json"), "w") as file:
            file.write(SCENE)

    def test_shows_the_newest_steps_of_a_run_that_is_done(self):
        subprocess.run(simrun("-o", "out.h5"), cwd=FOLDER, check=True)
        shown = tail("out.h5", "-n", "3", "--columns", "step,time,min_gap")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        lines = shown.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["step", "time", "min_gap"])
        with h5py.File(os.path.join(FOLDER, "out.h5")) as f:
            for line, row in zip(lines[1:4], (-3, -2, -1)):
                self.assertEqual([float(word) for word in line.split()[:2]], [f["steps/step"][row], round(f["steps/time"][row], 6)])
        self.assertEqual(lines[4], "done, 3 frames, 20 steps")

    def test_follows_a_run_until_it_is_interrupted(self):
        run = subprocess.Popen(simrun("--duration", "1e6", "-o", "out.h5"), cwd=FOLDER)
        while run.poll() is None and not os.path.exists(os.path.join(FOLDER, "out.h5")):
            pass
        with subprocess.Popen([sys.executable, TAIL, "out.h5", "--every", "0.01", "--columns", "step"], cwd=FOLDER,
                              stdout=subprocess.PIPE, text=True) as follower:
            lines = [follower.stdout.readline() for _ in range(30)]
            run.send_signal(signal.SIGINT)
            lines += follower.stdout.readlines()
        self.assertEqual((run.wait(), follower.returncode), (130, 2))
        steps = [int(line) for line in lines[1:-1]]
        self.assertEqual(steps, sorted(set(steps)))
        self.assertTrue(lines[-1].startswith("interrupted: interrupted by the user, "), lines[-1])
        self.assertTrue(lines[-1].endswith(f" {steps[-1]} steps\n"), lines[-2:])

    def test_says_that_a_run_was_killed(self):
        run = subprocess.Popen(simrun("--duration", "1e6", "-o", "out.h5"), cwd=FOLDER)
        while run.poll() is None and not os.path.exists(os.path.join(FOLDER, "out.h5")):
            pass
        still = tail("out.h5", "--once")
        run.kill()
        run.wait()
        self.assertEqual(still.returncode, 0, still.stderr)
        self.assertIn("running, ", still.stdout)
        for killed in (tail("out.h5"), tail("out.h5", "--once")):
            self.assertEqual(killed.returncode, 2, killed.stderr)
            self.assertIn("it was killed; go on with: simrun --resume out.h5", killed.stdout)

    def test_errors_are_one_line(self):
        subprocess.run(simrun("-o", "out.h5"), cwd=FOLDER, check=True)
        with open(os.path.join(FOLDER, "out.h5"), "r+b") as file:
            os.truncate(shutil.copy(file.name, os.path.join(FOLDER, "cut.h5")), 3000)
        for arguments, status, words in ((["none.h5"], 3, "there is no such file"), (["cut.h5"], 3, "damaged or not whole"),
                                         (["out.h5", "--columns", "stop"], 1, "no column \"stop\""),
                                         (["out.h5", "--columns", "momentum"], 1, "holds vectors"), (["out.h5", "-n", "x"], 1, "-n")):
            told = tail(*arguments)
            self.assertEqual(told.returncode, status, told.stderr)
            self.assertIn(words, told.stderr)
            self.assertEqual(told.stderr.count("\n"), 1, told.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
